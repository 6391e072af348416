import { filter, map, type OperatorFunction } from 'rxjs';
import type { CrawlEvent } from './events.js';
import type { BarePage } from './page.js';

/**
 * The pages of a crawl.
 *
 * ```text
 * events: -s-p-i-d|     s start, p page, i item, d done
 * pages:  ---p----|
 * ```
 *
 * @example
 * ```ts
 * crawl({ fetcher })(seeds).pipe(pages()).subscribe((page) => console.log(page.url));
 * ```
 */
export function pages<P extends BarePage>(): OperatorFunction<CrawlEvent<unknown, P>, P> {
  return (events$) =>
    events$.pipe(
      filter((event) => event.type === 'page'),
      map((event) => event.page),
    );
}
