import { distinctUntilChanged, type OperatorFunction, scan, startWith } from 'rxjs';
import type { CrawlErrorCode } from './errors.js';
import type { CrawlEvent } from './events.js';
import type { SkipReason } from './skip-reason.js';

/** Where a crawl stands: a fold of its events and nothing else. */
export interface Stats {
  /** Requests that passed admission. */
  readonly admitted: number;
  /** Admitted, neither running nor ended: queued or waiting for a retry. */
  readonly waiting: number;
  readonly inFlight: number;
  /** Ended well. */
  readonly done: number;
  readonly failed: number;
  /** URLs that are not fetched, admitted before or not; duplicates are counted apart. */
  readonly skipped: number;
  readonly duplicates: number;
  readonly items: number;
  /** Items that were refused. */
  readonly itemFailures: number;
  readonly retries: number;
  readonly redirects: number;
  /** Decoded bytes of all pages that are done. */
  readonly bytes: number;
  /** Pages by status of the answer. */
  readonly byStatus: Readonly<Partial<Record<number, number>>>;
  readonly byError: Readonly<Partial<Record<CrawlErrorCode, number>>>;
  readonly byReason: Readonly<Partial<Record<SkipReason, number>>>;
}

/** The stats of a crawl that has not begun. */
export const NO_STATS: Stats = {
  admitted: 0,
  waiting: 0,
  inFlight: 0,
  done: 0,
  failed: 0,
  skipped: 0,
  duplicates: 0,
  items: 0,
  itemFailures: 0,
  retries: 0,
  redirects: 0,
  bytes: 0,
  byStatus: {},
  byError: {},
  byReason: {},
};

/** Adds one event to stats; returns the same object if the event counts for nothing. */
export function countEvent(stats: Stats, event: CrawlEvent): Stats {
  switch (event.type) {
    case 'found': {
      const admitted = event.admitted.length;
      if (admitted === 0 && event.duplicates === 0) return stats;
      return {
        ...stats,
        admitted: stats.admitted + admitted,
        waiting: stats.waiting + admitted,
        duplicates: stats.duplicates + event.duplicates,
      };
    }
    case 'start':
      return { ...stats, waiting: stats.waiting - 1, inFlight: stats.inFlight + 1 };
    case 'page':
      return { ...stats, byStatus: plusOne(stats.byStatus, event.page.status) };
    case 'item':
      return { ...stats, items: stats.items + 1 };
    case 'item-failure':
      return { ...stats, itemFailures: stats.itemFailures + 1 };
    case 'retry':
      return {
        ...stats,
        inFlight: stats.inFlight - 1,
        waiting: stats.waiting + 1,
        retries: stats.retries + 1,
      };
    case 'redirect':
      return { ...stats, redirects: stats.redirects + 1 };
    case 'done':
      return {
        ...stats,
        inFlight: stats.inFlight - 1,
        done: stats.done + 1,
        bytes: stats.bytes + event.bytes,
      };
    case 'failure':
      return {
        ...stats,
        inFlight: stats.inFlight - 1,
        failed: stats.failed + 1,
        byError: plusOne(stats.byError, event.error.code),
      };
    case 'skip':
      if (event.reason === 'duplicate') return { ...stats, duplicates: stats.duplicates + 1 };
      return {
        ...stats,
        waiting: stats.waiting - (event.admitted && !event.started ? 1 : 0),
        inFlight: stats.inFlight - (event.started ? 1 : 0),
        skipped: stats.skipped + event.count,
        byReason: plusOne(stats.byReason, event.reason, event.count),
      };
    case 'hold':
    case 'pace':
    case 'warning':
      return stats;
  }
}

/**
 * The stats after each event that changes them, beginning with {@link NO_STATS}.
 *
 * ```text
 * events: -f-s-d|      f one request found, s its start, d done
 * stats:  0w-r-1|      w one waiting, r one in flight, 1 one done
 * ```
 *
 * @example
 * ```ts
 * crawl({ fetcher })(seeds).pipe(stats()).subscribe(({ done, waiting }) => console.log(done, waiting));
 * ```
 */
export function stats(): OperatorFunction<CrawlEvent, Stats> {
  return (events$) =>
    events$.pipe(scan(countEvent, NO_STATS), startWith(NO_STATS), distinctUntilChanged());
}

function plusOne<K extends string | number>(
  counts: Readonly<Partial<Record<K, number>>>,
  key: K,
  by = 1,
): Readonly<Partial<Record<K, number>>> {
  return { ...counts, [key]: (counts[key] ?? 0) + by };
}
