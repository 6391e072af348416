import { defer, NEVER, type Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  CrawlError,
  type FetchedResponse,
  type Fetcher,
  request,
  RequestRefused,
  retryFetch,
  retryPolicy,
} from '../../src/core/index.js';
import { marbles } from '../helpers/marbles.js';

const asked = request('https://a.example/');
const answer = (status: number): FetchedResponse => ({
  ...{ url: asked.url, status, headers: {}, body: new Uint8Array(), redirects: [], wireBytes: 0 },
});
const throwing = (): never => {
  throw new Error('broken');
};
const RESET = new CrawlError('connection-reset', 'reset');

/** Answers one after the other; the last one stays. */
function site(...answers: readonly Observable<FetchedResponse>[]): {
  readonly fetcher: Fetcher;
  readonly attempts: number[];
} {
  const attempts: number[] = [];
  const fetcher: Fetcher = (_request, context) =>
    defer(() => {
      const index = Math.min(attempts.push(context?.attempt ?? 0), answers.length) - 1;
      return answers[index] ?? NEVER;
    });
  return { fetcher, attempts };
}

describe('retryFetch', () => {
  it(
    'tries again as the policy says, one attempt after the other',
    marbles((m) => {
      const r = answer(200);
      const fetches = ['#', '#', '(r|)'].map((diagram) => m.cold(diagram, { r }, RESET));
      const { fetcher, attempts } = site(...fetches);
      const result = retryFetch(() => 5)(fetcher)(asked);
      m.expect(result).toBeObservable('----------(r|)', { r });
      m.flush();
      expect(attempts).toEqual([1, 2, 3]);
    }),
  );

  it(
    'lets the last answer through when the tries are used up, and the last error',
    marbles((m) => {
      const policy = retryPolicy({ retries: 1, base: 4, random: () => 0.5 });
      const busy = answer(503);
      m.expect(retryFetch(policy)(site(of(busy)).fetcher)(asked)).toBeObservable('----(r|)', {
        r: busy,
      });
      const reset = site(throwError(() => RESET));
      m.expect(retryFetch(policy)(reset.fetcher)(asked)).toBeObservable('----#', {}, RESET);
    }),
  );

  it(
    'ends with its subscriber, also while it waits',
    marbles((m) => {
      const { fetcher, attempts } = site(throwError(() => RESET));
      m.expect(retryFetch(() => 5)(fetcher)(asked), '^-------!').toBeObservable('---------');
      m.flush();
      expect(attempts).toEqual([1, 2]);
    }),
  );

  it('lets what is refused on purpose alone', () => {
    const { fetcher, attempts } = site(throwError(() => new RequestRefused('robots', 'denied')));
    const errors: unknown[] = [];
    retryFetch(() => 0)(fetcher)(asked).subscribe({
      error: (error: unknown) => errors.push(error),
    });
    expect(errors).toMatchObject([{ reason: 'robots' }]);
    expect(attempts).toEqual([1]);
  });

  it.each<[string, () => number]>([
    ['throws', throwing],
    ['gives NaN', () => NaN],
    ['gives a time that has no end', () => Infinity],
    ['gives a time that no timer knows', () => 1e12],
    ['gives a time before now', () => -1],
  ])('fails, and tries nothing, where a policy %s', (_what, policy) => {
    for (const outcome of [of(answer(503)), throwError(() => RESET)]) {
      const { fetcher, attempts } = site(outcome);
      const errors: unknown[] = [];
      retryFetch(policy)(fetcher)(asked).subscribe({
        error: (error: unknown) => errors.push(error),
      });
      expect(errors).toMatchObject([{ code: 'internal' }]);
      expect(attempts).toEqual([1]);
    }
  });
});
