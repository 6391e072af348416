import type { CrawlEvent } from '../core/events.js';
import { brief } from './brief.js';
import type { Timed } from './run-to-end.js';

/**
 * Timed events as lines to compare in a test: virtual time and the event in brief.
 *
 * @param show - how an event is shown. Default {@link brief}
 *
 * @example
 * ```ts
 * import type { Observable } from 'rxjs';
 * import type { CrawlEvent } from 'rxcrawl/core';
 * import { runToEnd, timeline } from 'rxcrawl/testing';
 *
 * declare const events$: Observable<CrawlEvent>;
 * timeline(runToEnd(events$)); // ['0 start /', '20 page /', '20 found / +2', '20 done /', …]
 * ```
 */
export function timeline(
  events: readonly Timed<CrawlEvent>[],
  show: (event: CrawlEvent) => string = brief,
): string[] {
  return events.map(({ at, event }) => `${at} ${show(event)}`);
}
