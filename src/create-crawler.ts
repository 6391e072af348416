import { type Crawler, crawlerOf } from './control/index.js';
import type { BarePage, HandledItem } from './core/index.js';
import { crawl } from './crawl.js';
import type { CrawlOptions } from './crawl-options.js';
import type { Page } from './page/index.js';

/** Options of {@link createCrawler}: those of `crawl()`, but for what its methods do. */
export type CrawlerOptions<T, P extends BarePage = Page> = Omit<
  CrawlOptions<T, P>,
  'pause$' | 'stop$'
>;

/**
 * A crawl as an object that is started, paused, resumed and stopped, for programs that are not
 * written as one pipeline. It can be started again after it has stopped.
 *
 * @param options - those of `crawl()`; wrong ones are refused now
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * import { createCrawler } from 'rxcrawl';
 *
 * const crawler = createCrawler({ maxPages: 500 });
 * crawler.pages$.subscribe((page) => console.log(page.title));
 * crawler.errors$.subscribe(({ stage, message }) => console.warn(stage, message));
 * crawler.start(['https://books.example/', 'https://films.example/']);
 *
 * setTimeout(() => {
 *   if (crawler.status === 'started') void crawler.stop({ drainMs: 2_000 });
 * }, 60_000);
 * ```
 */
export function createCrawler<T = never, P extends BarePage = Page>(
  options: CrawlerOptions<T, P> = {},
): Crawler<CrawlerOptions<T, P>, HandledItem<T>, P> {
  return crawlerOf((all) => crawl<T, P>(all), options);
}
