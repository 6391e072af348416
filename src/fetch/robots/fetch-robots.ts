import { catchError, defer, mergeMap, of, type Observable } from 'rxjs';
import {
  isCrawlError,
  isRequestRefused,
  request,
  type CrawlError,
  type CrawlErrorCode,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
} from '../../core/index.js';
import { parseRetryAfter } from '../../core/parse-retry-after.js';
import { tryParseUrl } from '../../url/index.js';
import { agentRules, type AgentRules } from './agent-rules.js';
import { parseRobots } from './parse-robots.js';
import { robotsLifetime } from './robots-lifetime.js';

/** What became of asking for a robots.txt. */
export type RobotsAnswer =
  | {
      readonly type: 'rules';
      readonly rules: AgentRules;
      /** How long the server says that it is fresh, ms. */
      readonly lifetime: number | undefined;
    }
  | {
      readonly type: 'unreachable';
      readonly why: string;
      /** When the server says to ask again, ms from now. */
      readonly retryAfter: number | undefined;
      readonly cause: CrawlError | undefined;
    };

/** How to ask. */
export interface FetchRobotsOptions {
  /** Product token of the crawler. */
  readonly token: string;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly now: () => number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Asks an origin for its robots.txt and judges the answer as RFC 9309 §2.3.1 says: rules, none
 * (unavailable: 4xx, too many redirects, a loop), or unreachable (5xx, 429, network). Redirects are
 * followed to any host, and the rules count for the origin that was asked. One to where we may not
 * go leaves it unreachable. Errors only where the first fetch was refused, or one aborted, which
 * says nothing about the site.
 */
export function fetchRobots(
  fetcher: Fetcher,
  robotsUrl: string,
  context: FetchContext,
  options: FetchRobotsOptions,
): Observable<RobotsAnswer> {
  function hop(url: string, before: readonly string[]): Observable<RobotsAnswer> {
    return defer(() => fetcher(request(url), context)).pipe(
      mergeMap((response) => {
        if (!REDIRECTS.has(response.status)) return of(judge(response, options));
        const chain = [...before, url];
        const target = redirectTarget(response, url);
        if (target === undefined || chain.length > options.maxRedirects) return of(UNAVAILABLE);
        // Each round of a loop would wait for its turn at the host. A cookie may change the answer.
        const isLoop = chain.includes(target) && response.headers['set-cookie'] === undefined;
        return isLoop ? of(UNAVAILABLE) : hop(target, chain);
      }),
      catchError((error: unknown) => of(judgeError(error, before.length > 0))),
    );
  }
  return hop(robotsUrl, []);
}

/** Nothing is known of the site's wishes, and RFC 9309 §2.3.1.3 says: access any resource. */
const UNAVAILABLE: RobotsAnswer = {
  type: 'rules',
  rules: agentRules([], undefined),
  lifetime: undefined,
};

function judge(
  response: FetchedResponse,
  { token, maxBytes, now }: FetchRobotsOptions,
): RobotsAnswer {
  const { status, headers, body, truncated = false } = response;
  if (status === 429 || status >= 500 || status < 200) return failed(response, now());
  if (status >= 300) return UNAVAILABLE;
  // Cut by ourselves it is as good as whole; cut on the way it may lack what matters.
  if (truncated && body.length < maxBytes) return unreachable('the answer was cut', undefined);
  const rules = parseRobots(body, { maxBytes, truncated }).forAgent(token);
  return { type: 'rules', rules, lifetime: robotsLifetime(headers, now()) };
}

function failed({ status, headers }: FetchedResponse, now: number): RobotsAnswer {
  const retryAfter = headers['retry-after'];
  return {
    type: 'unreachable',
    why: `status ${status}`,
    retryAfter: typeof retryAfter === 'string' ? parseRetryAfter(retryAfter, now) : undefined,
    cause: undefined,
  };
}

/** A fetcher that follows redirects by itself says so in its own words. */
const BROKEN_REDIRECT: ReadonlySet<CrawlErrorCode> = new Set([
  'invalid-location',
  'redirect-loop',
  'too-many-redirects',
]);
/** These say nothing about the site. */
const NOT_THE_SITE: ReadonlySet<CrawlErrorCode> = new Set([
  'aborted',
  'deferred',
  'invalid-request',
  'internal',
  'proxy-failed',
]);

function judgeError(error: unknown, redirected: boolean): RobotsAnswer {
  if (redirected && isRequestRefused(error)) {
    return unreachable(`its redirect is refused, ${error.message}`, undefined);
  }
  if (!isCrawlError(error) || NOT_THE_SITE.has(error.code)) throw error;
  if (BROKEN_REDIRECT.has(error.code)) return UNAVAILABLE;
  const { status } = error;
  if (status !== undefined && status >= 400 && status < 500 && status !== 429) return UNAVAILABLE;
  return unreachable(status === undefined ? error.code : `status ${status}`, error);
}

/** An outcome of a fetch that never came to an answer. */
export function unreachable(why: string, cause: CrawlError | undefined): RobotsAnswer {
  return { type: 'unreachable', why, retryAfter: undefined, cause };
}

function redirectTarget({ headers }: FetchedResponse, base: string): string | undefined {
  const { location } = headers;
  const url = typeof location === 'string' ? tryParseUrl(location, base) : undefined;
  if (url === undefined) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = url.password = '';
  return url.href;
}
