import { asyncScheduler, EMPTY, type Observable, type SchedulerLike } from 'rxjs';
import { type AdaptDelayOptions, checkAdaptDelay } from './adapt-delay.js';
import {
  expectFraction,
  expectFunction,
  expectMs,
  expectObservable,
  expectScheduler,
  expectTimer,
} from './expect.js';
import {
  booleanOr,
  type Expectations,
  expectOptions,
  functionOr,
  integerFrom,
  listOf,
} from './expect-options.js';
import type { Fetcher, FetcherDecorator } from './fetcher.js';
import type { GuardFactory } from './guard.js';
import type { Handler } from './handler.js';
import { hostOf, type HostKey } from './host-key.js';
import { type BarePage, barePage, type Parse } from './page.js';
import { parseRate } from './parse-rate.js';
import { queued } from './queued.js';
import type { CrawlRequest } from './request.js';
import { type RetryPolicy, retryPolicy } from './retry-policy.js';
import { type Scope, sameHost } from './scope.js';
import { exactSet, type SeenSet } from './seen-set.js';
import type { Sink } from './sink.js';
import type { Strategy } from './strategy.js';

/**
 * Options of `crawl()`. All but `fetcher` have defaults. Times are in milliseconds.
 *
 * @typeParam T - type of the items, inferred from `handle`
 * @typeParam P - type of the pages, inferred from `parse`
 */
export interface CrawlOptions<T, P extends BarePage = BarePage> {
  /** Does one exchange; redirects, politeness and retries are put around it. */
  readonly fetcher: Fetcher;
  /** Put around each exchange, the first one innermost: robots.txt, cookies, a cache … */
  readonly decorators?: readonly FetcherDecorator[] | undefined;
  /** Who runs what next. Default `queued(16)`. */
  readonly strategy?: Strategy | undefined;
  /** Makes a page of an answer. Default: request, URL, status, headers and bytes as they are. */
  readonly parse?: Parse<P> | undefined;
  /** The user's code for a page. Default: does nothing. */
  readonly handle?: Handler<T, P> | undefined;
  /** Takes each item before the next is asked for: a slow sink holds the worker. Default: none. */
  readonly sink?: Sink<T> | undefined;
  /** Statuses whose pages are handled; others fail with `http-status`. Default 200 to 299. */
  readonly acceptStatus?: ((status: number) => boolean) | undefined;
  /** What belongs to the crawl. Default {@link sameHost}: the hosts of the seeds. */
  readonly scope?: Scope | undefined;
  /** Further rules that may refuse a request. Default: none. */
  readonly guards?: readonly GuardFactory[] | undefined;
  /** Identity of a request that was given no `key`, for dedupe. Default: URL, method and body. */
  readonly key?: ((request: CrawlRequest) => string) | undefined;
  /** Where keys are remembered. Default {@link exactSet}. */
  readonly seen?: (() => SeenSet) | undefined;
  /** Most hops from a seed. Default 20. */
  readonly maxDepth?: number | undefined;
  /** Exactly this many pages are fetched, if there are as many. Default: no limit. */
  readonly maxPages?: number | undefined;
  /** Requests that one page may yield. Default 5,000. */
  readonly maxLinksPerPage?: number | undefined;
  /** Longest URL, characters. Default 8,192. */
  readonly maxUrlLength?: number | undefined;
  /** Most redirects from one request. Default 10. */
  readonly maxRedirects?: number | undefined;
  /** Most exchanges with one host at a time. Default 2. */
  readonly perHost?: number | undefined;
  /** Least time between two starts on one host, or a function of the host. Default 500. */
  readonly delay?: number | ((host: string) => number) | undefined;
  /** Up to this part of the delay is added at random. Default 0.25. */
  readonly jitter?: number | undefined;
  /** Most starts on a host in any window, spread evenly: `60/m`, `2/s`, `100/h`. Default: none. */
  readonly rate?: string | undefined;
  /** Whether the gap is adapted to how a host answers, or how. Default false. */
  readonly adaptiveDelay?: boolean | AdaptDelayOptions | undefined;
  /** Longest `Retry-After` that is waited for; a host that asks for more is given up. Default 300,000. */
  readonly retryAfterCap?: number | undefined;
  /**
   * How often a request is put back because its host says how long to wait (429 or 503 with
   * `Retry-After`); then it fails. These do not count as retries. Without `Retry-After`, and with 0
   * here, `retry` decides, at a host that is held all the same. Default 5.
   */
  readonly maxHolds?: number | undefined;
  /** A host that has only held the crawl up for so long is given up: `deferred`. Default 900,000. */
  readonly stallLimit?: number | undefined;
  /** A host that could not be reached so often in a row is given up. Default 10. */
  readonly maxHostFailures?: number | undefined;
  /** What counts as one host. Default: host and port. */
  readonly hostKey?: HostKey | undefined;
  /** Whether a failed attempt is followed by another. Default {@link retryPolicy}. */
  readonly retry?: RetryPolicy | undefined;
  /** Time for one page's handler; then its signal fires. Default 60,000. */
  readonly handlerTimeout?: number | undefined;
  /** Seeds are pulled from an iterable while fewer requests than this are outstanding. Default 64. */
  readonly seedLookahead?: number | undefined;
  /** While its last value is true, nothing new is started. */
  readonly pause$?: Observable<boolean> | undefined;
  /**
   * Its first value stops the crawl: what runs may finish, what waits is skipped. One of the
   * form `{ drainMs: 500 }` gives the time to drain, in place of `drain`; a later one gives it
   * anew, from then on: `{ drainMs: 0 }` aborts what runs.
   */
  readonly stop$?: Observable<unknown> | undefined;
  /** Time that running requests have after a stop; then they are aborted. Default 10,000. */
  readonly drain?: number | undefined;
  /** The clock of everything that waits. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /** From 0 to below 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options with all defaults filled in. */
export type CrawlSettings<T, P extends BarePage> = {
  readonly [K in keyof CrawlOptions<T, P>]-?: K extends OptionalSetting
    ? CrawlOptions<T, P>[K]
    : NonNullable<CrawlOptions<T, P>[K]>;
};

type OptionalSetting = 'sink' | 'key' | 'rate' | 'stop$';

/** What is expected of each option. */
export const CRAWL_EXPECTATIONS: Expectations<CrawlOptions<never>> = {
  fetcher: expectFunction,
  decorators: listOf(expectFunction),
  strategy: expectFunction,
  parse: expectFunction,
  handle: expectFunction,
  sink: expectFunction,
  acceptStatus: expectFunction,
  scope: expectFunction,
  guards: listOf(expectFunction),
  key: expectFunction,
  seen: expectFunction,
  maxDepth: integerFrom(0),
  maxPages: integerFrom(1),
  maxLinksPerPage: integerFrom(0),
  maxUrlLength: integerFrom(1),
  maxRedirects: integerFrom(0),
  perHost: integerFrom(1),
  delay: functionOr(expectTimer),
  jitter: expectFraction,
  rate: (_name, rate) => void parseRate(rate as string),
  adaptiveDelay: booleanOr((name, options) => checkAdaptDelay(name, options as AdaptDelayOptions)),
  retryAfterCap: expectMs,
  maxHolds: integerFrom(0),
  stallLimit: expectMs,
  maxHostFailures: integerFrom(1),
  hostKey: expectFunction,
  retry: expectFunction,
  handlerTimeout: expectMs,
  seedLookahead: integerFrom(1),
  pause$: expectObservable,
  stop$: expectObservable,
  drain: expectMs,
  scheduler: expectScheduler,
  random: expectFunction,
};

/**
 * Checks options and fills in defaults.
 *
 * @throws TypeError or RangeError naming the option, what was expected and what was given
 */
export function crawlSettings<T, P extends BarePage>(
  options: CrawlOptions<T, P>,
): CrawlSettings<T, P> {
  expectOptions<object>('crawl', options, CRAWL_EXPECTATIONS);
  expectFunction('crawl: fetcher', options.fetcher);
  return {
    fetcher: options.fetcher,
    decorators: options.decorators ?? [],
    strategy: options.strategy ?? queued(),
    // The bare page is a P where no parser is given: P is then inferred as BarePage.
    parse: options.parse ?? (barePage as Parse<P>),
    handle: options.handle ?? (() => undefined),
    sink: options.sink,
    acceptStatus: options.acceptStatus ?? ((status) => status >= 200 && status < 300),
    scope: options.scope ?? sameHost(),
    guards: options.guards ?? [],
    key: options.key,
    seen: options.seen ?? exactSet,
    maxDepth: options.maxDepth ?? 20,
    maxPages: options.maxPages ?? Infinity,
    maxLinksPerPage: options.maxLinksPerPage ?? 5_000,
    maxUrlLength: options.maxUrlLength ?? 8_192,
    maxRedirects: options.maxRedirects ?? 10,
    perHost: options.perHost ?? 2,
    delay: delayOf(options),
    jitter: options.jitter ?? 0.25,
    rate: options.rate,
    adaptiveDelay: options.adaptiveDelay ?? false,
    retryAfterCap: options.retryAfterCap ?? 300_000,
    maxHolds: options.maxHolds ?? 5,
    stallLimit: options.stallLimit ?? 900_000,
    maxHostFailures: options.maxHostFailures ?? 10,
    hostKey: options.hostKey ?? hostOf,
    retry: options.retry ?? retryPolicy(options.random ? { random: options.random } : {}),
    handlerTimeout: options.handlerTimeout ?? 60_000,
    seedLookahead: options.seedLookahead ?? 64,
    pause$: options.pause$ ?? EMPTY,
    stop$: options.stop$,
    drain: options.drain ?? 10_000,
    scheduler: options.scheduler ?? asyncScheduler,
    random: options.random ?? Math.random,
  };
}

/** A rate is kept by a gap; where one is given, the default delay does not count. */
function delayOf<T, P extends BarePage>({
  delay,
  rate,
}: CrawlOptions<T, P>): number | ((host: string) => number) {
  if (rate === undefined) return delay ?? 500;
  const gap = parseRate(rate);
  if (typeof delay === 'function') return (host) => Math.max(gap, delay(host));
  return Math.max(gap, delay ?? 0);
}
