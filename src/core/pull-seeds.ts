// Own code, not `from(iterable)`: that reads an iterable to its end in one go, so an endless
// one never lets the crawl begin.

import { asyncScheduler, from, Observable, type ObservableInput, type SchedulerLike } from 'rxjs';
import { type CrawlRequest, isRequest } from './request.js';

/** What a crawl can start from. */
export type SeedInput = string | URL | CrawlRequest;

/** One seed, or a source of many. */
export type Seeds = SeedInput | ObservableInput<SeedInput>;

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
    const step = (): void => {
      if (pulling) return;
      pulling = true;
      try {
        for (let turn = 0; demand.wanted && !subscriber.closed; turn += 1) {
          if (turn === TURN) {
            subscriber.add(scheduler.schedule(step));
            break;
          }
          const result = iterator.next();
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
    const step = (): void => {
      if (pulling || finished || !demand.wanted || subscriber.closed) return;
      pulling = true;
      iterator.next().then(
        (result) => {
          pulling = false;
          if (result.done === true) {
            finished = true;
            subscriber.complete();
          } else {
            subscriber.next(result.value);
            step();
          }
        },
        (error: unknown) => {
          finished = true;
          subscriber.error(error);
        },
      );
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
