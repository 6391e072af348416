import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { type UndiciFetcherOptions, undiciFetcher } from '../../src/fetch/index.js';
import { until } from '../servers/fault-server.js';
import { frame, startHttp2Flood } from '../servers/http2-flood.js';
import { type Http2Server, startHttp2Server } from '../servers/http2-server.js';
import { startProxy } from '../servers/proxy-server.js';
import { AUTHORITY } from '../servers/tls-server.js';
import { failureOf, fetchOnce, outcomeOf, textOf } from './helpers.js';

let server: Http2Server;
let fetcher: ReturnType<typeof undiciFetcher>;
const fetcherWith = (options: UndiciFetcherOptions): ReturnType<typeof undiciFetcher> =>
  undiciFetcher({ connect: { ca: AUTHORITY }, http2: true, ...options });

beforeEach(async () => {
  server = await startHttp2Server();
  fetcher = fetcherWith({});
});
afterEach(async () => {
  fetcher.close();
  await server.close();
});

describe('HTTP/2', () => {
  it('is spoken with a server that chooses it, many exchanges on one connection', async () => {
    await fetchOnce(fetcher, `${server.origin}/ok`);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => fetchOnce(fetcher, `${server.origin}/slow`)),
    );
    expect(new Set(all.map(textOf))).toEqual(new Set(['slow']));
    expect(server.sessions.made).toBe(1);
    expect(server.requests[0]).toMatchObject({
      ':method': 'GET',
      ':authority': new URL(server.origin).host,
      'accept-encoding': expect.stringContaining('gzip') as string,
    });
  });

  it('is not spoken unless asked for', async () => {
    const plain = fetcherWith({ http2: false });
    expect(textOf(await fetchOnce(plain, `${server.origin}/ok`))).toBe('one');
    plain.close();
  });

  it('gives the same responses as HTTP/1.1', async () => {
    expect(textOf(await fetchOnce(fetcher, `${server.origin}/gzip`))).toBe('unpacked');
    const { headers } = await fetchOnce(fetcher, `${server.origin}/cookies`);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(headers[':status']).toBeUndefined();
    const redirect = await fetchOnce(fetcher, `${server.origin}/redirect`);
    expect([redirect.status, redirect.headers['location']]).toEqual([302, '/ok']);
    const options = { method: 'POST', body: 'question' };
    expect(await outcomeOf(fetcher, `${server.origin}/ok`, options)).toBe('200 3');
  });

  it.each<[string, string]>([
    ['/reset', 'connection-reset'],
    ['/cut', 'truncated'],
    ['/drop', 'truncated'],
    ['/short', 'truncated'],
    ['/away', 'empty-reply'],
    ['/head', 'headers-too-large'],
    ['/large', 'too-large'],
    ['/silent', 'timeout-headers'],
  ])('%s fails with %s', async (path, code) => {
    const limited = fetcherWith({ maxBodyBytes: 1_000_000, timeouts: { headers: 300 } });
    expect((await failureOf(limited, server.origin + path)).code).toBe(code);
    // The connection, or a new one, still works.
    expect(await outcomeOf(limited, `${server.origin}/ok`)).toBe('200 3');
    limited.close();
  });

  it('cancels its stream alone when unsubscribed', async () => {
    await fetchOnce(fetcher, `${server.origin}/ok`);
    const subscription = fetcher(request(`${server.origin}/silent`)).subscribe();
    await until(() => server.requests.length === 2);
    subscription.unsubscribe();
    await until(() => server.cancelled.count === 1);
    expect(await outcomeOf(fetcher, `${server.origin}/ok`)).toBe('200 3');
    expect(server.sessions.made).toBe(1);
    fetcher.close();
    await until(() => server.sessions.open === 0);
  });

  it('is spoken through a tunnel, too', async () => {
    const proxy = await startProxy();
    const through = fetcherWith({ proxy: proxy.origin });
    expect(textOf(await fetchOnce(through, `${server.origin}/ok`))).toBe('two');
    expect(proxy.requests).toHaveLength(1);
    through.close();
    await proxy.close();
  });

  const OK = frame(1, 4, 1, Buffer.from([0x88]));
  const NOTHING = Buffer.alloc(0);

  it.each([
    ['PING', NOTHING, frame(6, 0, 0, Buffer.alloc(8))],
    ['SETTINGS', NOTHING, frame(4, 0, 0, NOTHING)],
    ['empty DATA', OK, frame(0, 0, 1, NOTHING)],
    ['padding', OK, frame(0, 8, 1, Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]))],
    ['CONTINUATION', frame(1, 0, 1, Buffer.from([0x88])), frame(9, 0, 1, NOTHING)],
    ['interim answers', NOTHING, frame(1, 4, 1, Buffer.from('\x08\x03103', 'latin1'))],
    ['WINDOW_UPDATE', NOTHING, frame(8, 0, 0, Buffer.from([0, 0, 0, 1]))],
    ['PRIORITY', NOTHING, frame(2, 0, 1, Buffer.alloc(5))],
    ['unknown frames', NOTHING, frame(99, 0, 0, Buffer.alloc(1_000))],
  ])('gives up on %s without end', async (_what, first, again) => {
    const flood = await startHttp2Flood(first, again);
    const { code } = await failureOf(fetcher, `${flood.origin}/`);
    expect(code).toBe('protocol-error');
    await flood.close();
  });

  it('lets a body be as long as it may, in the smallest of frames', async () => {
    const flood = await startHttp2Flood(OK, frame(0, 0, 1, Buffer.from('x')));
    const small = fetcherWith({ maxBodyBytes: 100_000 });
    expect(await outcomeOf(small, `${flood.origin}/`)).toBe('too-large');
    small.close();
    await flood.close();
  });

  it('is refused together with a dispatcher', () => {
    const dispatcher = (): never => {
      throw new Error('not called');
    };
    expect(() => undiciFetcher({ http2: true, dispatcher })).toThrow(
      'undiciFetcher: http2: has no effect together with dispatcher',
    );
    expect(() => undiciFetcher({ http2: 'yes' } as unknown as UndiciFetcherOptions)).toThrow(
      'undiciFetcher: http2: expected true or false, got "yes"',
    );
  });
});
