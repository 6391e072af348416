import { gzipSync } from 'node:zlib';
import { EMPTY, lastValueFrom, map, of, take, toArray, type OperatorFunction } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  CrawlError,
  request,
  sitemapSeeds,
  type CrawlRequest,
  type SeedsWarning,
  type SitemapSeedsOptions,
} from 'rxcrawl';
import { virtualSite, type PageInput, type SiteSpec } from 'rxcrawl/testing';
import { marbles } from '../helpers/marbles.js';

const BASE = 'http://a.test';
const urlset = (...paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${path}</loc></url>`).join('')}</urlset>`;
const index = (...paths: readonly string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')}</sitemapindex>`;

/** The last part of each URL, for marbles. */
const toName = (): OperatorFunction<CrawlRequest, string> => map(({ url }) => url.slice(-1));

interface Outcome {
  readonly urls: readonly string[];
  readonly started: readonly string[];
  readonly warnings: readonly SeedsWarning[];
  readonly codes: readonly string[];
}

/** Subscribes and pulls; both have to give the same. */
async function run(pages: SiteSpec, options: Partial<SitemapSeedsOptions> = {}): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const pulled of [false, true]) {
    const site = typeof pages === 'function' ? virtualSite(pages) : virtualSite(BASE, pages);
    const warnings: SeedsWarning[] = [];
    const seeds = sitemapSeeds({
      fetcher: site.fetcher,
      onWarning: (warning) => warnings.push(warning),
      ...(options.sites === undefined && options.sitemaps === undefined
        ? { sitemaps: `${BASE}/sitemap.xml` }
        : {}),
      ...options,
    });
    const urls: string[] = [];
    if (pulled) for await (const { url } of seeds) urls.push(url);
    else for (const { url } of await lastValueFrom(seeds.pipe(toArray()))) urls.push(url);
    const codes = warnings.map(({ code }) => code);
    outcomes.push({ urls, started: site.started, warnings, codes });
  }
  const [pushed, pulled] = outcomes;
  expect(pulled!.urls).toStrictEqual(pushed!.urls);
  expect(pulled!.started).toStrictEqual(pushed!.started);
  expect(pulled!.codes).toStrictEqual(pushed!.codes);
  return pushed!;
}

describe('sitemapSeeds', () => {
  it(
    'gives the pages of the first sitemap before it asks for the second',
    marbles((m) => {
      const site = virtualSite(BASE, {
        '/index.xml': { body: index('/a.xml', '/b.xml'), latency: 3 },
        '/a.xml': { body: urlset('/1'), latency: 3 },
        '/b.xml': { body: urlset('/2'), latency: 3 },
      });
      const seeds$ = sitemapSeeds({ fetcher: site.fetcher, sitemaps: `${BASE}/index.xml` });
      const names$ = seeds$.pipe(toName());
      m.expect(names$).toBeObservable('------1--(2|)');
    }),
  );

  it(
    'asks for nothing before it is subscribed, and aborts when it is unsubscribed',
    marbles((m) => {
      const site = virtualSite(BASE, {
        '/index.xml': index('/a.xml', '/b.xml'),
        '/a.xml': { body: urlset('/1', '/2'), latency: 2 },
        '/b.xml': { body: urlset('/3'), latency: 2 },
      });
      const seeds$ = sitemapSeeds({ fetcher: site.fetcher, sitemaps: `${BASE}/index.xml` });
      expect(site.started).toStrictEqual([]);
      m.expect(seeds$.pipe(take(1), toName())).toBeObservable('--(1|)');
      m.flush();
      expect(site.started).toStrictEqual([`${BASE}/index.xml`, `${BASE}/a.xml`]);
      m.expect(
        sitemapSeeds({ fetcher: site.fetcher, sitemaps: `${BASE}/b.xml` }),
        '^!',
      ).toBeObservable('');
      m.flush();
      expect(site.aborted).toBe(1);
    }),
  );

  it('tells where each request comes from, but for what the caller has named', async () => {
    const pages: SiteSpec = (url) => {
      const { pathname } = new URL(url);
      if (pathname === '/robots.txt') return 'Sitemap: /index.xml';
      if (pathname === '/index.xml') return index('/a.xml');
      return pathname === '/a.xml' ? urlset('/1') : urlset('/2');
    };
    const asked: (readonly [path: string, referrer: string | undefined])[] = [];
    const { fetcher } = virtualSite(pages);
    const seeds = sitemapSeeds({
      fetcher: (wanted, context) => {
        asked.push([new URL(wanted.url).pathname, wanted.referrer]);
        return fetcher(wanted, context);
      },
      sitemaps: `${BASE}/own.xml`,
      sites: BASE,
      toRequest: ({ url }) => request(url, url.endsWith('2') ? { referrer: 'http://b.test/' } : {}),
    });
    const found = await lastValueFrom(seeds.pipe(toArray()));
    expect(asked).toEqual([
      ['/own.xml', undefined],
      ['/robots.txt', undefined],
      ['/index.xml', `${BASE}/robots.txt`],
      ['/a.xml', `${BASE}/index.xml`],
    ]);
    expect(found.map(({ url, referrer }) => [url, referrer])).toEqual([
      [`${BASE}/2`, 'http://b.test/'],
      [`${BASE}/1`, `${BASE}/a.xml`],
    ]);
  });

  it('carries priority, and date and frequency as context', async () => {
    const site = virtualSite(BASE, {
      '/sitemap.xml':
        '<urlset><url><loc>/1#top</loc><lastmod>2024-02-29</lastmod><priority>0.9</priority>' +
        '<changefreq>daily</changefreq></url><url><loc>/2</loc></url></urlset>',
    });
    const sitemap = `${BASE}/sitemap.xml`;
    const seeds = sitemapSeeds({ fetcher: site.fetcher, sitemaps: sitemap, label: 'page' });
    const found = await lastValueFrom(seeds.pipe(toArray()));
    expect(found).toMatchObject([
      {
        url: `${BASE}/1`,
        priority: 0.9,
        label: 'page',
        depth: 0,
        context: { sitemap, lastmod: '2024-02-29T00:00:00.000Z', changefreq: 'daily' },
      },
      { url: `${BASE}/2`, priority: 0.5, context: { sitemap } },
    ]);
    expect(found[1]!.context).toStrictEqual({ sitemap });
  });

  it('lets the user make the requests', async () => {
    const { urls } = await run(
      { '/sitemap.xml': urlset('/1', '/2') },
      {
        toRequest: ({ url }) => (url.endsWith('1') ? undefined : request(url)),
      },
    );
    expect(urls).toStrictEqual([`${BASE}/2`]);
  });

  describe('of a site', () => {
    it('reads those that robots.txt names', async () => {
      const { urls, started } = await run(
        {
          '/robots.txt':
            'User-agent: *\nDisallow:\nSitemap: /b.xml\nSitemap: http://cdn.test/a.xml',
          '/b.xml': urlset('/1'),
          'http://cdn.test/a.xml': urlset('http://a.test/2', '/no'),
          '/sitemap.xml': urlset('/no'),
        },
        { sites: `${BASE}/some/page` },
      );
      expect(urls).toStrictEqual([`${BASE}/1`, `${BASE}/2`]);
      expect(started).toStrictEqual([
        `${BASE}/robots.txt`,
        `${BASE}/b.xml`,
        'http://cdn.test/a.xml',
      ]);
    });

    it.each<[string, Readonly<Record<string, PageInput>>]>([
      ['names none', { '/robots.txt': 'User-agent: *' }],
      ['is absent', {}],
      ['is not served', { '/robots.txt': { fail: 'connection-reset' } }],
    ])('asks for /sitemap.xml if robots.txt %s', async (_why, pages) => {
      const { urls } = await run({ ...pages, '/sitemap.xml': urlset('/1') }, { sites: [BASE] });
      expect(urls).toStrictEqual([`${BASE}/1`]);
    });

    it('is silent where there is no sitemap', async () => {
      expect(await run({}, { sites: [BASE] })).toMatchObject({ urls: [], codes: [] });
    });

    it('takes lines from elsewhere', async () => {
      const robots = () => of(['/x.xml', 'ftp://a.test/x', 'http://']);
      const { urls, codes, started } = await run(
        { '/x.xml': urlset('/1') },
        { sites: BASE, robots },
      );
      expect(urls).toStrictEqual([`${BASE}/1`]);
      expect(codes).toStrictEqual(['invalid-url', 'invalid-url']);
      expect(started).toStrictEqual([`${BASE}/x.xml`]);
    });

    it('asks for /sitemap.xml where that gives nothing', async () => {
      const { urls } = await run(
        { '/sitemap.xml': urlset('/1') },
        { sites: BASE, robots: () => EMPTY },
      );
      expect(urls).toStrictEqual([`${BASE}/1`]);
    });

    it('goes on with /sitemap.xml where that fails', async () => {
      const robots = () => {
        throw new Error('no robots');
      };
      const { urls, warnings } = await run(
        { '/sitemap.xml': urlset('/1') },
        { sites: BASE, robots },
      );
      expect(urls).toStrictEqual([`${BASE}/1`]);
      expect(warnings).toMatchObject([{ code: 'fetch-failed', message: 'no robots' }]);
    });
  });

  it('fetches each sitemap once, and ends where indexes name each other', async () => {
    const { urls, started } = await run({
      '/sitemap.xml': index('/a.xml', '/sitemap.xml', '/b.xml', '/a.xml#x'),
      '/a.xml': index('/b.xml', '/sitemap.xml', '/a.xml'),
      '/b.xml': urlset('/1'),
    });
    expect(urls).toStrictEqual([`${BASE}/1`]);
    expect(started).toStrictEqual(['/sitemap.xml', '/a.xml', '/b.xml'].map((path) => BASE + path));
  });

  it('reads in the order of the documents', async () => {
    const { urls } = await run({
      '/sitemap.xml': index('/a.xml', '/b.xml'),
      '/a.xml': index('/c.xml', '/d.xml'),
      '/b.xml': urlset('/5'),
      '/c.xml': urlset('/1', '/2'),
      '/d.xml': urlset('/3', '/4'),
    });
    expect(urls).toStrictEqual([1, 2, 3, 4, 5].map((name) => `${BASE}/${name}`));
  });

  it('follows indexes to a limit', async () => {
    const deep: SiteSpec = (url) => {
      const level = Number(/\d+/.exec(url)?.[0]);
      return index(`/${level + 1}.xml`);
    };
    const { started, codes, warnings } = await run(deep, { sitemaps: `${BASE}/0.xml` });
    expect(started).toStrictEqual([0, 1, 2, 3].map((level) => `${BASE}/${level}.xml`));
    expect(codes).toStrictEqual(['max-depth']);
    expect(warnings[0]).toMatchObject({
      sitemap: `${BASE}/3.xml`,
      message: 'more than 3 indexes lead to http://a.test/4.xml',
    });
    const flat = await run(deep, { sitemaps: `${BASE}/0.xml`, maxDepth: 0 });
    expect(flat.started).toHaveLength(1);
  });

  it('has limits of sitemaps and of pages', async () => {
    const pages = {
      '/sitemap.xml': index('/a.xml', '/b.xml'),
      '/a.xml': urlset('/1', '/2'),
      '/b.xml': urlset('/3', '/4'),
    };
    const sitemaps = await run(pages, { maxSitemaps: 2 });
    expect(sitemaps).toMatchObject({ urls: { length: 2 }, codes: ['max-sitemaps'] });
    const few = await run(pages, { maxUrls: 1 });
    expect(few).toMatchObject({ urls: { length: 1 }, codes: ['max-urls'] });
    const all = await run(pages, { maxUrls: 4 });
    expect(all).toMatchObject({ urls: { length: 4 }, codes: [] });
    const each = await run(pages, { maxUrlsPerSitemap: 1 });
    expect(each.urls).toStrictEqual([`${BASE}/1`]);
    expect(each.codes).toStrictEqual(['too-many-urls', 'too-many-urls']);
  });

  it('goes on past what fails', async () => {
    const { urls, warnings } = await run({
      '/sitemap.xml': index('/a.xml', '/b.xml', '/c.xml', '/d.xml', '/e.xml'),
      '/a.xml': { fail: 'connection-reset' },
      '/b.xml': { status: 503 },
      '/c.xml': '<html>not found</html>',
      '/d.xml': { body: gzipSync(urlset('/0', '/1')).subarray(0, -12) },
      '/e.xml': { body: gzipSync(gzipSync(urlset('/2'))) },
    });
    expect(urls.at(-1)).toBe(`${BASE}/2`);
    expect(warnings).toMatchObject([
      { sitemap: `${BASE}/a.xml`, code: 'fetch-failed', error: expect.any(CrawlError) as unknown },
      { sitemap: `${BASE}/b.xml`, code: 'http-status' },
      { sitemap: `${BASE}/c.xml`, code: 'not-a-sitemap' },
      { sitemap: `${BASE}/d.xml`, code: 'cut' },
    ]);
  });

  it('takes a fetcher that throws for one that fails', async () => {
    const fetcher = () => {
      throw new Error('no cable');
    };
    const { urls, warnings } = await run({}, { fetcher });
    expect(urls).toStrictEqual([]);
    expect(warnings).toMatchObject([{ code: 'fetch-failed', message: 'no cable' }]);
  });

  it(
    'gives up a fetch that takes too long',
    marbles((m) => {
      const site = virtualSite(BASE, { '/a.xml': { latency: Infinity }, '/b.xml': urlset('/1') });
      const codes: string[] = [];
      const seeds$ = sitemapSeeds({
        fetcher: site.fetcher,
        sitemaps: [`${BASE}/a.xml`, `${BASE}/b.xml`],
        timeout: 5,
        onWarning: ({ code, message }) => codes.push(`${code} ${message}`),
      });
      m.expect(seeds$.pipe(toName())).toBeObservable('-----(1|)');
      m.flush();
      expect(codes).toStrictEqual(['fetch-failed timeout-total: no answer within 5 ms']);
      expect(site.aborted).toBe(1);
    }),
  );

  it('lets a sitemap speak for its own site alone', async () => {
    const pages = {
      '/sitemap.xml': index('/a.xml', 'http://evil.test/x.xml'),
      '/a.xml': urlset('/1', 'http://www.a.test/2', 'http://evil.test/', 'https://a.test/3'),
      'http://evil.test/x.xml': urlset('http://evil.test/4'),
    };
    const own = await run(pages);
    expect(own.urls).toStrictEqual([`${BASE}/1`, 'http://www.a.test/2', 'https://a.test/3']);
    expect(own.codes).toStrictEqual(['other-host', 'other-host']);
    expect(own.warnings.map(({ sitemap }) => sitemap)).toStrictEqual(
      ['/sitemap.xml', '/a.xml'].map((path) => BASE + path),
    );
    const all = await run(pages, { otherHosts: true });
    expect(all.urls).toHaveLength(5);
  });

  it('does not let a redirect change the site', async () => {
    const fetcher: SitemapSeedsOptions['fetcher'] = ({ url }) =>
      of({
        url: url.replace('a.test', 'evil.test'),
        status: 200,
        headers: {},
        body: Buffer.from(urlset('/1', 'http://a.test/2')),
        redirects: [],
        wireBytes: 0,
      });
    const { urls, codes } = await run({}, { fetcher });
    expect(urls).toStrictEqual(['http://a.test/2']);
    expect(codes).toStrictEqual(['other-host']);
  });

  it('survives thousands of sitemaps that answer at once', async () => {
    const count = 3000;
    const site = virtualSite((url) =>
      url.endsWith('index.xml')
        ? index(...Array.from({ length: count }, (_, i) => `/${i}.xml`))
        : urlset(`/page${/\d+/.exec(url)?.[0] ?? ''}`),
    );
    const options = { fetcher: site.fetcher, sitemaps: `${BASE}/index.xml` };
    let found = 0;
    for await (const { url } of sitemapSeeds(options)) {
      expect(url).toBe(`${BASE}/page${found}`);
      found += 1;
    }
    expect(found).toBe(count);
  });

  it('fetches only what is pulled, and aborts when it is closed', async () => {
    const site = virtualSite(BASE, {
      '/sitemap.xml': index('/a.xml', '/b.xml'),
      '/a.xml': urlset('/1', '/2'),
      '/b.xml': { latency: Infinity },
    });
    const seeds = sitemapSeeds({
      fetcher: site.fetcher,
      sitemaps: `${BASE}/sitemap.xml`,
      timeout: Infinity,
    });
    const iterator = seeds[Symbol.asyncIterator]();
    expect(site.requests).toBe(0);
    expect((await iterator.next()).value).toMatchObject({ url: `${BASE}/1` });
    expect((await iterator.next()).value).toMatchObject({ url: `${BASE}/2` });
    expect(site.requests).toBe(2);
    const pending = iterator.next();
    await new Promise(setImmediate);
    expect(site.inFlight).toBe(1);
    expect(await iterator.return?.()).toMatchObject({ done: true });
    expect(await pending).toMatchObject({ done: true });
    expect(site.aborted).toBe(1);
  });

  it('refuses wrong options at call time', () => {
    const { fetcher } = virtualSite({});
    const call = (options: object) => () => sitemapSeeds({ fetcher, ...options });
    expect(call({ sitmaps: [] })).toThrow(/unknown option "sitmaps"/);
    expect(call({ fetcher: 1 })).toThrow(/^sitemapSeeds: fetcher: /);
    expect(call({ sites: '/x' })).toThrow(/^sitemapSeeds: sites: .*"\/x"/);
    expect(call({ sitemaps: ['ftp://a.test/'] })).toThrow(TypeError);
    expect(call({ maxDepth: -1 })).toThrow(RangeError);
    expect(call({ timeout: 0 })).toThrow(/^sitemapSeeds: timeout: .*got 0/);
  });
});
