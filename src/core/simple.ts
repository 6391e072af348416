import {
  asapScheduler,
  concat,
  defer,
  EMPTY,
  expand,
  filter,
  finalize,
  ignoreElements,
  last,
  merge,
  mergeMap,
  type Observable,
  Subject,
  subscribeOn,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import {
  type CrawlEvent,
  type FoundEvent,
  isTerminal,
  type RetryEvent,
  type SkipEvent,
} from './events.js';
import { expectLiveWidth, expectWidth } from './expect.js';
import type { HostPass } from './host-gate.js';
import { Permits } from './permits.js';
import type { CrawlRequest } from './request.js';
import type { StartBudget } from './start-budget.js';
import {
  type Delivery,
  type Strategy,
  type StrategyContext,
  unlimited,
  type Visit,
} from './strategy.js';
import { unlessClosed } from './unless-closed.js';

/**
 * The strategy of the text book: one shared pool takes from one queue. A recursive `expand`
 * whose projection is the visit, `concurrency` wide; requests wait in the operator's own
 * buffer, in order of discovery.
 *
 * ```text
 * site:    a → b, c   b → d       each page takes 2 frames
 * width:   2
 * seeds:   a|
 * starts:  a-(bc)d---
 * done:    --a-(bc)d|
 * ```
 *
 * Its limits are those of that buffer: a request whose host has to wait (politeness, a retry)
 * waits inside the pool and holds a place there, the order cannot be changed, and taking a
 * request costs 20 to 50 µs at 50,000 waiting, 300 µs and more at a million. For crawls of up to
 * some ten thousand waiting requests; `queued()` has none of these limits.
 *
 * @param concurrency - how many requests run at once; an Observable changes it while the crawl
 * runs. Default 16
 * @throws TypeError or RangeError if `concurrency` is not a whole number of at least 1, or options
 * are given, of which it has none. A live one may be 0 for a while; a wrong one ends the crawl with
 * such an error
 *
 * @example
 * ```ts
 * crawl({ strategy: simple(8) });
 * ```
 */
export function simple(concurrency?: number | Observable<number>): Strategy;
export function simple(
  concurrency: number | Observable<number> = 16,
  ...others: readonly unknown[]
): Strategy {
  if (others.length > 0) {
    throw new TypeError('simple: expected one argument; an order and a frontier are of queued()');
  }
  expectLiveWidth('simple: concurrency', concurrency);

  return <E extends CrawlEvent>(visit: Visit<E>, context = unlimited()) =>
    (requests$) =>
      defer(() => {
        const events$ = new Subject<E | SkipEvent>();
        const pool = livePool(concurrency);

        const work$ = requests$.pipe(
          expand(
            (request) =>
              pool.guard(visitWhenOpen(request, visit, context)).pipe(
                // A visit that ends synchronously would recurse into the next one.
                subscribeOn(asapScheduler),
                tap((event) => events$.next(event)),
                filter(isFound),
                mergeMap(({ admitted }) => admitted),
              ),
            pool.width,
          ),
          ignoreElements(),
          tap({ complete: () => events$.complete() }),
        );

        return merge(events$, work$, pool.resize$.pipe(takeUntil(events$.pipe(last(null, null)))));
      });
}

/** A fixed width is `expand`'s own; a live one is kept by permits inside an endless width. */
function livePool(concurrency: number | Observable<number>): {
  readonly width: number;
  readonly resize$: Observable<never>;
  guard<T>(visit$: Observable<T>): Observable<T>;
} {
  if (typeof concurrency === 'number') {
    return { width: concurrency, resize$: EMPTY, guard: (visit$) => visit$ };
  }
  const permits = new Permits();
  return {
    width: Infinity,
    resize$: concurrency.pipe(
      tap((width) => {
        expectWidth('simple: concurrency', width, 0);
        permits.resize(width);
      }),
      ignoreElements(),
    ),
    guard: (visit$) => permits.guard(visit$),
  };
}

/** Visits a request once nothing forbids it, or skips it because nothing new may start. */
function visitWhenOpen<E extends CrawlEvent>(
  request: CrawlRequest,
  visit: Visit<E>,
  context: StrategyContext,
): Observable<E | SkipEvent> {
  return unlessClosed(resumed(context), request, context, () =>
    visitWithStart(request, visit, context),
  );
}

/** Visits a request if a start is left, or once one has come back. */
function visitWithStart<E extends CrawlEvent>(
  request: CrawlRequest,
  visit: Visit<E>,
  context: StrategyContext,
): Observable<E | SkipEvent> {
  const { budget } = context;
  if (budget.take()) return settle(visitInPlace(request, { attempt: 1 }, visit, context), budget);
  return unlessClosed(budget.returned$.pipe(take(1)), request, context, () =>
    visitWithStart(request, visit, context),
  );
}

/** Spends the start when the visit has ended, or gives it back if nothing was fetched. */
function settle<E extends CrawlEvent>(visit$: Observable<E>, budget: StartBudget): Observable<E> {
  return defer(() => {
    let last: CrawlEvent | undefined;
    return visit$.pipe(
      tap({
        next: (event) => {
          if (isTerminal(event)) last = event;
        },
        complete: () => (last?.type === 'skip' ? budget.giveBack() : budget.spend()),
      }),
    );
  });
}

/** Visits a request, waiting for its retries where it stands. */
function visitInPlace<E extends CrawlEvent>(
  request: CrawlRequest,
  delivery: Delivery,
  visit: Visit<E>,
  context: StrategyContext,
): Observable<E | SkipEvent> {
  const { gate } = context;
  const visit$ = unlessClosed<HostPass, E>(gate.turn(request.url), request, context, (pass) => {
    // A pause may have begun while it waited for its host, or for its retry.
    const visiting$ = unlessClosed<boolean, E>(resumed(context), request, context, () =>
      visit(request, { ...delivery, pass }),
    );
    return visiting$.pipe(finalize(() => gate.release(pass)));
  });
  return defer(() => {
    let retry: RetryEvent | undefined;
    return concat(
      visit$.pipe(
        tap((visited) => {
          const event: CrawlEvent = visited;
          if (event.type === 'retry') retry = event;
        }),
      ),
      defer(() => {
        if (retry === undefined) return EMPTY;
        const again = next(delivery, retry);
        return unlessClosed(timer(retry.delayMs, context.scheduler), request, context, () =>
          visitInPlace(request, again, visit, context),
        );
      }),
    );
  });
}

function resumed({ pause$ }: StrategyContext): Observable<boolean> {
  return pause$.pipe(filter((paused) => !paused));
}

function next({ attempt, holds = 0 }: Delivery, { held }: RetryEvent): Delivery {
  return held ? { attempt, holds: holds + 1 } : { attempt: attempt + 1, holds };
}

function isFound(event: CrawlEvent): event is FoundEvent {
  return event.type === 'found';
}
