import {
  asyncScheduler,
  catchError,
  concatMap,
  defer,
  EMPTY,
  ignoreElements,
  Observable,
  retry,
  Subject,
  tap,
  throwError,
  timer,
  type MonoTypeOperatorFunction,
  type ObservableInput,
  type SchedulerLike,
  type Subscription,
} from 'rxjs';
import { expectFunction, expectInteger, expectMs, expectScheduler } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { CrawlError } from '../core/index.js';
import { through, type ItemSink } from './item-sink.js';

/** Stores a batch; done when its Observable or promise completes. */
export type SaveBatch<T> = (batch: readonly T[]) => ObservableInput<unknown>;

/** Options of {@link bulk} and {@link bulkSink}. */
export interface BulkOptions {
  /**
   * Time to the next try of a batch that failed, ms, or `null` to give it up; `attempt` is the one
   * that failed, from 1. Default: 1 s, 2 s, then none.
   */
  readonly retry?: (attempt: number, error: unknown) => number | null;
  readonly scheduler?: SchedulerLike;
}

interface Waiting<T> {
  readonly item: T;
  readonly settle: (error?: CrawlError) => void;
}

/**
 * A sink that stores items in batches, for the `sink` of `crawl()` and any database. A batch is
 * saved when it has `size` items, or `ms` (`Infinity`: no limit) after its first one; one batch at a
 * time, in order.
 *
 * Errors of all items of a batch, `sink-failed`: it was given up. The cause is the last error.
 *
 * @throws TypeError or RangeError for a wrong argument
 *
 * @example
 * ```ts
 * const sink = bulkSink(100, 2_000, (books) => database.insertMany(books));
 * const events$ = crawl({ handle, sink })(seeds);
 * concat(events$, sink.close()).subscribe();
 * ```
 */
export function bulkSink<T>(
  size: number,
  ms: number,
  save: SaveBatch<T>,
  options: BulkOptions = {},
): ItemSink<T> {
  checkBulk('bulkSink', size, ms, save, options);
  const { retry: retryDelay = standardRetry, scheduler = asyncScheduler } = options;
  const batches$ = new Subject<readonly Waiting<T>[]>();
  const saved$ = new Subject<never>();
  let batch: Waiting<T>[] = [];
  let clock: Subscription | undefined;
  let isClosed = false;

  const cut = (): void => {
    clock?.unsubscribe();
    clock = undefined;
    if (batch.length === 0) return;
    const whole = batch;
    batch = [];
    batches$.next(whole);
  };

  /** Saves a batch and tells all who wait for it. Never errors. */
  function saveWhole(whole: readonly Waiting<T>[]): Observable<never> {
    const settle = (error?: CrawlError): void => whole.forEach((waiting) => waiting.settle(error));
    return defer(() => save(whole.map(({ item }) => item))).pipe(
      retry({
        delay: (error: unknown, attempt) => {
          const wait = retryDelay(attempt, error);
          if (wait === null || wait === Infinity) return throwError(() => error);
          // Anything else would be tried at once, for ever.
          expectMs('bulk: what retry returned', wait);
          return timer(wait, scheduler);
        },
      }),
      tap({ complete: () => settle() }),
      catchError((cause: unknown) => {
        settle(
          new CrawlError('sink-failed', `a batch of ${whole.length} was not saved`, { cause }),
        );
        return EMPTY;
      }),
      ignoreElements(),
    );
  }
  batches$.pipe(concatMap(saveWhole)).subscribe(saved$);

  function sink(item: T): Observable<T> {
    return new Observable<T>((subscriber) => {
      if (isClosed) {
        subscriber.error(new CrawlError('sink-failed', 'the output is closed'));
        return;
      }
      batch.push({
        item,
        settle: (error) => {
          if (error) subscriber.error(error);
          else subscriber.next(item);
          subscriber.complete();
        },
      });
      if (batch.length >= size) cut();
      // No timer waits that long.
      else if (ms !== Infinity) clock ??= scheduler.schedule(cut, ms);
    });
  }
  return Object.assign(sink, {
    open: () => EMPTY,
    close: () =>
      defer(() => {
        isClosed = true;
        cut();
        batches$.complete();
        return saved$;
      }),
  });
}

/**
 * Stores items in batches and passes each on when it is stored. See {@link bulkSink}, which is
 * for `crawl()` itself and holds its workers.
 *
 * ```text
 * items:  a-b---c-------|     bulk(2, 4, save), a save takes 1 frame
 * saves:  --x-------y         x is [a, b], y is [c]
 * stored: ---(ab)----c--|
 * ```
 *
 * @example
 * ```ts
 * crawl({ handle })(seeds).pipe(items(), bulk(100, 2_000, (books) => insert(books))).subscribe();
 * ```
 */
export function bulk<T>(
  size: number,
  ms: number,
  save: SaveBatch<T>,
  options: BulkOptions = {},
): MonoTypeOperatorFunction<T> {
  checkBulk('bulk', size, ms, save, options);
  return through(() => bulkSink(size, ms, save, options));
}

function checkBulk(
  owner: string,
  size: number,
  ms: number,
  save: unknown,
  options: BulkOptions,
): void {
  expectInteger(`${owner}: size`, size, 1);
  expectMs(`${owner}: ms`, ms);
  expectFunction(`${owner}: save`, save);
  expectOptions(owner, options, { retry: expectFunction, scheduler: expectScheduler });
}

function standardRetry(attempt: number): number | null {
  return attempt <= 2 ? attempt * 1000 : null;
}
