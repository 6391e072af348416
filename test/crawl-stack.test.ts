import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, of, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CookieJar,
  crawl,
  type CrawlEvent,
  type CrawlOptions,
  diskCache,
  type FetchedResponse,
  type Page,
  type PageEvent,
  isTerminal,
} from '../src/index.js';
import { briefFrom, runToEnd, timeline, virtualSite } from '../src/testing/index.js';
import { startFaultServer } from './servers/fault-server.js';
import { startHttp2Server } from './servers/http2-server.js';
import { startProxy } from './servers/proxy-server.js';
import {
  type SitePage,
  type SitePages,
  startSite,
  type SiteServer,
} from './servers/site-server.js';
import { AUTHORITY, startTlsServer } from './servers/tls-server.js';

const link = (href: string): string => `<!doctype html><a href="${href}">x</a>`;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const kept = <T extends { close(): unknown }>(value: T): T => {
  open.push(value);
  return value;
};
const site = async (pages: SitePages): Promise<SiteServer> => kept(await startSite(pages));

const run = (
  options: CrawlOptions<never>,
  ...seeds: string[]
): Promise<CrawlEvent<never, Page>[]> =>
  lastValueFrom(crawl({ delay: 0, jitter: 0, ...options })(seeds).pipe(toArray()));

function endsOf(events: readonly CrawlEvent[]): string[] {
  return events
    .flatMap((event) => {
      if (event.type === 'done') return [`done ${new URL(event.request.url).pathname}`];
      if (event.type === 'failure') return [event.error.code];
      return event.type === 'skip' ? [event.reason] : [];
    })
    .sort();
}

const warnings = (events: readonly CrawlEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
const pagesOf = (events: readonly CrawlEvent<never, Page>[]): Page[] =>
  events.filter((event): event is PageEvent<Page> => event.type === 'page').map(({ page }) => page);

describe('headers of a crawl', () => {
  it('go to every host, but secrets to the origins of seeds alone', async () => {
    const other = await site(() => link('/'));
    const mine = await site(new Map([['/', link(other.url('/from-mine'))]]));
    const headers = { 'X-Team': 'blue', Authorization: 'Bearer s', 'proxy-authorization': 'p' };
    await run({ headers, scope: () => true, maxDepth: 1 }, mine.url('/'));
    for (const { headers: sent } of [...mine.log.requests, ...other.log.requests]) {
      expect(sent).toMatchObject({ 'x-team': 'blue' });
      expect(sent).not.toHaveProperty('proxy-authorization');
    }
    expect(mine.log.requests.map(({ headers: sent }) => sent.authorization)).toEqual([
      'Bearer s',
      'Bearer s',
    ]);
    expect(other.log.requests.length).toBeGreaterThan(1);
    for (const { headers: sent } of other.log.requests) {
      expect(sent).not.toHaveProperty('authorization');
    }
  });

  it('do not come back in a chain of redirects that has left its origin', async () => {
    const back: { url: string } = { url: '' };
    const away = await site((path) =>
      path === '/away' ? { status: 302, headers: { location: back.url } } : undefined,
    );
    const mine = await site((path) => {
      if (path === '/') return { status: 302, headers: { location: away.url('/away') } };
      return path === '/back' ? 'end' : undefined;
    });
    back.url = mine.url('/back');
    const headers = { 'x-api-key': 'k', 'x-team': { value: 'blue', origins: [mine.origin] } };
    await run({ headers, robots: false, scope: () => true }, mine.url('/'));
    const sent = [...mine.log.requests, ...away.log.requests].map(({ path, headers: fields }) => [
      path,
      fields['x-api-key'],
      fields['x-team'],
    ]);
    expect(sent).toEqual([
      ['/', 'k', 'blue'],
      ['/back', undefined, undefined],
      ['/away', undefined, undefined],
    ]);
  });

  it('reach a fetcher of the caller, too', async () => {
    const sent: unknown[] = [];
    const events = await run(
      {
        fetcher: (request) => {
          sent.push({ ...request.headers });
          const { url } = request;
          const body = new Uint8Array();
          return of<FetchedResponse>({
            url,
            status: 200,
            headers: {},
            body,
            redirects: [],
            wireBytes: 0,
          });
        },
        robots: false,
        headers: { 'x-team': 'blue', 'x-token': 't' },
      },
      'http://only-in-this-test.example/',
    );
    expect(sent).toEqual([{ 'x-team': 'blue', 'x-token': 't' }]);
    expect(endsOf(events)).toEqual(['done /']);
  });
});

describe('cookies of a crawl', () => {
  const pages: SitePages = (path) =>
    path === '/' ? { headers: { 'set-cookie': 'sid=1' }, body: link('/next') } : undefined;

  it('are neither kept nor sent unless asked for', async () => {
    const { log, url } = await site(pages);
    await run({}, url('/'));
    expect(log.requests.map(({ headers }) => headers.cookie)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are those of one crawl, or of the jar that was given', async () => {
    const { log, url } = await site(pages);
    const crawling = crawl({ cookies: true, delay: 0, robots: false });
    for (let round = 0; round < 2; round++) await lastValueFrom(crawling(url('/')));
    const jar = new CookieJar();
    for (let round = 0; round < 2; round++) await run({ cookies: jar, robots: false }, url('/'));
    expect(log.requests.map(({ headers }) => headers.cookie)).toEqual([
      ...[undefined, 'sid=1'],
      ...[undefined, 'sid=1'],
      ...[undefined, 'sid=1'],
      ...['sid=1', 'sid=1'],
    ]);
  });

  it('are brought along by a chain of redirects, each of which sets one', async () => {
    const server = kept(await startFaultServer());
    const url = server.url('cookie-hops?n=4');
    expect(endsOf(await run({ retry: () => null }, url))).toEqual(['http-status']);
    const [page] = pagesOf(await run({ cookies: true }, url));
    expect([page?.text, page?.redirects.length]).toEqual(['hop0=1 hop1=1 hop2=1 hop3=1', 4]);
  });

  it('give way to a cookie header', async () => {
    const { log, url } = await site(pages);
    await run({ cookies: true, headers: { cookie: 'mine=1' }, robots: false }, url('/'));
    expect(log.requests.map(({ headers }) => headers.cookie)).toEqual(['mine=1', 'mine=1']);
  });
});

describe('the cache of a crawl', () => {
  const pages = (
    path: string,
    { headers }: { readonly headers: IncomingHttpHeaders },
  ): SitePage | undefined => {
    if (path !== '/' && path !== '/a') return undefined;
    if (headers['if-none-match'] === `"${path}"`) return { status: 304 };
    return { headers: { etag: `"${path}"` }, body: path === '/' ? link('/a') : 'leaf' };
  };

  it('finds the stored links again when nothing has changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rxcrawl-stack-'));
    const { log, url } = await site(pages);
    const options = (): CrawlOptions<never> => ({ cache: { store: diskCache(folder) } });
    expect(pagesOf(await run(options(), url('/'))).map(({ notModified }) => notModified)).toEqual([
      false,
      false,
    ]);
    const second = await run(options(), url('/'));
    expect(endsOf(second)).toEqual(['done /', 'done /a']);
    expect(pagesOf(second).map(({ notModified }) => notModified)).toEqual([true, true]);
    expect(log.requests.slice(-2).map(({ headers }) => headers['if-none-match'])).toEqual([
      '"/"',
      '"/a"',
    ]);
    await rm(folder, { recursive: true });
  });

  it('in memory is shared by the subscriptions of one crawl', async () => {
    const { url } = await site(pages);
    const crawling = crawl({ cache: true, delay: 0, robots: false })(url('/'));
    await lastValueFrom(crawling);
    const again = await lastValueFrom(crawling.pipe(toArray()));
    expect(pagesOf(again).map(({ notModified }) => notModified)).toEqual([true, true]);
  });

  it('loses nothing by an outage', async () => {
    let down = false;
    const { url } = await site((path, request) => (down ? { status: 500 } : pages(path, request)));
    const crawling = crawl({ cache: true, delay: 0, robots: false, retry: () => null })(url('/'));
    await lastValueFrom(crawling);
    down = true;
    expect(endsOf(await lastValueFrom(crawling.pipe(toArray())))).toEqual(['http-status']);
    down = false;
    const after = await lastValueFrom(crawling.pipe(toArray()));
    expect(pagesOf(after).map(({ notModified }) => notModified)).toEqual([true, true]);
  });
});

describe('connections of a crawl', () => {
  it('go through a proxy, robots.txt included', async () => {
    const proxy = kept(await startProxy());
    const { url } = await site(new Map([['/', 'x']]));
    expect(endsOf(await run({ proxy: proxy.origin }, url('/')))).toEqual(['done /']);
    expect(proxy.requests.map(({ target }) => target)).toEqual([url('/robots.txt'), url('/')]);
  });

  it('warn that addresses are not guarded behind a proxy', async () => {
    const proxy = kept(await startProxy());
    const { url } = await site(new Map([['/', 'x']]));
    const events = await run({ proxy: proxy.origin }, url('/'));
    expect(warnings(events)).toEqual(['guard-behind-proxy']);
    const unguarded = await run({ proxy: proxy.origin, addresses: 'off' }, url('/'));
    expect(endsOf(unguarded)).toEqual(['done /']);
  });

  it('check certificates, but for the hosts that are named', async () => {
    const server = kept(await startTlsServer('self-signed'));
    const options = { robots: false, retry: () => null };
    expect(endsOf(await run(options, server.url()))).toEqual(['tls-self-signed']);
    const events = await run({ ...options, insecureHosts: ['127.0.0.1'] }, server.url());
    expect(endsOf(events)).toEqual(['done /']);
    expect(warnings(events)).toEqual(['tls-not-checked']);
  });

  it('speak HTTP/2, trust the authorities that are given', async () => {
    const server = kept(await startHttp2Server());
    const options = { robots: false, http2: true, connect: { ca: AUTHORITY } };
    expect(endsOf(await run(options, `${server.origin}/ok`))).toEqual(['done /ok']);
    expect(server.requests).toHaveLength(1);
  });

  it('do not go to private addresses with public-only, nor to what a redirect names', async () => {
    const { url, log } = await site(() => 'x');
    expect(endsOf(await run({ addresses: 'public-only' }, url('/')))).toEqual(['address']);
    expect(log.opened).toBe(0);
    const allowed = await run(
      { addresses: { mode: 'public-only', allow: ['127.0.0.1'] } },
      url('/'),
    );
    expect(endsOf(allowed)).toEqual(['done /']);
  });

  it('keep the head of what is too large, if told to', async () => {
    const { url } = await site(() => 'x'.repeat(5_000));
    const options = { robots: false, maxBodyBytes: 1_000 };
    expect(endsOf(await run(options, url('/')))).toEqual(['too-large']);
    const [page] = pagesOf(await run({ ...options, truncate: true }, url('/')));
    expect([page?.bytes.length, page?.truncated]).toEqual([1_000, true]);
  });

  it('are closed when the crawl ends', async () => {
    const { url, log, until } = await site(() => 'x');
    await run({ addresses: { allow: ['127.0.0.1'] } }, url('/'));
    await until(() => log.closed === log.opened);
  });
});

describe('a seed that redirects out of the scope', () => {
  it('is a warning that names where it led', async () => {
    const { url } = await site(() => ({
      status: 301,
      headers: { location: 'https://moved.example/' },
    }));
    const events = await run({ robots: false }, url('/'));
    expect(endsOf(events)).toEqual(['redirect-out-of-scope']);
    expect(events.find(({ type }) => type === 'warning')).toMatchObject({
      code: 'seed-redirected',
      message: expect.stringContaining('https://moved.example/') as string,
    });
  });

  it('is none for pages that were found, nor within the scope', async () => {
    const { url } = await site((path) => {
      if (path === '/') return { status: 302, headers: { location: '/start' } };
      if (path === '/start') return link('/out');
      return { status: 301, headers: { location: 'https://moved.example/' } };
    });
    const events = await run({ robots: false }, url('/'));
    expect(endsOf(events)).toEqual(['done /', 'redirect-out-of-scope']);
    expect(warnings(events)).toEqual([]);
  });
});

describe('options of the stack', () => {
  it.each<[object, RegExp]>([
    [{ cookies: 'yes' }, /crawl: cookies: expected true, false or a CookieJar/],
    [{ proxy: 'socks5://p.example' }, /proxy: expected a URL such as .*scheme "socks5:"/],
    [{ http2: 1 }, /http2: expected true or false, got 1/],
    [{ insecureHosts: 'a.example' }, /insecureHosts: expected a list, got/],
    [{ cache: { mode: 'never' } }, /httpCache: mode: expected/],
    [{ cache: { store: 1 } }, /httpCache: store: expected an object/],
    [{ addresses: 'private' }, /addressGuard: mode: expected .*public-only/],
    [{ headers: { 'x-key': 'a\r\nb: c' } }, /x-key/],
    [{ headers: { 'x-a': 'a\0' } }, /x-a/],
    [{ headers: { 'x-key': { value: 'a', origins: ['a.example'] } } }, /expected an origin/],
    [{ userAgent: '(no token)' }, /userAgent: expected .*product token/],
    [{ minRate: {} }, /minRate: bytesPerSecond: expected a number above 0/],
    [{ truncate: 'yes' }, /truncate: expected true or false/],
    [
      { fetcher: () => of(), proxy: 'http://p.example' },
      /crawl: proxy: has no effect together with fetcher/,
    ],
    [{ fetcher: () => of(), timeouts: {} }, /crawl: timeouts: has no effect together with fetcher/],
  ])('%j is refused at once', (options, message) => {
    expect(() => crawl(options as CrawlOptions<never>)).toThrow(message);
  });
});

describe('a robots.txt that fails once', () => {
  it('is asked for again, and does not deny its site', () => {
    const site = virtualSite('https://a.example', {
      '/robots.txt': { status: [503, 200], body: 'User-agent: *\nDisallow: /no' },
      '/': ['/yes', '/no'],
      '/yes': [],
    });
    const events = runToEnd(
      crawl({ fetcher: site.fetcher, delay: 0, handle: (page) => page.follow() })(
        'https://a.example/',
      ),
    );
    expect(
      timeline(
        events.filter(({ event }) => isTerminal(event)),
        briefFrom('https://a.example/'),
      ).map((line) => line.replace(/^\d+ /, '')),
    ).toEqual(['done /', 'skip /no robots', 'done /yes']);
  });

  it('is not waited for longer than its time allows', () => {
    const site = virtualSite('https://a.example', {
      '/robots.txt': { status: 429, headers: { 'retry-after': '90' } },
    });
    const events = runToEnd(crawl({ fetcher: site.fetcher })('https://a.example/'));
    const last = events.at(-1);
    expect(last?.event).toMatchObject({ type: 'skip', reason: 'robots' });
    expect(last?.at).toBeLessThan(1_000);
    expect(site.requests).toBe(1);
  });
});
