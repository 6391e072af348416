import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, LookupFunction } from 'node:net';
import { lastValueFrom, Subscription } from 'rxjs';
import { Agent, MockAgent } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  RequestRefused,
  request,
  type FetchedResponse,
  type RequestOptions,
} from '../../src/core/index.js';
import {
  DEFAULT_USER_AGENT,
  undiciFetcher,
  VERSION,
  type UndiciFetcherOptions,
} from '../../src/fetch/index.js';
import { startFaultServer, until, type FaultServer } from '../servers/fault-server.js';
import { startSite } from '../servers/site-server.js';
import { failureOf, fetchOnce, outcomeOf, textOf } from './helpers.js';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

const fetcher = undiciFetcher();

interface Echo {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

async function echo(
  url = server.url('echo'),
  options?: RequestOptions,
  fetch = fetcher,
): Promise<Echo> {
  return JSON.parse(textOf(await fetchOnce(fetch, url, options))) as Echo;
}

function valuesOf({ headers }: Echo, name: string): string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

describe('undiciFetcher: the response', () => {
  it('has url, status, headers, body and sizes', async () => {
    const url = server.url('ok');
    expect({ ...(await fetchOnce(fetcher, url)) }).toEqual({
      url,
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-length': '9' },
      body: Buffer.from('<p>ok</p>'),
      redirects: [],
      wireBytes: 9,
    });
  });

  it.each([404, 410, 429, 500, 503])('with status %i is a response', async (status) => {
    expect(await outcomeOf(fetcher, server.url(`status?line=${status}+X`))).toBe(`${status} 2`);
  });

  it('joins repeated headers, lists cookies, and has no prototype', async () => {
    const lines = ['X-A: 1', 'x-a: 2', 'Set-Cookie: a=1', '__proto__: p', 'constructor: c'];
    const query = lines.map((line) => `line=${encodeURIComponent(line)}`).join('&');
    const { headers } = await fetchOnce(fetcher, server.url(`headers?${query}`));
    expect(Object.getPrototypeOf(headers)).toBe(null);
    expect(headers['x-a']).toBe('1, 2');
    expect(headers['set-cookie']).toEqual(['a=1']);
    expect(Object.entries(headers)).toContainEqual(['__proto__', 'p']);
    expect(headers.constructor).toBe('c');
    expect(headers['tostring']).toBeUndefined();
    expect({}).not.toHaveProperty('p');
  });

  it('reads header values as UTF-8 where they are, as Latin-1 where not, cookies as bytes', async () => {
    const raw = Buffer.from(
      'HTTP/1.1 200 OK\r\nX-Utf8: Grüße 你好\r\nSet-Cookie: a=ü\r\nContent-Length: 0\r\nX-Latin1: ',
    );
    const data = Buffer.concat([raw, Buffer.from('Gr\xfc\xdfe\r\n\r\n', 'latin1')]);
    const response = await fetchOnce(fetcher, server.url(`raw?data=${data.toString('base64url')}`));
    expect(response.headers['x-utf8']).toBe('Grüße 你好');
    expect(response.headers['x-latin1']).toBe('Grüße');
    expect(response.headers['set-cookie']).toEqual([Buffer.from('a=ü').toString('latin1')]);
  });

  it.each([301, 302, 303, 307, 308])('for a redirect %i is its head alone', async (status) => {
    const response = await fetchOnce(fetcher, server.url(`redirect?status=${status}&to=/there`));
    expect(response).toMatchObject({ status, headers: { location: '/there' }, redirects: [] });
    expect(response.body).toHaveLength(0);
  });

  it('keeps the body of a 3xx that leads nowhere', async () => {
    expect(await outcomeOf(fetcher, server.url('redirect?status=300'))).toBe('300 5');
    expect(await outcomeOf(fetcher, server.url('redirect?status=302'))).toBe('302 5');
  });

  it.each([
    ['redirect-endless-body', 500],
    ['redirect-stalled-body', 1_500],
  ])('for %s comes within %i ms', async (behaviour, ms) => {
    const before = performance.now();
    expect(await outcomeOf(fetcher, server.url(behaviour))).toBe('302 0');
    expect(performance.now() - before).toBeLessThan(ms);
  });

  it('has no body where wantBody says so, and its connection is closed or free', async () => {
    const picky = undiciFetcher({
      wantBody: ({ headers, status, url }) =>
        status === 200 && url.includes('big') && headers['content-type'] !== 'text/html',
    });
    const site = await startFaultServer();
    expect(await outcomeOf(picky, site.url('big?bytes=100000000'))).toBe('200 0');
    await site.until(() => site.log.connections[0]!.closedAt !== undefined, 1_000);
    // The buffers of the system, on both sides, may have taken some MiB that nobody reads.
    expect(site.log.connections[0]!.bytesOut).toBeLessThan(50_000_000);
    for (let round = 0; round < 5; round++) {
      expect(await outcomeOf(picky, site.url('ok'))).toBe('200 0');
    }
    expect(site.log.connections).toHaveLength(2);
    picky.close();
    await site.close();
  });

  it('fails when wantBody throws', async () => {
    const boom = new Error('boom');
    const broken = undiciFetcher({
      wantBody: () => {
        throw boom;
      },
    });
    expect(await failureOf(broken, server.url('ok'))).toMatchObject({
      code: 'internal',
      cause: boom,
    });
  });

  it('to HEAD has the head of a body', async () => {
    const response = await fetchOnce(fetcher, server.url('ok'), { method: 'HEAD' });
    expect(response).toMatchObject({ status: 200, wireBytes: 0 });
    expect(response.headers['content-length']).toBe('9');
  });

  it('to HEAD is not measured by the length of a body', async () => {
    const url = server.url(
      `raw?data=${base64('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n')}`,
    );
    expect(await outcomeOf(fetcher, url, { method: 'HEAD' })).toBe('200 0');
  });

  it('keeps characters whole that were cut in two on the wire', async () => {
    expect(textOf(await fetchOnce(fetcher, server.url('byte-by-byte')))).toBe('Grüße');
  });
});

describe('undiciFetcher: the request', () => {
  it('says who asks and what can be decoded', async () => {
    const sent = await echo();
    expect(sent.method).toBe('GET');
    expect(valuesOf(sent, 'user-agent')).toEqual([DEFAULT_USER_AGENT]);
    const codings = valuesOf(sent, 'accept-encoding')[0]!.split(', ');
    expect(codings.slice(0, 3)).toEqual(['gzip', 'deflate', 'br']);
    expect(valuesOf(sent, 'accept')[0]).toContain('text/html');
    expect(valuesOf(sent, 'host')).toEqual([`127.0.0.1:${server.port}`]);
  });

  it('names the version of the package', () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(VERSION).toBe(version);
    expect(DEFAULT_USER_AGENT.startsWith(`rxcrawl/${version} `)).toBe(true);
  });

  it('lets headers of the request win over the fetcher, and these over the defaults', async () => {
    const own = undiciFetcher({
      userAgent: 'mybot/2.0',
      headers: { Accept: 'text/plain', 'X-From': 'fetcher', 'X-Kept': 'yes' },
    });
    const sent = await echo(server.url('echo'), { headers: { 'x-from': 'request' } }, own);
    expect(valuesOf(sent, 'user-agent')).toEqual(['mybot/2.0']);
    expect(valuesOf(sent, 'accept')).toEqual(['text/plain']);
    expect(valuesOf(sent, 'x-from')).toEqual(['request']);
    expect(valuesOf(sent, 'x-kept')).toEqual(['yes']);
    own.close();
  });

  it('sends method and body, text as UTF-8', async () => {
    const sent = await echo(server.url('echo'), { method: 'POST', body: 'grüße' });
    expect(sent).toMatchObject({ method: 'POST', body: 'grüße' });
    expect(valuesOf(sent, 'content-length')).toEqual(['7']);
    const bytes = await echo(server.url('echo'), { method: 'put', body: Buffer.from('bytes') });
    expect(bytes).toMatchObject({ method: 'PUT', body: 'bytes' });
  });

  it('goes to the host of the URL, whatever the path begins with', async () => {
    const target = '//evil.example/echo';
    const before = server.log.requests.length;
    await fetchOnce(fetcher, `http://127.0.0.1:${server.port}${target}`);
    expect(server.log.requests[before]!.target).toBe(target);
    expect(new Map(server.log.requests[before]!.headers).get('host')).toBe(
      `127.0.0.1:${server.port}`,
    );
  });

  it('keeps query and escapes as they are', async () => {
    const target = '/echo/a%2Fb;c?q=%20+&r=ä';
    const sent = await echo(`http://127.0.0.1:${server.port}${target}`);
    expect(sent.target).toBe('/echo/a%2Fb;c?q=%20+&r=%C3%A4');
  });

  it('sends user information as Basic credentials and hides it', async () => {
    const withUser = server.url('basic').replace('//', '//us%C3%A9r:p%40ss@');
    const response = await fetchOnce(fetcher, withUser);
    expect(textOf(response)).toBe(`Basic ${Buffer.from('usér:p@ss').toString('base64')}`);
    expect(response.url).toBe(server.url('basic'));
    const broken = server.url('close-at-once').replace('//', '//user:secret@');
    const error = await failureOf(fetcher, broken);
    expect(`${error.message} ${JSON.stringify(error.detail)}`).not.toMatch(/user|secret/);
  });

  it('prefers an explicit authorization, and takes user information with broken escapes', async () => {
    const url = server.url('basic').replace('//', '//a%zz:b@');
    expect(textOf(await fetchOnce(fetcher, url))).toBe(
      `Basic ${Buffer.from('a%zz:b').toString('base64')}`,
    );
    const options = { headers: { authorization: 'Bearer x' } };
    expect(textOf(await fetchOnce(fetcher, url, options))).toBe('Bearer x');
  });

  it('sends credentials over plain HTTP to this machine only, unless allowed', async () => {
    const url = 'http://user:secret@plain.invalid/';
    const refused = await failureOf(fetcher, url);
    expect(refused.code).toBe('invalid-request');
    expect(refused.message).toContain('plainCredentials');
    expect(refused.message).not.toContain('secret');
    const open = undiciFetcher({ plainCredentials: true, connect: { lookup: noSuchHost } });
    expect(await outcomeOf(open, url)).toBe('dns-not-found');
  });

  it.each<[string, string, RequestOptions]>([
    ['CR LF in a value', 'http://127.0.0.1/', { headers: { a: 'b\r\nc: d' } }],
    ['NUL in a value', 'http://127.0.0.1/', { headers: { a: 'b\0' } }],
    ['a blank in a name', 'http://127.0.0.1/', { headers: { 'a b': 'c' } }],
    ['letters beyond Latin-1', 'http://127.0.0.1/', { headers: { a: '你' } }],
    ['a length of its own', 'http://127.0.0.1/', { headers: { 'content-length': '3' } }],
    [
      'a transfer coding of its own',
      'http://127.0.0.1/',
      { headers: { 'transfer-encoding': 'x' } },
    ],
    ['a tunnel', 'http://127.0.0.1/', { method: 'CONNECT' }],
    ['a method with line ends', 'http://127.0.0.1/', { method: 'GET / HTTP/1.1\r\nA: b' }],
    ['another scheme', 'ftp://127.0.0.1/', {}],
    ['a file', 'file:///etc/passwd', {}],
  ])('is refused with %s', async (_, url, options) => {
    expect((await failureOf(fetcher, url, options)).code).toBe('invalid-request');
  });
});

describe('undiciFetcher: connections', () => {
  it('keeps one connection for requests in a row, also when made from within the answer', async () => {
    const site = await startSite(() => 'page');
    const own = undiciFetcher();
    for (let round = 0; round < 10; round++) await fetchOnce(own, site.url('/'));
    await new Promise<void>((resolve, reject) => {
      let left = 20;
      const next = (): void => {
        if (left-- === 0) resolve();
        else own(request(site.url('/'))).subscribe({ complete: next, error: reject });
      };
      next();
    });
    expect(site.log.opened).toBe(1);
    expect(site.log.requests).toHaveLength(30);
    own.close();
    await site.until(() => site.log.closed === 1);
    await site.close();
  });

  it('is cold, and makes one request for each subscription', async () => {
    const site = await startSite(() => 'page');
    const own = undiciFetcher();
    const page$ = own(request(site.url('/')));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(site.log.opened).toBe(0);
    await Promise.all([lastValueFrom(page$), lastValueFrom(page$)]);
    expect(site.log.requests).toHaveLength(2);
    own.close();
    await site.close();
  });

  it('works again after close, and close lets running fetches end', async () => {
    const site = await startSite(() => ({ body: 'page', delayMs: 30 }));
    const own = undiciFetcher();
    own.close();
    const running = fetchOnce(own, site.url('/'));
    await site.until(() => site.log.requests.length === 1);
    own.close();
    own.close();
    expect(textOf(await running)).toBe('page');
    expect(textOf(await fetchOnce(own, site.url('/')))).toBe('page');
    expect(site.log.opened).toBe(2);
    own.close();
    await site.close();
  });

  it('never closes a dispatcher that was passed in', async () => {
    const site = await startSite(() => 'page');
    const agent = new Agent();
    const borrowed = undiciFetcher({ dispatcher: agent });
    await fetchOnce(borrowed, site.url('/'));
    borrowed.close();
    expect(agent.closed).toBe(false);
    expect(textOf(await fetchOnce(borrowed, site.url('/')))).toBe('page');
    await agent.close();
    expect(await outcomeOf(borrowed, site.url('/'))).toBe('aborted');
    await site.close();
  });

  it('takes a dispatcher for each request, also a MockAgent', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    mock.get('http://mock.example').intercept({ path: '/a' }).reply(200, 'mocked');
    const mocked = undiciFetcher({ dispatcher: () => mock });
    expect(textOf(await fetchOnce(mocked, 'http://mock.example/a'))).toBe('mocked');
    expect(await outcomeOf(mocked, 'http://mock.example/b')).toBe('network-error');
    await mock.close();
  });

  it('never gives an unasked answer to the next request', async () => {
    const site = await startFaultServer();
    const own = undiciFetcher();
    for (let round = 0; round < 10; round++) {
      const response = await fetchOnce(own, site.url(`unasked-answer?ms=${round % 3}&r=${round}`));
      expect(textOf(response)).toBe('asked');
      // One that comes when the next request is on its way already could be told by nobody.
      await vi.waitFor(() => expect(site.log.connections[round]?.closedAt).toBeDefined());
    }
    expect(textOf(await fetchOnce(own, site.url('two-answers')))).toBe('first');
    expect(textOf(await fetchOnce(own, site.url('ok')))).toBe('<p>ok</p>');
    own.close();
    await site.close();
  });

  it('survives a kept connection that is closed just as the next request comes', async () => {
    const site = await startFaultServer();
    const own = undiciFetcher();
    expect(await outcomeOf(own, site.url('close-on-reuse'))).toBe('200 5');
    expect(await outcomeOf(own, site.url('close-on-reuse'))).toMatch(
      /^(?:empty-reply|connection-reset)$/,
    );
    expect(await outcomeOf(own, site.url('close-on-reuse'))).toBe('200 5');
    own.close();
    await site.close();
  });

  it.each([
    ['half-close', '200 10'],
    ['half-close?length=10', '200 10'],
    ['half-close?length=1000', 'truncated'],
    ['half-close?length=0', '200 0'],
  ])(
    'closes its side of a connection that the server has half closed: %s',
    async (path, outcome) => {
      const site = await startFaultServer();
      const own = undiciFetcher();
      expect(await outcomeOf(own, site.url(path))).toBe(outcome);
      await site.until(() => site.log.connections[0]?.closedAt !== undefined, 500);
      expect(await outcomeOf(own, site.url('ok'))).toBe('200 9');
      own.close();
      await site.close();
    },
  );

  it('asks anew where the server says that it closes and does not', async () => {
    const site = await startFaultServer();
    const own = undiciFetcher();
    for (let round = 0; round < 3; round++) await fetchOnce(own, site.url('close-ignored'));
    expect(site.log.connections).toHaveLength(3);
    own.close();
    await site.close();
  });

  it('closes the connection at the server when unsubscribed, at any moment', async () => {
    const site = await startFaultServer();
    const own = undiciFetcher();
    const latencies: number[] = [];
    for (const behaviour of [
      'silent',
      'drip-head?ms=5',
      'stall',
      'drip-body?ms=5',
      'endless-body',
    ]) {
      const seen = site.log.connections.length;
      const emitted: unknown[] = [];
      const subscription = own(request(site.url(behaviour))).subscribe({
        next: (value) => emitted.push(value),
        error: (error: unknown) => emitted.push(error),
      });
      await site.until(() => site.log.requests.length === seen + 1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      subscription.unsubscribe();
      const at = performance.now();
      await site.until(() => site.log.connections[seen]!.closedAt !== undefined);
      latencies.push(site.log.connections[seen]!.closedAt! - at);
      expect(emitted).toEqual([]);
    }
    expect(latencies.sort((a, b) => a - b)[2]).toBeLessThan(50);
    // undici would open a new connection for each that was cancelled.
    expect(site.log.connections).toHaveLength(5);
    await site.close();
  });

  it('leaves nothing behind when unsubscribed at 100 random moments', async () => {
    const site = await startSite(() => ({ body: 'x'.repeat(20_000), delayMs: 2 }));
    const own = undiciFetcher();
    let late = 0;
    for (let round = 0; round < 100; round++) {
      const subscription = new Subscription();
      for (let n = 0; n < 3; n++) {
        subscription.add(
          own(request(site.url(`/${round}/${n}`))).subscribe(() => {
            if (subscription.closed) late++;
          }),
        );
      }
      const turns = round % 12;
      for (let turn = 0; turn < turns; turn++) await new Promise((r) => setImmediate(r));
      subscription.unsubscribe();
    }
    own.close();
    await until(() => site.log.closed === site.log.opened, 1_000);
    expect(late).toBe(0);
    await site.close();
  });
});

describe('undiciFetcher: reaching the server', () => {
  it('refused', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const error = await failureOf(fetcher, `http://127.0.0.1:${port}/secret?token=1`);
    expect(error.code).toBe('connection-refused');
    expect(error.message).toBe(`127.0.0.1:${port}: the connection was refused (ECONNREFUSED)`);
  });

  it('closed before any request', async () => {
    const site = await startFaultServer({ onConnection: (socket) => !!socket.destroy() });
    expect(await outcomeOf(fetcher, site.url('ok'))).toMatch(/^(?:empty-reply|connection-reset)$/);
    await site.close();
  });

  it.each([
    ['close-at-once', 'empty-reply'],
    ['close-in-head', 'truncated'],
    ['close-in-body', 'truncated'],
    ['reset-after-request', 'connection-reset'],
    ['reset-in-head', 'connection-reset'],
    ['reset-in-body', 'connection-reset'],
    ['reset-in-open-body', 'connection-reset'],
  ])('%s: %s', async (behaviour, code) => {
    const own = undiciFetcher();
    expect((await failureOf(own, server.url(behaviour))).code).toBe(code);
    own.close();
  });

  it('gives the answer that came before the request was whole', async () => {
    const own = undiciFetcher();
    const body = 'x'.repeat(5_000_000);
    expect(await outcomeOf(own, server.url('answer-early'), { method: 'POST', body })).toMatch(
      /^(?:413 8|connection-reset)$/,
    );
    own.close();
  });

  it.each<[string, Partial<NodeJS.ErrnoException>, string]>([
    ['no such name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'dns-not-found'],
    ['try again', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, 'dns-failed'],
    ['server failure', { code: 'ESERVFAIL', syscall: 'queryA' }, 'dns-failed'],
    ['a name server that refuses', { code: 'ECONNREFUSED', syscall: 'queryA' }, 'dns-failed'],
    ['a name server that is late', { code: 'ETIMEOUT', syscall: 'queryA' }, 'timeout-dns'],
  ])('lookup: %s', async (_, properties, code) => {
    const lookup: LookupFunction = (_host, _options, done) =>
      setImmediate(() => done(Object.assign(new Error('lookup'), properties), ''));
    const own = undiciFetcher({ connect: { lookup } });
    expect((await failureOf(own, 'http://name.invalid/')).code).toBe(code);
  });

  it('hands on the refusal of a lookup', async () => {
    const refusal = new RequestRefused('address', 'private');
    const lookup: LookupFunction = (_host, _options, done) => setImmediate(() => done(refusal, ''));
    const own = undiciFetcher({ connect: { lookup } });
    await expect(fetchOnce(own, 'http://name.invalid/')).rejects.toBe(refusal);
  });

  it('connects to what the lookup says, by whichever address answers', async () => {
    const asked: string[] = [];
    const lookup: LookupFunction = (host, _options, done) => {
      asked.push(host);
      // Nobody listens on the first one.
      done(null, [
        { address: '127.0.0.9', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    };
    const own = undiciFetcher({ connect: { lookup } });
    const response = await fetchOnce(own, `http://site.invalid:${server.port}/ok`);
    expect(response.status).toBe(200);
    expect(asked).toEqual(['site.invalid']);
    own.close();
  });
});

describe('undiciFetcher: options', () => {
  it.each<[string, unknown, ErrorConstructor, RegExp]>([
    ['a name that is misspelt', { maxBodySize: 1 }, TypeError, /unknown option "maxBodySize"/],
    ['a limit below 1', { timeouts: { total: 0 } }, RangeError, /timeouts: total.*got 0/],
    ['a limit that is no number', { timeouts: { idle: '5s' } }, TypeError, /timeouts: idle.*"5s"/],
    ['a limit that is NaN', { timeouts: { connect: Number.NaN } }, RangeError, /timeouts: connect/],
    ['a limit unknown', { timeouts: { header: 5 } }, TypeError, /unknown option "header"/],
    ['a negative size', { maxBodyBytes: -1 }, RangeError, /maxBodyBytes.*got -1/],
    ['half a line', { maxHeaderLines: 1.5 }, RangeError, /maxHeaderLines.*whole/],
    ['no rate', { minRate: {} }, TypeError, /bytesPerSecond/],
    ['no product token', { userAgent: '(none)' }, TypeError, /userAgent.*product token/],
    ['an empty user agent', { userAgent: '' }, TypeError, /userAgent/],
    ['a user agent of two lines', { userAgent: 'a/1\r\nb: c' }, TypeError, /userAgent.*U\+000D/],
    ['a header of two lines', { headers: { a: 'secret\nx' } }, TypeError, /header "a".*U\+000A/],
    ['a header with NUL', { headers: { a: '\0' } }, TypeError, /U\+0000/],
    ['a header name with a blank', { headers: { 'a b': 'c' } }, TypeError, /header name "a b"/],
    ['a header of the connection', { headers: { Connection: 'close' } }, TypeError, /"Connection"/],
    [
      'a header that is a number',
      { headers: { a: 1 } },
      TypeError,
      /expected a string, got number/,
    ],
    ['a dispatcher that is none', { dispatcher: {} }, TypeError, /dispatcher.*undici/],
    [
      'connect beside dispatcher',
      { dispatcher: new MockAgent(), connect: {} },
      TypeError,
      /connect/,
    ],
    ['a lookup that is none', { connect: { lookup: 1 } }, TypeError, /connect: lookup/],
    ['a URL as a host', { insecureHosts: ['https://a.example/'] }, TypeError, /insecureHosts/],
    [
      'one host as text',
      { insecureHosts: 'a.example' },
      TypeError,
      /insecureHosts: expected a list/,
    ],
    ['truncate as text', { truncate: 'yes' }, TypeError, /truncate: expected true or false/],
  ])('refuses %s', (_, options, type, message) => {
    const make = (): unknown => undiciFetcher(options as UndiciFetcherOptions);
    expect(make).toThrow(type);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/secret/);
  });

  it('takes Infinity for no limit', async () => {
    const endless = { connect: Infinity, headers: Infinity, idle: Infinity, total: Infinity };
    const own = undiciFetcher({ timeouts: endless, maxBodyBytes: Infinity });
    const response: FetchedResponse = await fetchOnce(own, server.url('ok'));
    expect(response.status).toBe(200);
    own.close();
  });
});

const noSuchHost: LookupFunction = (_host, _options, done) =>
  setImmediate(() =>
    done(Object.assign(new Error('no'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), ''),
  );

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64url');
}
