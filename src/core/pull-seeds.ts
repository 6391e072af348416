// Own code, not `from(iterable)`: that reads an iterable to its end in one go, so an endless
// one never lets the crawl begin.

import {
  asyncScheduler,
  from,
  isObservable,
  Observable,
  type ObservableInput,
  type SchedulerLike,
  type Subscription,
} from 'rxjs';
import { show } from './expect.js';
import { iteratorResult } from './iterator-result.js';
import { type CrawlRequest, isRequest } from './request.js';

/** What a crawl can start from. */
export type SeedInput = string | URL | CrawlRequest;

/** One seed, or a source of many. */
export type Seeds = SeedInput | ObservableInput<SeedInput>;

/**
 * Checks what a crawl is given to start from.
 *
 * @throws TypeError if it is neither a seed nor a source of seeds
 */
export function expectSeeds(seeds: unknown): void {
  if (typeof seeds === 'string') return;
  const isSource =
    typeof seeds === 'object' &&
    seeds !== null &&
    (seeds instanceof URL ||
      isRequest(seeds) ||
      isObservable(seeds) ||
      Symbol.iterator in seeds ||
      Symbol.asyncIterator in seeds ||
      Symbol.observable in seeds ||
      'then' in seeds ||
      'getReader' in seeds);
  if (!isSource) {
    throw new TypeError(
      `crawl: seeds: expected a URL, a request, or an iterable, Observable or promise of them, got ${show(seeds)}`,
    );
  }
}

/** Tells a source when to go on. */
export interface Demand {
  readonly wanted: boolean;
  readonly wanted$: Observable<unknown>;
}

/** After this many seeds in a row that led to nothing, other work gets its turn. */
const TURN = 1_000;

/**
 * The seeds as a stream. Iterables and async iterables are pulled only while seeds are wanted;
 * Observables and promises push as they like.
 */
export function pullSeeds(
  seeds: Seeds,
  demand: Demand,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<SeedInput> {
  if (typeof seeds === 'string' || seeds instanceof URL || isRequest(seeds)) return from([seeds]);
  if (Symbol.iterator in seeds) return pull(() => seeds[Symbol.iterator](), demand, scheduler);
  if (Symbol.asyncIterator in seeds) return pullAsync(() => seeds[Symbol.asyncIterator](), demand);
  return from(seeds);
}

function pull(
  open: () => Iterator<SeedInput>,
  demand: Demand,
  scheduler: SchedulerLike,
): Observable<SeedInput> {
  return new Observable<SeedInput>((subscriber) => {
    const iterator = open();
    let pulling = false;
    let finished = false;
    let nextTurn: Subscription | undefined;
    const step = (): void => {
      if (pulling) return;
      pulling = true;
      nextTurn?.unsubscribe();
      try {
        for (let turn = 0; demand.wanted && !subscriber.closed; turn += 1) {
          if (turn === TURN) {
            // 1 ms is what 0 comes to on a real clock; a virtual one would stand still at 0.
            nextTurn = scheduler.schedule(step, 1);
            break;
          }
          const result = iteratorResult(iterator.next());
          if (result.done === true) {
            finished = true;
            subscriber.complete();
            break;
          }
          subscriber.next(result.value);
        }
      } catch (error) {
        finished = true;
        subscriber.error(error);
      } finally {
        pulling = false;
      }
    };
    subscriber.add(() => {
      nextTurn?.unsubscribe();
      if (!finished) iterator.return?.();
    });
    subscriber.add(demand.wanted$.subscribe(step));
    step();
  });
}

function pullAsync(open: () => AsyncIterator<SeedInput>, demand: Demand): Observable<SeedInput> {
  return new Observable<SeedInput>((subscriber) => {
    const iterator = open();
    let pulling = false;
    let finished = false;
    const fail = (error: unknown): void => {
      finished = true;
      subscriber.error(error);
    };
    const take = (given: IteratorResult<SeedInput>): void => {
      const result = iteratorResult(given);
      pulling = false;
      if (result.done === true) {
        finished = true;
        subscriber.complete();
      } else {
        subscriber.next(result.value);
        step();
      }
    };
    const step = (): void => {
      if (pulling || finished || !demand.wanted || subscriber.closed) return;
      pulling = true;
      try {
        iterator.next().then(take).then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    };
    subscriber.add(() => {
      if (finished) return;
      finished = true;
      iterator.return?.().catch(() => undefined);
    });
    subscriber.add(demand.wanted$.subscribe(step));
    step();
  });
}
