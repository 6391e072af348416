import { map, type Observable } from 'rxjs';
import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import type { CrawlEvent } from '../core/events.js';
import { withActionLimit, type RunLimits } from './action-limit.js';
import { assertEqual } from './assert-equal.js';
import { brief } from './brief.js';

/** What the body of a marble test works with: the helpers of rxjs' `TestScheduler`, and more. */
export interface MarbleHelpers extends RunHelpers {
  readonly scheduler: TestScheduler;
  /**
   * Expects the events of a crawl, each shown by `brief`.
   *
   * @param subscription - diagram with `^` and `!`
   */
  readonly expectEvents: (
    events$: Observable<CrawlEvent>,
    subscription?: string,
  ) => { toBe(marbles: string, values?: Readonly<Record<string, string>>, error?: unknown): void };
}

/** Options of {@link runMarbles}. */
export interface MarbleOptions extends RunLimits {
  /**
   * Compares what happened with what was expected, and throws if they differ. Default: a deep
   * comparison with a readable list. Give that of your framework for its own diffs.
   */
  readonly assertDeepEqual?: (actual: unknown, expected: unknown) => void;
}

/**
 * Runs a marble test now: in `body` all time of rxjs is virtual, and expectations are compared
 * when it has returned.
 *
 * Two mistakes that would pass or hang elsewhere throw here. An async body: what it expects
 * after its first `await` would never be compared. A crawl without end: virtual time would run
 * for ever and block the thread, so that not even the timeout of the test fires.
 *
 * @returns what `body` returned
 * @throws TypeError if `body` returns a promise
 * @throws Error if the run passes `maxActions` (1,000,000) or `maxFrames`, or if an expectation
 * does not hold
 *
 * @example
 * ```ts
 * import { map, of } from 'rxjs';
 * import { crawl, pages } from 'rxcrawl/core';
 * import { runMarbles, virtualPage, virtualSite } from 'rxcrawl/testing';
 *
 * runMarbles((m) => {
 *   const site = virtualSite('https://a.example', { '/': { latency: 3 } });
 *   const events$ = of('https://a.example/').pipe(crawl({ fetcher: site.fetcher, parse: virtualPage }));
 *   m.expectObservable(events$.pipe(pages(), map((page) => page.url))).toBe('---(a|)', {
 *     a: 'https://a.example/',
 *   });
 * });
 * ```
 */
export function runMarbles<R>(body: (m: MarbleHelpers) => R, options: MarbleOptions = {}): R {
  return withActionLimit(options, (limit) => {
    const scheduler = new TestScheduler(options.assertDeepEqual ?? assertEqual);
    limit(scheduler);
    return scheduler.run((helpers) => {
      const returned = body({
        ...helpers,
        scheduler,
        expectEvents: (events$, subscription) =>
          helpers.expectObservable(events$.pipe(map((event) => brief(event))), subscription),
      });
      if (isThenable(returned)) {
        throw new TypeError(
          'runMarbles: the body returned a promise. Promises do not take part in virtual time, ' +
            'and what is expected after the first await would never be compared: use a plain ' +
            'function, and Observables instead of promises.',
        );
      }
      return returned;
    });
  });
}

/**
 * Makes the function of a test out of the body of a marble test: {@link runMarbles}, later.
 *
 * @example
 * ```ts
 * import { delay } from 'rxjs';
 * import { crawlMarbles } from 'rxcrawl/testing';
 * import { it } from 'vitest';
 *
 * it(
 *   'waits',
 *   crawlMarbles((m) => {
 *     m.expectObservable(m.cold('a|').pipe(delay(2))).toBe('--(a|)');
 *   }),
 * );
 * ```
 */
export function crawlMarbles(
  body: (m: MarbleHelpers) => void,
  options: MarbleOptions = {},
): () => void {
  return () => runMarbles(body, options);
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}
