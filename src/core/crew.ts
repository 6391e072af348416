import {
  concatWith,
  defer,
  distinctUntilChanged,
  filter,
  mergeMap,
  NEVER,
  type Observable,
  range,
  scan,
  share,
  startWith,
  switchMap,
  pairwise,
  ReplaySubject,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import { expectWidth } from './expect.js';

/**
 * Runs workers side by side: a fixed number, or as many as an Observable says. A worker that
 * is not wanted any more finishes what it has and then waits until it is wanted again.
 *
 * @param size - how many workers
 * @param ready$ - what a worker subscribes to when it is ready: one value, then completion
 * @param worker - makes a worker's loop out of its `ready$`
 */
export function crew<A, B>(
  size: number | Observable<number>,
  ready$: Observable<A>,
  worker: (ready$: Observable<A>) => Observable<B>,
): Observable<B> {
  if (typeof size === 'number') return range(0, size).pipe(mergeMap(() => worker(ready$)));

  return defer(() => {
    const size$ = size.pipe(
      tap((wanted) => expectWidth('queued: workers', wanted, 0)),
      distinctUntilChanged(),
      // The last width counts for good: a worker that is not wanted goes on waiting.
      concatWith(NEVER),
      share({ connector: () => new ReplaySubject<number>(1), resetOnComplete: false }),
    );
    const readyWhenWanted = (index: number): Observable<A> =>
      size$.pipe(
        filter((wanted) => wanted > index),
        take(1),
        switchMap(() => ready$.pipe(takeUntil(size$.pipe(filter((wanted) => wanted <= index))))),
      );
    return size$.pipe(
      scan((most, wanted) => Math.max(most, wanted), 0),
      startWith(0),
      pairwise(),
      mergeMap(([before, now]) => range(before, now - before)),
      mergeMap((index) => worker(readyWhenWanted(index))),
    );
  });
}
