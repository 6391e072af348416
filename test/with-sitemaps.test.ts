import { ignoreElements, lastValueFrom, of, tap, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlEvent,
  type CrawlOptions,
  not,
  queued,
  type Seeds,
  simple,
  urlMatches,
} from '../src/index.js';
import {
  type SitePage,
  type SitePages,
  type SiteServer,
  startSite,
} from './servers/site-server.js';

const MAPS = 20;
const PAGES = 10;
const PLAIN = { handle: () => undefined, delay: 0 };

const xml = (body: string | Uint8Array): SitePage => ({
  headers: { 'content-type': 'text/xml' },
  body,
});
const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** An index of 20 sitemaps with 10 pages each; the index is named by robots.txt. */
const bigSite: SitePages = (path) => {
  if (path === '/robots.txt') {
    return {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nSitemap: /index.xml',
    };
  }
  if (path === '/index.xml') {
    return xml(
      `<sitemapindex>${range(MAPS)
        .map((n) => `<sitemap><loc>/map-${n}</loc></sitemap>`)
        .join('')}</sitemapindex>`,
    );
  }
  const map = /^\/map-(\d+)$/.exec(path)?.[1];
  if (map !== undefined) {
    return xml(
      `<urlset>${range(PAGES)
        .map((n) => `<url><loc>/page-${map}-${n}</loc></url>`)
        .join('')}</urlset>`,
    );
  }
  return { headers: { 'content-type': 'text/html' }, body: '<title>A page</title>' };
};

let site: SiteServer;
afterEach(() => site.close());

function run(options: CrawlOptions<never>, seeds: Seeds = site.url('/')): Promise<CrawlEvent[]> {
  return lastValueFrom(crawl({ ...PLAIN, ...options })(seeds).pipe(toArray()));
}

const asked = (): string[] => site.log.requests.map(({ path }) => path);
const askedPages = (): string[] => asked().filter((path) => path.startsWith('/page-'));
const fetched = (events: readonly CrawlEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'page' ? [new URL(event.page.url).pathname] : []));

describe.each([
  ['simple', simple(4)],
  ['queued', queued(4)],
])('a crawl with the sitemaps of its site, %s', (_name, strategy) => {
  it('fetches pages before the last sitemap has come, and each page once', async () => {
    site = await startSite(bigSite);
    const events = await run({ strategy, sitemaps: true, seedLookahead: 8 });
    expect(new Set(askedPages()).size).toBe(MAPS * PAGES);
    expect(askedPages()).toHaveLength(MAPS * PAGES);
    expect(fetched(events)).toHaveLength(1 + MAPS * PAGES);
    const firstPage = site.log.requests.find(({ path }) => path.startsWith('/page-'));
    const lastMap = site.log.requests.findLast(({ path }) => path.startsWith('/map-'));
    expect(firstPage?.endedAt).toBeLessThan(lastMap?.startedAt ?? 0);
    expect(asked().filter((path) => path === '/robots.txt')).toHaveLength(1);
    expect(asked()[1]).toBe('/');
  });

  it('reads no further than its limit of pages', async () => {
    site = await startSite(bigSite);
    const events = await run({ strategy, sitemaps: true, maxPages: 5, seedLookahead: 8 });
    expect(fetched(events)).toHaveLength(5);
    expect(asked().filter((path) => path.startsWith('/map-')).length).toBeLessThan(4);
  });
});

describe('sitemaps of a crawl', () => {
  it('name seeds that scope and robots.txt count for', async () => {
    const names = ['/a', '/no/b', '/logout', 'https://elsewhere.example/', '/c'];
    site = await startSite((path) => {
      if (path === '/robots.txt') {
        return { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no/' };
      }
      if (path !== '/sitemap.xml') return { body: '' };
      return xml(
        `<urlset>${names.map((name) => `<url><loc>${name}</loc></url>`).join('')}</urlset>`,
      );
    });
    const events = await run({ sitemaps: true, scope: not(urlMatches('/logout')) });
    expect(fetched(events)).toEqual(['/', '/a', '/c']);
    const skips = events.flatMap((event) =>
      event.type === 'skip' ? [`${event.reason} ${new URL(event.url).pathname}`] : [],
    );
    expect(skips.sort()).toEqual(['robots /no/b', 'scope /logout']);
    expect(asked()).not.toContain('/no/b');
  });

  it('may be given, for seeds that push as well as for none', async () => {
    site = await startSite(bigSite);
    const pushed = await run({ sitemaps: site.url('/map-3') }, of(site.url('/')));
    expect(fetched(pushed).sort()).toEqual(['/', ...range(PAGES).map((n) => `/page-3-${n}`)]);
    const none = await run({ sitemaps: [site.url('/map-1'), new URL(site.url('/map-2'))] }, []);
    expect(fetched(none)).toHaveLength(2 * PAGES);
  });

  it('are found by a robots.txt that is not obeyed', async () => {
    site = await startSite(bigSite);
    const events = await run({ sitemaps: true, robots: false, maxPages: 20 });
    expect(fetched(events)).toHaveLength(20);
    expect(asked().filter((path) => path === '/robots.txt')).toHaveLength(1);
  });

  it('cost a warning where they are broken', async () => {
    site = await startSite((path) => {
      if (path === '/robots.txt') return 'Sitemap: /gone.xml\nSitemap: /cut.xml';
      if (path === '/gone.xml') return { status: 404 };
      return path === '/cut.xml'
        ? xml('<urlset><url><loc>/a</loc></url><url><loc>/b')
        : { body: '' };
    });
    const events = await run({ sitemaps: true });
    expect(fetched(events)).toEqual(['/', '/a']);
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event] : []));
    expect(warnings.map(({ code }) => code)).toContain('sitemap-http-status');
    expect(warnings[0]?.message).toMatch(/\/gone\.xml: answered with 404$/);
  });

  it('may be longer than a page, up to the limit of the protocol, without keeping what was read', async () => {
    const ENTRIES = 45_000;
    const entry = (n: number) => `<url><loc>/page-0-${n}?${'x'.repeat(640)}</loc></url>`;
    const map = Buffer.from(`<urlset>${range(ENTRIES).map(entry).join('')}</urlset>`);
    expect(map.length).toBeGreaterThan(30_000_000);
    site = await startSite((path) => (path === '/sitemap.xml' ? xml(map) : { body: '' }));
    const before = process.memoryUsage();
    let most = 0;
    let named = 0;
    const warnings: CrawlEvent[] = [];
    await lastValueFrom(
      crawl({
        ...PLAIN,
        sitemaps: true,
        maxPages: 200,
        traps: false,
        maxUrlLength: 600,
      })(site.url('/')).pipe(
        tap((event) => {
          if (event.type === 'skip') {
            named += 1;
            if (named % 1000 === 0) {
              const { heapUsed, arrayBuffers } = process.memoryUsage();
              most = Math.max(
                most,
                heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers,
              );
            }
          } else if (event.type === 'warning') warnings.push(event);
        }),
        ignoreElements(),
      ),
      { defaultValue: undefined },
    );
    expect(warnings).toEqual([]);
    expect(named).toBe(ENTRIES);
    // The document is there as bytes here, on its way, and there; its URLs, once.
    expect(Math.round(most / 1e6)).toBeLessThan(150);
  }, 30_000);

  it('let a crawl be left while one is on its way', async () => {
    site = await startSite((path) =>
      path === '/sitemap.xml' ? { body: '', delayMs: 60_000 } : { status: 404 },
    );
    const subscription = crawl({ ...PLAIN, sitemaps: true, retry: () => null })(
      site.url('/'),
    ).subscribe();
    await site.until(() => asked().includes('/sitemap.xml'));
    subscription.unsubscribe();
    await site.until(() => site.log.closed === site.log.opened);
  });

  it('are refused at once where they are no URLs', async () => {
    site = await startSite(new Map());
    expect(() => crawl({ sitemaps: 'sitemap.xml' })).toThrow(/sitemaps: expected absolute http/);
    expect(() => crawl({ sitemaps: ['ftp://h.example/'] })).toThrow(TypeError);
  });
});
