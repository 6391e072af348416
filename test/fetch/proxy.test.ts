import { lastValueFrom } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { type FetchNotice, followRedirects, request } from '../../src/core/index.js';
import { type UndiciFetcherOptions, undiciFetcher } from '../../src/fetch/index.js';
import { until } from '../servers/fault-server.js';
import { type ProxyServer, type ProxyServerOptions, startProxy } from '../servers/proxy-server.js';
import { type SitePages, startSite, type SiteServer } from '../servers/site-server.js';
import { AUTHORITY, authority, startTlsServer, type TlsServer } from '../servers/tls-server.js';
import { failureOf, fetchOnce, outcomeOf, textOf } from './helpers.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const kept = <T extends { close(): unknown }>(value: T): T => {
  open.push(value);
  return value;
};
const proxyServer = async (options?: ProxyServerOptions): Promise<ProxyServer> =>
  kept(await startProxy(options));
const site = async (pages: SitePages): Promise<SiteServer> => kept(await startSite(pages));
const tlsSite = async (fault: Parameters<typeof startTlsServer>[0]): Promise<TlsServer> =>
  kept(await startTlsServer(fault));
const fetcherWith = (options: UndiciFetcherOptions): ReturnType<typeof undiciFetcher> =>
  kept(undiciFetcher({ connect: { ca: AUTHORITY }, ...options }));

describe('requests through a proxy', () => {
  it('send the whole URL for http, on kept connections', async () => {
    const proxy = await proxyServer();
    const { origin, log } = await site(new Map([['//a?b=1', 'hello']]));
    const fetcher = fetcherWith({ proxy: proxy.origin });
    for (let round = 0; round < 3; round++) {
      const response = await fetchOnce(fetcher, `${origin}//a?b=1`);
      expect([response.status, textOf(response), response.url]).toEqual([
        200,
        'hello',
        `${origin}//a?b=1`,
      ]);
    }
    expect(proxy.requests[0]).toMatchObject({ method: 'GET', target: `${origin}//a?b=1` });
    expect(log.requests[0]?.headers.host).toBe(new URL(origin).host);
    expect(proxy.connections.made).toBe(1);
  });

  it('make a tunnel for https, and check certificates in it', async () => {
    const proxy = await proxyServer();
    const good = await tlsSite('good');
    const bad = await tlsSite('self-signed');
    const fetcher = fetcherWith({ proxy: proxy.origin });
    expect(await outcomeOf(fetcher, good.url())).toBe('200 2');
    expect(await outcomeOf(fetcher, good.url())).toBe('200 2');
    expect(await outcomeOf(fetcher, bad.url())).toBe('tls-self-signed');
    expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      `CONNECT 127.0.0.1:${good.port}`,
      `CONNECT 127.0.0.1:${bad.port}`,
    ]);
    const lax = fetcherWith({ proxy: proxy.origin, insecureHosts: ['127.0.0.1'] });
    expect(await outcomeOf(lax, bad.url())).toBe('200 2');
  });

  it('tunnel through a proxy that speaks TLS itself, whose certificate is checked', async () => {
    const proxy = await proxyServer({ issuer: authority });
    const { origin } = await site(new Map([['/', 'plain']]));
    const server = await tlsSite('good');
    const fetcher = fetcherWith({ proxy: proxy.origin });
    expect(await outcomeOf(fetcher, server.url())).toBe('200 2');
    expect(await outcomeOf(fetcher, `${origin}/`)).toBe('200 5');
    const error = await failureOf(kept(undiciFetcher({ proxy: proxy.origin })), server.url());
    expect(error.code).toBe('proxy-failed');
    expect(error.message).toContain(new URL(proxy.origin).host);
  });

  it('know the host only by its name: the proxy looks it up', async () => {
    const { origin } = await site(new Map([['/', 'inside']]));
    const proxy = await proxyServer({ leadsTo: Number(new URL(origin).port) });
    const fetcher = fetcherWith({ proxy: proxy.origin });
    expect(textOf(await fetchOnce(fetcher, 'http://only-the-proxy-knows.example/'))).toBe('inside');
  });

  it('are chosen anew for each hop, and those of no proxy go straight', async () => {
    const [first, second] = [await proxyServer(), await proxyServer()];
    const pages = new Map([
      ['/a', { status: 302, headers: { location: '/b' } }],
      ['/b', { status: 302, headers: { location: '/c' } }],
    ]);
    const { origin } = await site((path) => pages.get(path) ?? 'end');
    const proxyOf: Record<string, string> = { '/a': first.origin, '/b': second.origin };
    const fetcher = followRedirects()(
      fetcherWith({ proxy: ({ url }) => proxyOf[new URL(url).pathname] }),
    );
    expect(await outcomeOf(fetcher, `${origin}/a`)).toBe('200 3');
    expect(first.requests.map(({ target }) => target)).toEqual([`${origin}/a`]);
    expect(second.requests.map(({ target }) => target)).toEqual([`${origin}/b`]);
  });

  it('are chosen by the environment only on demand', async () => {
    const before = process.env['http_proxy'];
    const proxy = await proxyServer();
    const { origin } = await site(new Map([['/', 'x']]));
    process.env['http_proxy'] = proxy.origin;
    try {
      await fetchOnce(fetcherWith({}), `${origin}/`);
      expect(proxy.requests).toHaveLength(0);
      await fetchOnce(fetcherWith({ proxy: 'env' }), `${origin}/`);
      expect(proxy.requests).toHaveLength(1);
    } finally {
      if (before === undefined) delete process.env['http_proxy'];
      else process.env['http_proxy'] = before;
    }
  });
});

describe('credentials of a proxy', () => {
  it.each(['http', 'https'])('reach the proxy and no %s site', async (scheme) => {
    const proxy = await proxyServer({ credentials: 'me:secret' });
    const plain = await site(new Map([['/', 'ok']]));
    const secure = await tlsSite('good');
    const url = scheme === 'http' ? plain.url('/') : secure.url();
    const fetcher = fetcherWith({
      proxy: proxy.withCredentials('me:secret'),
      headers: { 'proxy-authorization': 'of the user' },
    });
    expect(await outcomeOf(fetcher, url)).toBe('200 2');
    expect(proxy.requests[0]?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('me:secret').toString('base64')}`,
    );
    for (const { headers } of plain.log.requests) {
      expect(headers).not.toHaveProperty('proxy-authorization');
    }
    // Without a proxy neither goes anywhere.
    await fetchOnce(fetcherWith({ headers: { 'proxy-authorization': 'x' } }), plain.url('/'));
    expect(plain.log.requests.at(-1)?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('reach no other proxy', async () => {
    const first = await proxyServer({ credentials: 'me:secret' });
    const second = await proxyServer();
    const { origin } = await site(() => 'ok');
    const fetcher = fetcherWith({
      proxy: ({ url }) => (url.endsWith('/1') ? first.withCredentials('me:secret') : second.origin),
    });
    await fetchOnce(fetcher, `${origin}/1`);
    await fetchOnce(fetcher, `${origin}/2`);
    expect(second.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it.each(['http', 'https'])(
    'that are wrong fail %s requests, and are not shown',
    async (scheme) => {
      const proxy = await proxyServer({ credentials: 'me:right' });
      const { origin } = await site(() => 'ok');
      const url = scheme === 'http' ? origin : 'https://127.0.0.1:1/';
      const error = await failureOf(
        fetcherWith({ proxy: proxy.withCredentials('me:secret') }),
        url,
      );
      expect(error).toMatchObject({ code: 'proxy-failed', detail: { 'proxy-status': 407 } });
      expect(error.message).not.toContain('secret');
    },
  );
});

describe('a proxy that fails', () => {
  it.each<[ProxyServerOptions['fault'], string, string]>([
    ['refuses', 'https://a.example/', 'proxy-failed'],
    ['cuts', 'https://a.example/', 'proxy-failed'],
    ['silent', 'https://a.example/', 'proxy-failed'],
    ['cuts', 'http://a.example/', 'empty-reply'],
    ['silent', 'http://a.example/', 'timeout-headers'],
  ])('%s: %s gives %s', async (fault, url, code) => {
    const proxy = await proxyServer({ fault });
    const fetcher = fetcherWith({ proxy: proxy.origin, timeouts: { connect: 200, headers: 200 } });
    expect(await outcomeOf(fetcher, url)).toBe(code);
    await until(() => proxy.connections.open === 0, 500);
  });

  it.each(['http://a.example/', 'https://a.example/'])('is not there: %s', async (url) => {
    const proxy = await startProxy();
    await proxy.close();
    const error = await failureOf(fetcherWith({ proxy: proxy.origin }), url);
    expect(error.code).toBe('proxy-failed');
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('is given up in the same tick when nobody waits any more', async () => {
    const proxy = await proxyServer({ fault: 'silent' });
    const subscription = fetcherWith({ proxy: proxy.origin })(
      request('https://a.example/'),
    ).subscribe();
    await until(() => proxy.requests.length === 1);
    subscription.unsubscribe();
    await until(() => proxy.connections.open === 0, 500);
    expect(proxy.connections.made).toBe(1);
  });
});

describe('the option proxy', () => {
  it.each([
    ['socks5://proxy.example', 'one with the scheme "socks5:"'],
    ['ftp://me:secret@proxy.example', 'one with the scheme "ftp:"'],
    ['proxy.example', 'got "proxy.example"'],
    [7, 'got number'],
  ])('refuses %j', (proxy, message) => {
    const make = (): unknown => undiciFetcher({ proxy } as UndiciFetcherOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow('undiciFetcher: proxy: expected a URL such as');
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret');
  });

  it('fails the request for which a function gives no URL of a proxy', async () => {
    const fetcher = fetcherWith({ proxy: () => 'socks5://me:secret@x.example' });
    const error = await failureOf(fetcher, 'http://a.example/');
    expect(error.code).toBe('invalid-request');
    expect(error.message).not.toContain('secret');
  });

  it('keeps connections to a bounded number of proxies', async () => {
    const proxy = await proxyServer();
    const { origin } = await site(() => 'ok');
    let round = 0;
    const fetcher = fetcherWith({ proxy: () => proxy.withCredentials(`user${round}:x`) });
    for (; round < 70; round++) await fetchOnce(fetcher, origin);
    await until(() => proxy.connections.open <= 64);
    fetcher.close();
    await until(() => proxy.connections.open === 0);
    expect(proxy.connections.made).toBe(70);
  });

  it('warns once that a guard of addresses does not see through a proxy', async () => {
    const proxy = await proxyServer();
    const { origin } = await site(() => 'ok');
    const notices: FetchNotice[] = [];
    const context = { attempt: 1, notify: (notice: FetchNotice) => void notices.push(notice) };
    const fetcher = fetcherWith({
      proxy: proxy.origin,
      connect: { lookup: (_host, _options, done) => done(new Error('not asked'), '') },
    });
    for (let round = 0; round < 2; round++) {
      await lastValueFrom(fetcher(request(origin), context));
    }
    expect(notices).toMatchObject([{ type: 'warning', code: 'guard-behind-proxy' }]);
  });
});
