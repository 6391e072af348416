import {
  concat,
  defer,
  finalize,
  from,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  type ObservableInput,
  repeat,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import { crew } from './crew.js';
import { type CrawlEvent, isTerminal, type SkipEvent } from './events.js';
import { expectObservable, expectWidth } from './expect.js';
import type { Frontier, FrontierFactory, Lease } from './frontier.js';
import { memoryFrontier } from './memory-frontier.js';
import { fifo, type Order } from './order.js';
import type { CrawlRequest } from './request.js';
import { skipRequest } from './skip.js';
import type { SkipReason } from './skip-reason.js';
import { tapAfter } from './tap-after.js';
import { type Strategy, unlimited, type Visit } from './strategy.js';

/** Options of {@link queued}. */
export interface QueuedOptions {
  /** Which request runs next. Default {@link fifo}: breadth first. */
  readonly order?: Order;
  /** Where requests wait. Default {@link memoryFrontier}. */
  readonly frontier?: FrontierFactory;
}

/**
 * The strategy that pairs a queue of requests with a queue of ready workers. A worker that is
 * ready takes a request from the frontier; the frontier hands the best one that may run *now*
 * to the worker that has waited longest. Requests wait in the frontier, not in an operator's
 * private array: they are ordered, counted, can be persisted, and a host that has to wait
 * never holds a worker.
 *
 * ```text
 * site:    a → b, c   b → d       each page takes 2 frames
 * workers: 2
 * seeds:   a|
 * starts:  a-(bc)d---
 * done:    --a-(bc)d|
 * ```
 *
 * @param workers - how many requests run at once; an Observable changes it while the crawl
 * runs: new workers start at once, surplus ones stop when their request is done. Default 16
 * @throws RangeError if `workers` is not a whole number of at least 1. A live one may be 0 for
 * a while; a wrong one ends the crawl with such an error
 *
 * @example
 * ```ts
 * crawl({ strategy: queued(32, { order: roundRobinByHost() }) });
 * ```
 */
export function queued(
  workers: number | Observable<number> = 16,
  { order = fifo(), frontier: makeFrontier = memoryFrontier() }: QueuedOptions = {},
): Strategy {
  if (typeof workers === 'number') expectWidth('queued: workers', workers, 1);
  else expectObservable('queued: workers', workers);

  return <E extends CrawlEvent>(visit: Visit<E>, context = unlimited()) =>
    (requests$) =>
      defer(() => {
        const frontier = makeFrontier({ order, ...context });
        const seedsOpen = frontier.hold();
        let closed: SkipReason | undefined;

        const enqueue = (requests: readonly CrawlRequest[]): ObservableInput<SkipEvent> => {
          if (closed === undefined) return noValues(frontier.enqueue(requests));
          const reason = closed;
          return requests.map((request) => skipRequest(request, reason));
        };

        const seeds$ = requests$.pipe(
          mergeMap((request) => enqueue([request])),
          tap({ complete: seedsOpen }),
        );

        const refused$ = context.close$.pipe(
          take(1),
          takeUntil(frontier.finished$),
          mergeMap((reason) => {
            closed = reason;
            return from(frontier.drop()).pipe(mergeMap(enqueue));
          }),
        );

        const paused$ = context.pause$.pipe(
          tap((paused) => (paused ? frontier.pause() : frontier.resume())),
          ignoreElements(),
          takeUntil(frontier.finished$),
        );

        const worker = (ready$: Observable<Lease>): Observable<E | SkipEvent> =>
          ready$.pipe(
            mergeMap((lease) => work(frontier, lease, visit, enqueue)),
            repeat(),
          );

        const crew$ = crew(
          workers,
          defer(() => frontier.take()),
          worker,
        ).pipe(takeUntil(frontier.finished$));

        return merge(paused$, refused$, crew$, seeds$).pipe(finalize(() => frontier.close()));
      });
}

/** What a worker does with one lease: visit, feed back, then answer for it. Links go before the answer. */
function work<E extends CrawlEvent>(
  frontier: Frontier,
  lease: Lease,
  visit: Visit<E>,
  enqueue: (requests: readonly CrawlRequest[]) => ObservableInput<SkipEvent>,
): Observable<E | SkipEvent> {
  let fedBack: ObservableInput<SkipEvent> = [];
  let last: CrawlEvent | undefined;
  return concat(
    visit(lease.request, lease).pipe(
      // What was found may start at once: its start must not overtake the event that tells of it.
      tapAfter((visited: E) => {
        const event: CrawlEvent = visited;
        if (event.type === 'found') fedBack = both(fedBack, enqueue(event.admitted));
        else if (event.type === 'retry' || isTerminal(event)) last = event;
      }),
    ),
    defer(() => fedBack),
    defer(() => noValues(answer(frontier, lease, last))),
  );
}

function answer(
  frontier: Frontier,
  lease: Lease,
  last: CrawlEvent | undefined,
): ObservableInput<unknown> {
  if (last?.type === 'retry') return frontier.retry(lease, last);
  return frontier.ack(lease, { fetched: last?.type !== 'skip' });
}

/** Memory answers with empty arrays; they need no Observable. */
function both<T>(first: ObservableInput<T>, second: ObservableInput<T>): ObservableInput<T> {
  if (isEmptyArray(second)) return first;
  return isEmptyArray(first) ? second : concat(first, second);
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Waits for an operation of the frontier to be carried out. */
function noValues(operation: ObservableInput<unknown>): ObservableInput<never> {
  return Array.isArray(operation) ? [] : from(operation).pipe(ignoreElements());
}
