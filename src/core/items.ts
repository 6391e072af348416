import { filter, map, type OperatorFunction } from 'rxjs';
import type { CrawlEvent } from './events.js';

/**
 * The items that the handlers of a crawl yielded.
 *
 * ```text
 * events: -s-p-i-d|     s start, p page, i item, d done
 * items:  -----i--|
 * ```
 *
 * @example
 * ```ts
 * crawl({ fetcher, *handle(page) { yield { url: page.url }; } })(seeds)
 *   .pipe(items())
 *   .subscribe((item) => console.log(item.url));
 * ```
 */
export function items<T>(): OperatorFunction<CrawlEvent<T>, T> {
  return (events$) =>
    events$.pipe(
      filter((event) => event.type === 'item'),
      map((event) => event.item),
    );
}
