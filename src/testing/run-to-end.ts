import type { Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { withActionLimit, type RunLimits } from './action-limit.js';

/** An event and the virtual time at which it came, ms. */
export interface Timed<T> {
  readonly at: number;
  readonly event: T;
}

/** Options of {@link runToEnd}. */
export interface RunToEndOptions extends RunLimits {
  /** Unsubscribes at this virtual time, ms, and gives what had come by then. Default: never. */
  readonly until?: number;
}

/**
 * Runs a crawl, or any Observable, to its end in virtual time and gives all that it emitted.
 * Synchronous: 1,000 pages with a delay of 1 s each take some milliseconds, and give the same
 * list every time.
 *
 * @throws the error of `source$`
 * @throws Error if `source$` does not complete, or passes `maxActions` (1,000,000) or `maxFrames`
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { crawl, pages } from 'rxcrawl/core';
 * import { runToEnd, virtualPage, virtualSite } from 'rxcrawl/testing';
 *
 * const site = virtualSite({ 'https://a.example/': { latency: 20 } });
 * const crawl$ = of('https://a.example/').pipe(
 *   crawl({ fetcher: site.fetcher, parse: virtualPage }),
 *   pages(),
 * );
 * runToEnd(crawl$)[0]?.at; // 20
 * ```
 */
export function runToEnd<T>(source$: Observable<T>, options: RunToEndOptions = {}): Timed<T>[] {
  const { until = Infinity } = options;
  const events: Timed<T>[] = [];
  let outcome: { error: unknown } | 'running' | 'complete' = 'running';
  withActionLimit(options, (limit) => {
    const scheduler = new TestScheduler(() => undefined);
    limit(scheduler);
    scheduler.run(() => {
      const subscription = source$.subscribe({
        next: (event) => events.push({ at: scheduler.now(), event }),
        error: (error: unknown) => (outcome = { error }),
        complete: () => (outcome = 'complete'),
      });
      scheduler.schedule(() => subscription.unsubscribe(), until);
    });
  });
  return finish(outcome, events, until);
}

function finish<T>(
  outcome: { error: unknown } | 'running' | 'complete',
  events: Timed<T>[],
  until: number,
): Timed<T>[] {
  if (typeof outcome === 'object') throw outcome.error;
  if (outcome === 'complete' || until !== Infinity) return events;
  throw new Error(
    `runToEnd: nothing is left to happen after ${events.length} events ` +
      `(the last at ${events.at(-1)?.at ?? 0} ms), but the source has not completed. It waits ` +
      'for something outside of virtual time, such as a promise, or for seeds that never end.',
  );
}
