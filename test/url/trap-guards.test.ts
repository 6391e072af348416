import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalUrl,
  request,
  trapGuards,
  type GuardFactory,
  urlPattern,
  type TrapOptions,
} from 'rxcrawl';
import { cpuTime } from '../helpers/cpu-time.js';
import { walk, type Walk, type WalkOptions } from './breadth-first.js';
import { real, REAL_PAGES, siteAt, TRAPS, type TrapSite } from './trap-sites.js';

const NOW = Date.UTC(2026, 0, 1);

function guardOf(options: TrapOptions = {}) {
  return trapGuards({ now: () => NOW, sameContent: 5, ...options })();
}

function trap(id: string): TrapSite {
  const site = TRAPS.find((one) => one.id === id);
  if (site === undefined) throw new Error(`no trap ${id}`);
  return site;
}

function enter(id: string, options: WalkOptions = {}): Walk {
  return walk([trap(id)], { guard: guardOf(), ...options });
}

function refusedBy(...urls: string[]): (string | undefined)[] {
  const guard = guardOf();
  return urls.map((url) => guard({ url, depth: 1 }));
}

describe('trap sites', () => {
  const endless = { maxDepth: Infinity };

  it('path growth ends by the rule of repeated segments', () => {
    const { visited, refused } = enter('path-growth', endless);
    expect(visited).toHaveLength(3);
    expect([...refused.keys()]).toEqual(['repeated-segment']);
  });

  it('a cycle of two segments ends by the rule of repeated sequences', () => {
    const { visited, refused } = enter('path-cycle', endless);
    expect(visited.length).toBeLessThanOrEqual(6);
    expect([...refused.keys()]).toEqual(['repeated-sequence']);
  });

  it('paths behind a script end', () => {
    expect(enter('soft-slash', endless).visited.length).toBeLessThanOrEqual(3);
    expect(enter('double-slash', endless).visited.length).toBeLessThanOrEqual(4);
  });

  it('paths that grow in three ways end', () => {
    const { visited } = enter('path-growth-two', endless);
    expect(visited.length).toBeLessThan(10_000);
  });

  it('spellings of one path are one request', () => {
    expect(enter('dots').visited).toHaveLength(1);
  });

  it('pages under endless session ids are fetched once, or twice with the clean URL', () => {
    expect(enter('session-path', endless).visited).toHaveLength(51);
    expect(enter('session-query', endless).visited).toHaveLength(51);
    const clean = { ...endless, policy: { dropSessionIds: true } };
    expect(enter('session-path', clean).visited).toHaveLength(50);
    expect(enter('session-query', clean).visited).toHaveLength(50);
  });

  it('tracking parameters make no new page with the option', () => {
    expect(enter('tracking', { policy: { dropTracking: true } }).visited).toHaveLength(50);
    // By default a page is fetched with up to three, and once without.
    expect(enter('tracking').visited.length).toBeLessThanOrEqual(4 * 50);
  });

  it('facets end at the limit of their pattern', () => {
    const options: WalkOptions = {
      policy: { sortQuery: true },
      guard: guardOf({ maxPerPattern: 1000 }),
    };
    const { visited, refused } = enter('facets', { ...endless, ...options });
    expect(visited.length).toBeLessThanOrEqual(1001);
    expect(visited.length).toBeGreaterThanOrEqual(1000);
    expect([...refused.keys()]).toEqual(['pattern']);
    expect(new Set(visited.map((url) => canonicalUrl(url, { sortQuery: true }))).size).toBe(
      visited.length,
    );
  });

  it('facets end at their own limit by default', () => {
    expect(enter('facets', endless).visited).toHaveLength(5001);
  });

  it('a sort parameter doubles lists, unless it is dropped', () => {
    expect(enter('sort').visited).toHaveLength(200);
    expect(enter('sort', { policy: { dropQuery: ['sort'] } }).visited).toHaveLength(100);
  });

  it('endless paging ends five equal pages behind the last real one', () => {
    expect(enter('pagination', endless).visited).toHaveLength(35);
    expect(enter('pagination-wide', endless).visited.length).toBeLessThanOrEqual(45);
  });

  it('endless paging of different pages ends at its limit', () => {
    const site: TrapSite = { ...trap('pagination'), text: (url) => url.href };
    const guard = guardOf({ paging: 100 });
    expect(walk([site], { ...endless, guard }).visited).toHaveLength(101);
  });

  it('calendars end two years ahead and at their limit', () => {
    for (const id of ['calendar-query', 'calendar-path']) {
      const guard = guardOf({ calendar: 500 });
      const { visited, refused } = enter(id, { ...endless, guard });
      expect(visited.length).toBeLessThanOrEqual(501);
      expect(refused.get('calendar')).toBeGreaterThan(0);
      expect(visited.filter((url) => /20(29|[3-9]\d)/.test(url))).toEqual([]);
    }
  });

  it('endless hosts end at their limit', () => {
    const walked = enter('wildcard-dns', { ...endless, guard: guardOf({ maxHosts: 50 }) });
    expect(new Set(walked.visited.map((url) => new URL(url).host)).size).toBe(50);
    const domain = enter('wildcard-dns', { ...endless, guard: guardOf({ maxHostsPerDomain: 50 }) });
    expect(domain.visited).toHaveLength(50);
    expect(enter('wildcard-dns', endless).visited).toHaveLength(1000);
  });

  it('two schemes are two pages, unless the scheme is ignored', () => {
    expect(enter('scheme').visited).toHaveLength(100);
    expect(enter('scheme', { policy: { ignoreScheme: true } }).visited).toHaveLength(50);
  });

  it('other cases: wrong canonicals, fragments, data URLs, long URLs, clocks', () => {
    expect(enter('canonical-far').visited).toHaveLength(1000);
    expect(enter('hash-routes').visited).toHaveLength(1);
    expect(enter('data-uri').visited).toHaveLength(1);
    expect(enter('etag-change', endless).visited).toHaveLength(1);
    const long = enter('long-url', endless);
    expect(Math.max(...long.visited.map((url) => url.length))).toBeLessThanOrEqual(2083);
    expect([...long.refused.keys()]).toEqual(['url-length']);
  });

  it('a pattern whose pages are all the same is stopped', () => {
    const { visited, refused } = enter('random-links', endless);
    expect(visited.length).toBeLessThan(500);
    expect([...refused.keys()]).toEqual(['same-content']);
  });

  it('all fifty real pages are found among all traps at once', () => {
    const hub: TrapSite = {
      id: 'hub',
      seed: 'http://h.test/',
      links: (url) => {
        if (url.pathname === '/') return ['/real/1/', ...TRAPS.map(({ seed }) => seed)];
        if (url.pathname.startsWith('/real/'))
          return [...real.links(url), ...TRAPS.map(({ seed }) => seed)];
        return siteAt(url)?.links(url) ?? [];
      },
      text: (url) => siteAt(url)?.text?.(url) ?? url.href,
    };
    const { visited } = walk([hub], { guard: guardOf() });
    const paths = new Set(visited.map((url) => new URL(url).pathname));
    expect(REAL_PAGES.filter((page) => !paths.has(page))).toEqual([]);
    expect(visited.length).toBeLessThan(25_000);
  });
});

describe('trapGuards', () => {
  it('lets a site pass whose pages all say the same: it is no trap for that', () => {
    const guard = trapGuards()();
    for (const shape of ['/p', '/page/', '/?page=', '/item?id=']) {
      for (let n = 0; n < 10_000; n += 1) {
        const url = `http://h.test${shape}${n}`;
        expect(guard({ url, depth: 1 }), url).toBeUndefined();
        guard.observe(url, 'ok');
      }
    }
  });

  it('lets normal sites pass', () => {
    const guard = guardOf();
    const urls = [
      'http://h.test/openjdk/api/java.base/java/util/concurrent/locks/class-use/Lock.Node.html',
      'http://h.test/a/b/c/d/e/f/g/h/i/j/k/l/m/n.html',
      'http://h.test/boost/doc/html/boost/asio/asio/boost/x.html',
      'http://h.test/2011/11/11/eleven',
      'http://h.test/a/a/b/b/a/',
      'http://h.test/thread/2150/3',
      'http://h.test/part/5021-11',
      'http://h.test/article.pl?sid=7',
      'http://h.test/?a=1&b=2',
      'http://h.test/?b=2&a=1',
      'http://h.test/2030-budget/',
      ...Array.from({ length: 20_000 }, (_, n) => `http://h.test/folder/page${n}.html`),
      ...Array.from({ length: 3_000 }, (_, n) => `http://h.test/search?q=x&type=1&id=${n}`),
      ...Array.from({ length: 1_000 }, (_, n) => `http://h.test/blog/page/${n}`),
    ];
    expect(urls.filter((url) => guard({ url, depth: 5 }) !== undefined)).toEqual([]);
  });

  it('names the rule that refuses', () => {
    expect(
      refusedBy(
        `http://h.test/${'x'.repeat(2083)}`,
        `http://h.test/${Array.from({ length: 21 }, (_, n) => `s${n}`).join('/')}`,
        'http://h.test/a/a/a',
        'http://h.test/x/b/a/b/c/b/d/b',
        'http://h.test/a/b/c/a/b/c/a/b/c',
        'http://h.test/calendar/2031/05/',
        'http://h.test/x?date=2031-05-01',
        'http://h.test/x?ym=203105',
      ),
    ).toEqual([
      'url-length',
      'path-segments',
      'repeated-segment',
      'repeated-segment',
      'repeated-sequence',
      'calendar',
      'calendar',
      'calendar',
    ]);
  });

  it('refuses the third order of the same parameters', () => {
    const orders = ['a=1&b=2&c=3', 'b=2&a=1&c=3', 'c=3&a=1&b=2', 'a=1&b=2&c=4'];
    expect(refusedBy(...orders.map((query) => `http://h.test/?${query}`))).toEqual([
      undefined,
      undefined,
      'parameter-order',
      undefined,
    ]);
  });

  it('counts a URL once, however often it is asked about', () => {
    const guard = guardOf({ maxPerPattern: 2 });
    const ask = (n: number) => guard({ url: `http://h.test/${n}`, depth: 1 });
    expect([1, 1, 1, 2, 1, 3, 2].map(ask)).toEqual([
      ...[undefined, undefined, undefined, undefined, undefined],
      ...['pattern', undefined],
    ]);
  });

  it('never refuses seeds', () => {
    const guard = guardOf({ maxHosts: 1 });
    expect(guard({ url: `http://h.test/a/a/a/${'x'.repeat(3000)}`, depth: 0 })).toBeUndefined();
    expect(guard({ url: 'http://g.test/', depth: 0 })).toBeUndefined();
  });

  it('goes on with a pattern when other content comes', () => {
    const guard = guardOf({ sameContent: 2 });
    const next = () => guard({ url: 'http://h.test/?page=9', depth: 1 });
    guard({ url: 'http://h.test/?page=1', depth: 1 });
    guard.observe('http://h.test/?page=1', 'empty');
    guard.observe('http://h.test/?page=2', 'empty');
    expect(next()).toBe('same-content');
    guard.observe('http://h.test/?page=3', 'full');
    expect(next()).toBeUndefined();
  });

  it('asks what a page says only where it may be one of a series', () => {
    const guard = guardOf();
    const read: string[] = [];
    const observe = (path: string) => {
      const url = `http://h.test${path}`;
      guard({ url, depth: 1 });
      guard.observe(url, () => {
        read.push(path);
        return path;
      });
    };
    ['/about', '/list?page=1', '/events/2024-05-01', '/item/1', '/item/2', '/v3/a'].forEach(
      observe,
    );
    expect(read).toEqual(['/list?page=1', '/events/2024-05-01', '/item/2']);
  });

  it('switches off each rule by name', () => {
    const off: TrapOptions = {
      ...{ urlLength: false, pathSegments: false, repeatedSegment: false, repeatedSequence: false },
      ...{
        sessionIds: false,
        tracking: false,
        parameterOrders: false,
        facets: false,
        calendar: false,
      },
      ...{ paging: false, maxPerPattern: false, sameContent: false },
      ...{ maxHostsPerDomain: false, maxHosts: false },
    };
    const guard = guardOf(off);
    const urls = [
      `http://h.test/${'a/'.repeat(2000)}`,
      'http://h.test/a/b/a/b/a/b',
      'http://h.test/x;jsessionid=12345678',
      'http://h.test/x;jsessionid=12345679',
      'http://h.test/calendar/2031/05/',
    ];
    expect(urls.map((url) => guard({ url, depth: 1 }))).toEqual(urls.map(() => undefined));
    const { visited } = walk([trap('pagination')], { guard, maxDepth: Infinity, atMost: 300 });
    expect(visited).toHaveLength(300);
  });

  it('is a guard of a crawl', () => {
    const factory: GuardFactory = trapGuards();
    const guard = factory();
    expect(guard(request('http://h.test/a/a/a', { depth: 1 }), undefined)).toBe('repeated-segment');
  });

  it('makes a guard of its own for each crawl', () => {
    const make = trapGuards({ maxPerPattern: 1 });
    for (const guard of [make(), make()]) {
      expect(guard({ url: 'http://h.test/1', depth: 1 })).toBeUndefined();
      expect(guard({ url: 'http://h.test/2', depth: 1 })).toBe('pattern');
    }
  });

  it('refuses wrong options by name', () => {
    expect(() => trapGuards({ maxPerPatern: 1 } as TrapOptions)).toThrow(
      /unknown option "maxPerPatern"/,
    );
    expect(() => trapGuards({ paging: 0 })).toThrow(
      'paging: expected a number of at least 1, or false, got 0',
    );
    expect(() => trapGuards({ facets: NaN })).toThrow(RangeError);
  });

  it('answers any URL in linear time', () => {
    const guard = guardOf({ urlLength: false, pathSegments: false });
    for (const url of [
      `http://h.test/${'a'.repeat(200_000)}`,
      `http://h.test/${'1-'.repeat(100_000)}`,
      `http://h.test/?${'page=&'.repeat(50_000)}`,
      `http://h.test/${';sid='.repeat(50_000)}`,
      `http://h.test/${'/page'.repeat(50_000)}`,
      `http://h.test/?${'cal_'.repeat(50_000)}=2`,
    ]) {
      const cost = cpuTime(() => guard({ url, depth: 1 }), 1);
      expect(cost, url.slice(0, 40)).toBeLessThan(200);
    }
  });

  it('never throws', () => {
    const guard = guardOf();
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        guard({ url, depth: 1 });
        guard.observe(url, 1n);
      }),
    );
  });
});

describe('urlPattern', () => {
  it.each([
    ['http://h.test/item/17/v2?size=9&page=2&page=3', 'h.test/item/N/vN?page&size'],
    ['http://h.test/', 'h.test/'],
    ['http://h.test?', 'h.test/?'],
    ['http://u@h.test:81/2024-05-01/#x1', 'h.test:81/N-N-N/'],
    ['http://h.test/123e4567-e89b-12d3-a456-426614174000/x', 'h.test/X/x'],
    ['http://h.test/d41d8cd98f00b204e9800998ecf8427e', 'h.test/X'],
    ['http://h.test/internationalization', 'h.test/internationalization'],
  ])('of %s is %s', (url, pattern) => {
    expect(urlPattern(url)).toBe(pattern);
  });
});
