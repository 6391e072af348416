import {
  crawl,
  queued,
  simple,
  type Crawl,
  type CrawlOptions,
  type Strategy,
} from '../../../src/core/index.js';
import { virtualPage, type VirtualPage, type VirtualSite } from '../../../src/testing/index.js';

/** Both strategies, by name and width. */
export const STRATEGIES: readonly (readonly [string, (width: number) => Strategy])[] = [
  ['simple', (width) => simple(width)],
  ['queued', (width) => queued(width)],
];

/** A crawl of a virtual site that follows every link, everywhere, without politeness. */
export function followAll(
  site: VirtualSite,
  options: Partial<CrawlOptions<never, VirtualPage>> = {},
): Crawl<never, VirtualPage> {
  return crawl<never, VirtualPage>({
    fetcher: site.fetcher,
    parse: virtualPage,
    handle: (page) => page.follow(),
    scope: () => true,
    maxDepth: Infinity,
    perHost: Infinity,
    delay: 0,
    retry: () => null,
    ...options,
  });
}
