import { configure, type Context } from 'rxjs-marbles';
import { expect } from 'vitest';
import { withActionLimit } from '../../src/testing/action-limit.js';

const configured = configure({
  assertDeepEqual: (actual: unknown, expected: unknown) => {
    expect(actual).toStrictEqual(expected);
  },
  frameworkMatcher: true,
});

/**
 * Makes the body of a test whose Observables run in virtual time. The one place that knows
 * rxjs-marbles. An async body is refused: what it asserts after its first `await` would
 * never be compared, and the test would pass whatever it says. A run without end throws.
 *
 * @example
 * ```ts
 * it('delays', marbles((m) => {
 *   m.expect(m.cold('a|').pipe(delay(2))).toBeObservable('--(a|)');
 * }));
 * ```
 */
export function marbles(body: (m: Context) => void): () => void {
  const anyBody: (m: Context) => unknown = body;
  return () =>
    withActionLimit({}, (limit) => {
      const run: () => void = configured.marbles((m) => {
        limit(m.scheduler);
        const returned = anyBody(m);
        if (typeof returned === 'object' && returned !== null && 'then' in returned) {
          throw new TypeError('marbles: the body returned a promise, which virtual time ignores');
        }
      });
      run();
    });
}
