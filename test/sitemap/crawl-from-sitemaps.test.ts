import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { sitemapSeeds } from 'rxcrawl';
import { crawl, simple } from 'rxcrawl/core';
import { virtualPage, virtualSite } from 'rxcrawl/testing';

const BASE = 'http://a.test';
const CHILDREN = 40;
const PAGES = 25;

/** A site of 1,000 pages, all named by 40 sitemaps below one index. */
function site() {
  return virtualSite((url) => {
    const [kind, child] = new URL(url).pathname.slice(1).split('-');
    if (kind === 'robots.txt') return 'User-agent: *\nSitemap: /index';
    if (kind === 'index') {
      const names = Array.from(
        { length: CHILDREN },
        (_, i) => `<sitemap><loc>/map-${i}</loc></sitemap>`,
      );
      return `<sitemapindex>${names.join('')}</sitemapindex>`;
    }
    if (kind === 'map') {
      const names = Array.from(
        { length: PAGES },
        (_, i) => `<url><loc>/page-${child}-${i}</loc></url>`,
      );
      return `<urlset>${names.join('')}<url><loc>http://evil.test/</loc></url></urlset>`;
    }
    return { links: [], latency: 1 };
  });
}

describe('a crawl from sitemaps', () => {
  it('fetches pages long before the last sitemap, and each page once', async () => {
    const web = site();
    const { fetcher } = web;
    const seeds$ = sitemapSeeds({ fetcher, sites: BASE });
    const events = await lastValueFrom(
      seeds$.pipe(crawl({ fetcher, parse: virtualPage, strategy: simple(4), delay: 0 }), toArray()),
    );
    const { started } = web;
    const pages = started.filter((url) => url.includes('/page-'));
    expect(pages).toHaveLength(CHILDREN * PAGES);
    expect(new Set(pages).size).toBe(CHILDREN * PAGES);
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(CHILDREN * PAGES);
    expect(started.some((url) => url.includes('evil'))).toBe(false);
    const firstPage = started.findIndex((url) => url.includes('/page-'));
    const lastMap = started.findLastIndex((url) => url.includes('/map-'));
    expect(firstPage).toBeLessThan(10);
    expect(lastMap).toBeGreaterThan(100);
  });
});
