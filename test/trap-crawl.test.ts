import { lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlEvent,
  type CrawlOptions,
  type Fetcher,
  not,
  sameDomain,
  type TrapOptions,
  urlMatches,
} from '../src/index.js';
import { real, REAL_PAGES, siteAt, TRAPS, type TrapSite } from './url/trap-sites.js';

const NOW = Date.UTC(2026, 0, 1);

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** A page of HTML with these links. */
function page(links: readonly string[], text = ''): Answer {
  const list = links.map((href) => `<li><a href="${href.replaceAll('"', '%22')}">x</a>`);
  return { body: `<!doctype html><title>A page</title><p>${text}</p><ul>${list.join('')}</ul>` };
}

/** A web in memory: what each URL is answered with, and what was asked of it. */
function web(answer: (url: URL) => Answer | undefined): { fetcher: Fetcher; asked: string[] } {
  const asked: string[] = [];
  const fetcher: Fetcher = ({ url }) => {
    if (!url.endsWith('/robots.txt')) asked.push(url);
    const { status = 200, headers, body = '' } = answer(new URL(url)) ?? { status: 404 };
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return of({
      url,
      status,
      headers: headers ?? { 'content-type': 'text/html; charset=utf-8' },
      body: bytes,
      redirects: [],
      wireBytes: bytes.length,
    });
  };
  return { fetcher, asked };
}

function run(
  fetcher: Fetcher,
  seed: string,
  options: CrawlOptions<never> = {},
): Promise<CrawlEvent[]> {
  const settings = {
    traps: { now: () => NOW, sameContent: 5 },
    delay: 0,
    perHost: Infinity,
    retry: () => null,
  };
  return lastValueFrom(crawl({ fetcher, ...settings, ...options })(seed).pipe(toArray()));
}

function rules(events: readonly CrawlEvent[]): string[] {
  const details = events.flatMap((event) =>
    event.type === 'skip' && event.reason === 'trap' ? [String(event.detail)] : [],
  );
  return [...new Set(details)];
}

/** Crawls one trap site as it is served: as HTML, by the whole stack. */
async function enter(
  id: string,
  traps: TrapOptions = {},
  options: CrawlOptions<never> = {},
): Promise<{ readonly asked: string[]; readonly refusedBy: string[] }> {
  const site = TRAPS.find((one) => one.id === id) as TrapSite;
  const { fetcher, asked } = web((url) => page(site.links(url), site.text?.(url) ?? url.href));
  const events = await run(fetcher, site.seed, {
    traps: { now: () => NOW, sameContent: 5, ...traps },
    ...options,
  });
  return { asked, refusedBy: rules(events) };
}

describe('the crawl of a trap', () => {
  const endless = { maxDepth: 1_000_000 };

  it.each([
    ['path-growth', 3, ['repeated-segment']],
    ['path-cycle', 6, ['repeated-sequence']],
    ['soft-slash', 3, ['repeated-sequence']],
    ['double-slash', 4, ['repeated-segment']],
    ['pagination', 35, ['same-content']],
    ['pagination-wide', 45, ['same-content']],
    ['random-links', 500, ['same-content']],
    ['session-path', 51, ['session-id']],
    ['session-query', 51, ['session-id']],
    ['long-url', 25, ['url-length']],
    ['dots', 1, []],
    ['hash-routes', 1, []],
    ['data-uri', 1, []],
    ['etag-change', 1, []],
  ])('%s ends after at most %d pages by %j', async (id, most, by) => {
    const { asked, refusedBy } = await enter(id, {}, endless);
    expect(asked.length).toBeLessThanOrEqual(most);
    expect(refusedBy).toEqual(by);
  });

  it.each([
    ['sort', 200, {}],
    ['sort', 100, { urls: { dropQuery: ['sort'] } }],
    ['scheme', 100, {}],
    ['scheme', 50, { urls: { ignoreScheme: true } }],
    ['canonical-far', 1000, {}],
    ['tracking', 50, { urls: { dropTracking: true } }],
  ])('%s is %d pages with %j', async (id, pages, options) => {
    expect((await enter(id, {}, options)).asked).toHaveLength(pages);
  });

  it('ends at the limits that are given', async () => {
    const facets = await enter(
      'facets',
      { maxPerPattern: 300 },
      { ...endless, urls: { sortQuery: true } },
    );
    expect(facets.asked).toHaveLength(301);
    const calendar = await enter('calendar-query', { calendar: 100 }, endless);
    expect(calendar.asked.length).toBeLessThanOrEqual(101);
    const hosts = await enter(
      'wildcard-dns',
      { maxHosts: 50 },
      { ...endless, scope: sameDomain() },
    );
    expect(new Set(hosts.asked.map((url) => new URL(url).host)).size).toBe(50);
    expect([facets, calendar, hosts].map(({ refusedBy }) => refusedBy)).toEqual([
      ['pattern'],
      ['calendar'],
      ['hosts'],
    ]);
  });

  it('goes on where the guards are switched off', async () => {
    const { asked, refusedBy } = await enter('path-growth', {}, { traps: false, maxDepth: 12 });
    expect(asked).toHaveLength(13);
    expect(refusedBy).toEqual([]);
  });

  it('finds all fifty real pages among all traps at once', async () => {
    const seeds = TRAPS.map(({ seed }) => seed);
    const { fetcher, asked } = web((url) => {
      if (url.pathname === '/') return page(['/real/1/', ...seeds], url.href);
      if (url.pathname.startsWith('/real/')) return page([...real.links(url), ...seeds], url.href);
      const site = siteAt(url);
      return page(site?.links(url) ?? [], site?.text?.(url) ?? url.href);
    });
    await run(fetcher, 'http://h.test/');
    const paths = new Set(asked.map((url) => new URL(url).pathname));
    expect(REAL_PAGES.filter((path) => !paths.has(path))).toEqual([]);
    expect(asked.length).toBeLessThan(25_000);
  });
});

describe('a trap that the page or the fetcher tells', () => {
  it('parses no binary as HTML, and HTML as such, whatever the label', async () => {
    const anchor = (path: string) => `<!doctype html><a href="${path}">x</a>`;
    const zip = new Uint8Array(4096);
    zip.set([0x50, 0x4b, 0x03, 0x04]);
    zip.set(new TextEncoder().encode(anchor('/from-zip')), 100);
    const { fetcher, asked } = web(({ pathname }) => {
      switch (pathname) {
        case '/':
          return page(['/zip', '/png', '/none', '/octets']);
        case '/zip':
          return { body: zip };
        case '/png':
          return { headers: { 'content-type': 'image/png' }, body: anchor('/from-png') };
        case '/none':
          return { headers: {}, body: anchor('/from-none') };
        case '/octets':
          return {
            headers: { 'content-type': 'application/octet-stream' },
            body: anchor('/from-octets'),
          };
        default:
          return page([]);
      }
    });
    await run(fetcher, 'http://h.test/');
    const found = asked.map((url) => new URL(url).pathname).filter((path) => /^.from/.test(path));
    expect(found).toEqual(['/from-png', '/from-none', '/from-octets']);
  });

  it('asks for nothing below a path that robots.txt disallows', async () => {
    const { fetcher, asked } = web(({ pathname }) =>
      pathname === '/robots.txt'
        ? { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /trap/' }
        : page(['/trap/1', '/trap/2', '/a']),
    );
    await run(fetcher, 'http://h.test/');
    expect(asked).toEqual(['http://h.test/', 'http://h.test/a']);
  });

  it('follows no nofollow links into an endless space', async () => {
    const { fetcher, asked } = web(({ pathname }) =>
      pathname === '/meta'
        ? { body: '<meta name=robots content=nofollow><a href="/space/2">x</a>' }
        : { body: '<a rel="NoFollow" href="/space/1">x</a><a href="/meta">x</a>' },
    );
    await run(fetcher, 'http://h.test/');
    expect(asked).toEqual(['http://h.test/', 'http://h.test/meta']);
  });

  it('asks for no page that a scope excludes', async () => {
    const { fetcher, asked } = web(() => page(['/logout', '/delete?id=1', '/a']));
    await run(fetcher, 'http://h.test/', { scope: not(urlMatches('/logout', '/delete?**')) });
    expect(asked).toEqual(['http://h.test/', 'http://h.test/a']);
  });

  it.each([
    ['from one page', (n: number) => n === 0],
    ['each from another page', (n: number) => n > 0],
  ])('follows endless redirects, linked %s, under 1,100 times in all', async (_name, isHere) => {
    const entries = Array.from({ length: 1000 }, (_, n) => `/r/${n}`);
    const { fetcher, asked } = web(({ pathname }) => {
      const hop = /^\/r\/(\d+)$/.exec(pathname);
      if (hop !== null) {
        return { status: 302, headers: { location: `/r/${Number(hop[1]) + 1}` } };
      }
      if (pathname !== '/') return page([`/r/${pathname.slice(3)}`]);
      return page(isHere(0) ? entries : entries.map((_entry, n) => `/p/${n}`));
    });
    await run(fetcher, 'http://h.test/');
    const hops = asked.filter((url) => url.includes('/r/'));
    expect(hops.length).toBeLessThan(1100);
    expect(hops.length).toBeGreaterThan(1000 / 11);
    expect(new Set(hops).size).toBe(hops.length);
  });
});
