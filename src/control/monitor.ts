import {
  asyncScheduler,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  type SchedulerLike,
  switchMap,
  take,
  takeUntil,
  throttleTime,
  timer,
} from 'rxjs';
import { expectBoolean, expectMs, expectScheduler } from '../core/expect.js';
import { expectOptions, objectWith } from '../core/expect-options.js';
import type { BarePage } from '../core/index.js';
import type { CrawlProblem } from './crawl-problem.js';
import type { Crawler } from './crawler.js';
import type { CrawlerSummary } from './crawler-summary.js';

/** Something that a {@link monitor} has to tell. Times are in ms from when the run started. */
export type MonitorRecord =
  | {
      readonly type: 'summary';
      readonly level: 'info';
      readonly at: number;
      /** Counts the summaries of this run, from 1. */
      readonly number: number;
      readonly summary: CrawlerSummary;
    }
  | {
      readonly type: 'error';
      readonly level: 'error';
      readonly at: number;
      readonly problem: CrawlProblem;
    }
  | {
      readonly type: 'idle';
      readonly level: 'info';
      readonly at: number;
      /** For how long there has been nothing to do. */
      readonly idleMs: number;
      /** Whether the crawler is stopped for it. */
      readonly stopping: boolean;
    }
  | {
      readonly type: 'end';
      readonly level: 'info';
      readonly at: number;
      readonly summary: CrawlerSummary;
    };

/** Options of {@link monitor}. */
export interface MonitorOptions {
  /** Least time between two summaries, ms; `Infinity` for the first one alone. Default 1,000. */
  readonly summaryMs?: number | undefined;
  /** How long the crawler must have been idle, without a break, to be called so, ms. Default 1,000. */
  readonly idleMs?: number | undefined;
  /** Whether a crawler that is idle is stopped. Default false. */
  readonly autoStop?: boolean | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

type Watched = Pick<
  Crawler<never, unknown, BarePage>,
  'status' | 'status$' | 'idle$' | 'errors$' | 'summary' | 'summary$' | 'stop'
>;

/**
 * Watches one run of a crawler and tells of it as records: summaries when they have changed,
 * every problem, and when nothing is left to do. Waits for the run if it has not started, and
 * completes with a last summary when it has stopped. Subscribe before `start()`, or problems
 * before are missed; unsubscribing ends the watch, not the crawl.
 *
 * A crawl whose seeds have ended stops by itself. One whose seeds stay open goes on; `autoStop`
 * ends it when it has been idle. Idleness is known exactly, so one look is enough.
 *
 * ```text
 * seeds:   -a---b-------      each page takes 2 frames; idleMs 3, autoStop
 * records: ----------(ie|)    i idle, e end (summaries left out)
 * ```
 *
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * const crawler = createCrawler();
 * monitor(crawler, { autoStop: true }).subscribe((record) => console.log(record.level, record));
 * crawler.start('https://books.example/');
 * ```
 */
export function monitor(crawler: Watched, options: MonitorOptions = {}): Observable<MonitorRecord> {
  expectOptions('monitor', options, {
    summaryMs: expectMs,
    idleMs: expectMs,
    autoStop: expectBoolean,
    scheduler: expectScheduler,
  });
  objectWith('start', 'stop')('monitor: crawler', crawler);
  const { summaryMs = 1_000, idleMs = 1_000, autoStop = false } = options;
  const { scheduler = asyncScheduler } = options;

  const watchRun = (): Observable<MonitorRecord> => {
    const startedAt = scheduler.now();
    const at = (): number => scheduler.now() - startedAt;
    const stopped$ = crawler.status$.pipe(filter((status) => status === 'stopped'));

    const summaries$ = crawler.summary$.pipe(
      // No timer waits that long.
      summaryMs === Infinity
        ? take(1)
        : throttleTime(summaryMs, scheduler, { leading: true, trailing: true }),
      distinctUntilChanged(),
      map((summary, index): MonitorRecord => ({
        type: 'summary',
        level: 'info',
        at: at(),
        number: index + 1,
        summary,
      })),
    );
    const errors$ = crawler.errors$.pipe(
      map((problem): MonitorRecord => ({ type: 'error', level: 'error', at: at(), problem })),
    );
    const idle$ = crawler.idle$.pipe(
      switchMap((idle) => (idle && idleMs !== Infinity ? timer(idleMs, scheduler) : [])),
      filter(() => crawler.status === 'started'),
      switchMap(() =>
        concat(
          of<MonitorRecord>({ type: 'idle', level: 'info', at: at(), idleMs, stopping: autoStop }),
          autoStop ? stop(crawler) : [],
        ),
      ),
    );
    const end$ = defer(() =>
      of<MonitorRecord>({ type: 'end', level: 'info', at: at(), summary: crawler.summary() }),
    );
    return concat(merge(errors$, summaries$, idle$).pipe(takeUntil(stopped$)), end$);
  };

  return defer(() =>
    crawler.status$.pipe(
      filter((status) => status === 'started'),
      take(1),
      switchMap(watchRun),
    ),
  );
}

function stop(crawler: Watched): Observable<never> {
  return defer(() => crawler.stop()).pipe(ignoreElements());
}
