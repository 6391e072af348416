import {
  asyncScheduler,
  catchError,
  defer,
  map,
  type Observable,
  of,
  type SchedulerLike,
  switchAll,
  switchMap,
  throwError,
  timer,
} from 'rxjs';
import { CrawlError, isCrawlError } from './errors.js';
import { expectFunction, expectScheduler, expectTimer } from './expect.js';
import { expectOptions } from './expect-options.js';
import type { FetchContext, FetchedResponse, FetcherDecorator } from './fetcher.js';
import { messageOf } from './message-of.js';
import type { CrawlRequest } from './request.js';
import { type Outcome, type RetryPolicy, retryPolicy } from './retry-policy.js';

/** Options of {@link retryFetch}. */
export interface RetryFetchOptions {
  readonly scheduler?: SchedulerLike;
}

/**
 * Tries a fetch again as a policy says, waiting where it stands. For fetchers that are used on
 * their own; `crawl()` has retries of its own, which wait in the frontier.
 *
 * An answer that is worth another try by its status is let through when the tries are used up.
 * Errors with `internal` where the policy throws, or gives what is no time.
 *
 * ```text
 * fetch:  #    #    (r|)     one attempt after the other
 * result: ----------(r|)
 * ```
 *
 * @example
 * ```ts
 * const fetcher = retryFetch(retryPolicy({ retries: 4 }))(undiciFetcher());
 * ```
 */
export function retryFetch(
  policy: RetryPolicy = retryPolicy(),
  options: RetryFetchOptions = {},
): FetcherDecorator {
  expectFunction('retryFetch: policy', policy);
  expectOptions('retryFetch', options, { scheduler: expectScheduler });
  const { scheduler = asyncScheduler } = options;
  return (fetcher) => {
    const tryFrom = (
      attempt: number,
      request: CrawlRequest,
      context: FetchContext | undefined,
    ): Observable<FetchedResponse> => {
      const again = (delayMs: number): Observable<FetchedResponse> =>
        timer(delayMs, scheduler).pipe(switchMap(() => tryFrom(attempt + 1, request, context)));

      const decide = (
        outcome: Outcome,
        otherwise: Observable<FetchedResponse>,
      ): Observable<FetchedResponse> => {
        try {
          const delayMs = policy(attempt, outcome);
          if (delayMs === null) return otherwise;
          expectTimer('its result', delayMs);
          return again(delayMs);
        } catch (cause) {
          const message = `the retry policy failed: ${messageOf(cause)}`;
          return throwError(() => new CrawlError('internal', message, { cause }));
        }
      };

      const judgeAnswer = (response: FetchedResponse): Observable<FetchedResponse> => {
        const { status } = response;
        if (status < 400) return of(response);
        const error = new CrawlError('http-status', `answered with status ${status}`, { status });
        return decide({ request, error, response }, of(response));
      };

      const judgeError = (error: unknown): Observable<FetchedResponse> => {
        const failed$ = throwError(() => error);
        return isCrawlError(error)
          ? decide({ request, error, response: undefined }, failed$)
          : failed$;
      };

      return defer(() => fetcher(request, { ...context, attempt })).pipe(
        map(judgeAnswer),
        catchError((error: unknown) => of(judgeError(error))),
        switchAll(),
      );
    };
    return (request, context) => tryFrom(context?.attempt ?? 1, request, context);
  };
}
