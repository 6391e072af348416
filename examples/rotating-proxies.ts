// Requests go through three proxies in turn. One of them is gone half-way: it is left alone from
// then on, and what it should have fetched goes to the others, so that no page is missing.

import { lastValueFrom, map, toArray } from 'rxjs';
import {
  balance,
  crawl,
  type ModuleCounts,
  pages,
  queued,
  type Strategy,
  undiciFetcher,
} from 'rxcrawl';
import { type MadeUpSite, mainOn, withJobBoard } from './support/made-up-sites.js';
import { withProxies } from './support/proxies.js';

export async function rotatingProxies(
  { url }: MadeUpSite,
  proxies: readonly string[],
  strategy: Strategy = queued(4),
): Promise<{ urls: string[]; counts: readonly ModuleCounts[] }> {
  const fetcher = balance(
    proxies.map((proxy, index) => ({
      id: `proxy ${index + 1}`,
      fetcher: undiciFetcher({ proxy }),
    })),
    { by: 'round-robin', cooldown: 60_000 },
  );
  const urls = await lastValueFrom(
    // The site is our own: no pause between requests, and as many at a time as there are workers.
    crawl({ fetcher, strategy, delay: 0, perHost: Infinity })(url).pipe(
      pages(),
      map((page) => page.url),
      toArray(),
    ),
  );
  return { urls, counts: fetcher.counts() };
}

await mainOn(withJobBoard, import.meta.url, (site) =>
  withProxies([Infinity, 10, Infinity], async (proxies) => {
    const { urls, counts } = await rotatingProxies(site, proxies.urls);
    return {
      pages: urls.length,
      proxies: counts.map(({ id, completed, extra }) => ({ id, completed, ...extra })),
    };
  }),
);
