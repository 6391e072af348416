import { Worker } from 'node:worker_threads';
import type { LookupFunction } from 'node:net';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { undiciFetcher, type UndiciFetcherOptions } from '../../src/fetch/index.js';
import { startFaultServer, type FaultServer } from '../servers/fault-server.js';
import { startFullBacklog } from '../servers/full-backlog.js';
import { startSite } from '../servers/site-server.js';
import { failureOf, fetchOnce, outcomeOf } from './helpers.js';
import { bufferGrowth } from './memory.js';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

/** The code of the failure and how long it took, ms. */
async function timed(
  options: UndiciFetcherOptions,
  url: string,
): Promise<{ code: string; ms: number }> {
  const fetcher = undiciFetcher(options);
  const before = performance.now();
  const { code } = await failureOf(fetcher, url);
  fetcher.close();
  return { code, ms: performance.now() - before };
}

describe('time limits', () => {
  it.each<[string, UndiciFetcherOptions, string, string]>([
    ['silence', { timeouts: { headers: 200 } }, 'silent', 'timeout-headers'],
    ['a head in drops', { timeouts: { headers: 200 } }, 'drip-head?ms=10', 'timeout-headers'],
    ['half a body', { timeouts: { idle: 200 } }, 'stall', 'timeout-idle'],
    ['a body in drops', { timeouts: { total: 200 } }, 'drip-body?ms=10', 'timeout-total'],
    ['silence', { timeouts: { total: 200 } }, 'silent', 'timeout-total'],
    [
      'a slow body',
      { minRate: { bytesPerSecond: 1_000, windowMs: 200 } },
      'drip-body?ms=10&bytes=2',
      'too-slow',
    ],
  ])('%s under %j: %s gives %s', async (_, options, behaviour, code) => {
    const result = await timed(options, server.url(behaviour));
    expect(result.code).toBe(code);
    expect(result.ms).toBeGreaterThan(195);
    expect(result.ms).toBeLessThan(1_000);
  });

  it('a server that accepts nothing, for its backlog is full, costs the time to connect', async (context) => {
    const busy = await startFullBacklog();
    if (busy === undefined) return context.skip('this system exceeds its backlogs');
    const url = `http://127.0.0.1:${busy.port}/`;
    const result = await timed({ timeouts: { connect: 200 } }, url);
    expect(result.code).toBe('timeout-connect');
    expect(result.ms).toBeGreaterThan(195);
    expect(result.ms).toBeLessThan(1_000);
    const patient = undiciFetcher();
    const late = outcomeOf(patient, url);
    busy.accept();
    expect(await late).toBe('200 4');
    patient.close();
    await busy.close();
    return undefined;
  });

  it('a body that slows down is too slow in the window in which it does', async () => {
    const minRate = { bytesPerSecond: 10_000, windowMs: 150 };
    const result = await timed({ minRate }, server.url('fast-then-slow'));
    expect(result.code).toBe('too-slow');
    expect(result.ms).toBeGreaterThan(290);
  });

  it('progress counts: a body may take longer than the idle limit, at enough speed', async () => {
    const fetcher = undiciFetcher({
      timeouts: { idle: 300 },
      minRate: { bytesPerSecond: 50, windowMs: 100 },
    });
    const url = server.url('drip-body?ms=10&bytes=10&rounds=40');
    expect(await outcomeOf(fetcher, url)).toBe('200 400');
    fetcher.close();
  });

  it('a lookup that hangs', async () => {
    const lookup: LookupFunction = () => undefined;
    const options = { timeouts: { connect: 200 }, connect: { lookup } };
    const result = await timed(options, 'http://name.invalid/');
    expect(result.code).toBe('timeout-dns');
    expect(result.ms).toBeLessThan(1_000);
  });

  // A full backlog swallows connections on Linux; elsewhere it may refuse them.
  it.runIf(process.platform === 'linux')('a connection that is not taken', async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
       const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
         parentPort.postMessage(server.address().port);
         // The event loop stands still: nothing is accepted.
         setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000));
       });`,
      { eval: true },
    );
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    const fetcher = undiciFetcher({ timeouts: { connect: 250, headers: 250 } });
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => outcomeOf(fetcher, `http://127.0.0.1:${port}/`)),
    );
    // The first ones fit into the backlog.
    expect(codes).toContain('timeout-connect');
    expect(new Set(codes).size).toBeLessThanOrEqual(2);
    await worker.terminate();
  });

  it('leaves no timer behind', async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const fetcher = undiciFetcher();
    const before = timers();
    await fetchOnce(fetcher, server.url('ok'));
    await outcomeOf(fetcher, server.url('close-in-body'));
    fetcher(request(server.url('silent')))
      .subscribe()
      .unsubscribe();
    fetcher.close();
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe('size limits', () => {
  const maxBodyBytes = 100_000;

  it('by the announced length, before reading', async () => {
    const site = await startFaultServer();
    const fetcher = undiciFetcher({ maxBodyBytes });
    const error = await failureOf(fetcher, site.url('announced'));
    expect(error).toMatchObject({
      code: 'too-large',
      status: 200,
      detail: { limit: maxBodyBytes, announced: 10_000_000_000 },
    });
    await site.until(() => site.log.connections[0]!.closedAt !== undefined);
    await site.close();
  });

  it.each(['endless-body', 'tiny-chunks?bytes=200000'])('by count: %s', async (behaviour) => {
    const fetcher = undiciFetcher({ maxBodyBytes });
    const error = await failureOf(fetcher, server.url(behaviour));
    expect(error.code).toBe('too-large');
    expect(error.detail?.['seen']).toBeLessThan(maxBodyBytes + 70_000);
  });

  it('a body of exactly the limit passes, one byte more does not', async () => {
    const fetcher = undiciFetcher({ maxBodyBytes });
    expect(await outcomeOf(fetcher, server.url(`big?bytes=${maxBodyBytes}`))).toBe('200 100000');
    expect(await outcomeOf(fetcher, server.url(`big?bytes=${maxBodyBytes + 1}`))).toBe('too-large');
    expect(await outcomeOf(fetcher, server.url(`tiny-chunks?bytes=${maxBodyBytes}`))).toBe(
      '200 100000',
    );
    fetcher.close();
  });

  it.each(['announced', 'endless-body', 'tiny-chunks?bytes=200000'])(
    'with truncate keeps the head: %s',
    async (behaviour) => {
      const site = await startFaultServer();
      const fetcher = undiciFetcher({ maxBodyBytes, truncate: true });
      const response = await fetchOnce(fetcher, site.url(behaviour));
      expect(response).toMatchObject({ status: 200, truncated: true });
      expect(response.body).toHaveLength(maxBodyBytes);
      expect(Buffer.from(response.body).equals(Buffer.alloc(maxBodyBytes, 'x'))).toBe(true);
      await site.until(() => site.log.connections[0]!.closedAt !== undefined);
      await site.close();
    },
  );

  it('with truncate leaves whole bodies alone', async () => {
    const fetcher = undiciFetcher({ maxBodyBytes, truncate: true });
    const response = await fetchOnce(fetcher, server.url('ok'));
    expect(response).not.toHaveProperty('truncated');
    fetcher.close();
  });

  it('a single fetch can have a limit of its own, cut', async () => {
    const fetcher = undiciFetcher({ maxBodyBytes });
    const get = (behaviour: string, truncateAt: number) =>
      lastValueFrom(fetcher(request(server.url(behaviour)), { attempt: 1, truncateAt }));
    const cut = await get('big?bytes=50000', 1_000);
    expect(cut.truncated).toBe(true);
    expect(cut.body).toHaveLength(1_000);
    const coded = await get('coded?codings=gzip', 1_000);
    expect(coded.truncated).toBe(true);
    expect(coded.body).toHaveLength(1_000);
    expect(await get('ok', 1_000)).not.toHaveProperty('truncated');
    const more = await get('big?bytes=200000', 1_000_000);
    expect(more.body).toHaveLength(200_000);
    expect(more).not.toHaveProperty('truncated');
    const cutLater = await get('big?bytes=200000', 150_000);
    expect([cutLater.body.length, cutLater.truncated]).toEqual([150_000, true]);
    fetcher.close();
  });

  it('does not hold more than the limit of a body without end', async () => {
    const limit = 2_000_000;
    const fetcher = undiciFetcher({ maxBodyBytes: limit });
    const growth = await bufferGrowth(() => failureOf(fetcher, server.url('endless-body')));
    expect(growth).toBeLessThan(limit + 8_000_000);
  });

  it.each([
    ['blank lines before a head', 'blank-lines', 'headers-too-large'],
    ['a status line without end', 'endless-reason', 'headers-too-large'],
    ['a chunk size without end', 'framing?block=0', 'protocol-error'],
    ['an extension of a chunk without end', 'framing?start=1;&block=x=y;', 'protocol-error'],
    [
      'extensions of tiny chunks',
      `framing?block=${encodeURIComponent(`1;${'x'.repeat(50)}\r\nx\r\n`)}`,
      'protocol-error',
    ],
  ])('stops at %s', async (_what, behaviour, code) => {
    const fetcher = undiciFetcher();
    const url = server.url(behaviour);
    const growth = await bufferGrowth(async () => {
      expect(await failureOf(fetcher, url)).toMatchObject({ code });
    });
    expect(growth).toBeLessThan(16_000_000);
    fetcher.close();
  });

  it('takes tiny chunks, and extensions that are shorter than the body', async () => {
    const fetcher = undiciFetcher();
    expect(await outcomeOf(fetcher, server.url('tiny-chunks?bytes=1000000'))).toBe('200 1000000');
    fetcher.close();
  });

  it('holds tiny chunks without a cost for each', async () => {
    const fetcher = undiciFetcher();
    const before = process.memoryUsage().heapUsed;
    const response = await fetchOnce(fetcher, server.url('tiny-chunks?bytes=500000'));
    expect(response.body).toHaveLength(500_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
    fetcher.close();
  });

  it.each([
    ['big-header', 'headers-too-large'],
    ['many-headers', 'headers-too-large'],
    ['many-headers?lines=101', 'headers-too-large'],
    ['many-cookies', 'headers-too-large'],
    ['endless-headers', 'headers-too-large'],
    ['big-header?bytes=10000', '200 2'],
    ['many-headers?lines=98', '200 2'],
    ['interim?count=64', '200 13'],
    ['interim?count=65', 'protocol-error'],
    ['interim?count=5000', 'protocol-error'],
    ['interim?count=3&status=100', '200 13'],
    ['interim?count=3&status=102', '200 13'],
    ['interim?count=64&status=100', '200 13'],
    ['interim?count=1000&status=100', 'protocol-error'],
  ])('head: %s gives %s', async (behaviour, outcome) => {
    const fetcher = undiciFetcher();
    expect(await outcomeOf(fetcher, server.url(behaviour))).toBe(outcome);
    fetcher.close();
  });

  it.each<[string, UndiciFetcherOptions, string]>([
    ['big?bytes=2000', { maxBodyBytes: 1_000 }, 'the body is too large (over maxBodyBytes: 1000)'],
    ['endless-body', { maxBodyBytes: 1_000 }, 'the body is too large (over maxBodyBytes: 1000)'],
    ['bomb?mb=10', { maxDecodeRatio: 50 }, 'the body is too large (over maxDecodeRatio: 50)'],
    ['bomb?mb=10', { maxBodyBytes: 500_000 }, 'the body is too large (over maxBodyBytes: 500000)'],
    [
      'many-headers?lines=101',
      {},
      'the head of the answer is too large (over maxHeaderLines: 100)',
    ],
    ['big-header', {}, 'the head of the answer is too large (over maxHeaderBytes: 16384)'],
    ['interim?count=65', {}, 'the answer is not valid HTTP (over 64 interim answers)'],
    [
      'silent',
      { timeouts: { headers: 50 } },
      'the head of the answer took too long (over timeouts.headers: 50 ms)',
    ],
    ['stall', { timeouts: { idle: 50 } }, 'the server stopped sending (over timeouts.idle: 50 ms)'],
    [
      'stall',
      { timeouts: { total: 50 } },
      'the whole exchange took too long (over timeouts.total: 50 ms)',
    ],
    [
      'stall',
      { minRate: { bytesPerSecond: 999_999, windowMs: 50 } },
      'the server sends too slowly (under minRate.bytesPerSecond: 999999)',
    ],
  ])('%s under %j: %s', async (behaviour, options, message) => {
    const fetcher = undiciFetcher(options);
    const error = await failureOf(fetcher, server.url(behaviour));
    expect(error.message).toBe(`127.0.0.1:${server.port}: ${message}`);
    fetcher.close();
  });

  it('limits of heads can be raised', async () => {
    const fetcher = undiciFetcher({ maxHeaderLines: 20_000, maxHeaderBytes: 2_000_000 });
    expect(await outcomeOf(fetcher, server.url('big-header'))).toBe('200 2');
    expect(await outcomeOf(fetcher, server.url('many-headers'))).toBe('200 2');
    fetcher.close();
  });

  it('serves 100 fetches at once', async () => {
    const site = await startSite(() => ({ body: 'x'.repeat(10_000), delayMs: 150 }));
    const fetcher = undiciFetcher();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => outcomeOf(fetcher, site.url(`/${n}`))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['200 10000']));
    expect(site.log.mostAtOnce).toBeGreaterThan(50);
    fetcher.close();
    await site.close();
  });
});
