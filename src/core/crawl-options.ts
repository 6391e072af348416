import { asyncScheduler, EMPTY, type Observable, type SchedulerLike } from 'rxjs';
import {
  expectFunction,
  expectInteger,
  expectMs,
  expectObservable,
  expectTimer,
  show,
} from './expect.js';
import type { AdaptDelayOptions } from './adapt-delay.js';
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
   * form `{ drainMs: 500 }` gives the time to drain, in place of `drain`.
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

const KNOWN: Readonly<Record<keyof CrawlOptions<unknown>, true>> = {
  fetcher: true,
  decorators: true,
  strategy: true,
  parse: true,
  handle: true,
  sink: true,
  acceptStatus: true,
  scope: true,
  guards: true,
  key: true,
  seen: true,
  maxDepth: true,
  maxPages: true,
  maxLinksPerPage: true,
  maxUrlLength: true,
  maxRedirects: true,
  perHost: true,
  delay: true,
  jitter: true,
  rate: true,
  adaptiveDelay: true,
  retryAfterCap: true,
  maxHolds: true,
  stallLimit: true,
  maxHostFailures: true,
  hostKey: true,
  retry: true,
  handlerTimeout: true,
  seedLookahead: true,
  pause$: true,
  stop$: true,
  drain: true,
  scheduler: true,
  random: true,
};

/** Names of the options of `crawl()` in `rxcrawl/core`. */
export const CRAWL_OPTIONS: readonly string[] = Object.keys(KNOWN);

/**
 * Checks options and fills in defaults.
 *
 * @throws TypeError or RangeError naming the option, what was expected and what was given
 */
export function crawlSettings<T, P extends BarePage>(
  options: CrawlOptions<T, P>,
): CrawlSettings<T, P> {
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw new TypeError(`crawl: expected an object of options, got ${show(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name)) {
      throw new TypeError(`crawl: unknown option "${name}"; known are ${CRAWL_OPTIONS.join(', ')}`);
    }
  }
  const settings: CrawlSettings<T, P> = {
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
  check(settings);
  return settings;
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

function check<T, P extends BarePage>(settings: CrawlSettings<T, P>): void {
  const functions = [
    'fetcher',
    'strategy',
    'parse',
    'handle',
    'acceptStatus',
    'scope',
    'seen',
    'hostKey',
    'retry',
    'random',
  ] as const;
  for (const name of functions) expectFunction(`crawl: ${name}`, settings[name]);
  for (const name of ['sink', 'key'] as const) {
    if (settings[name] !== undefined) expectFunction(`crawl: ${name}`, settings[name]);
  }
  for (const name of ['decorators', 'guards'] as const) {
    const list: unknown = settings[name];
    if (!Array.isArray(list)) {
      throw new TypeError(`crawl: ${name}: expected an array of functions, got ${show(list)}`);
    }
    for (const each of list) expectFunction(`crawl: ${name}`, each);
  }
  expectInteger('crawl: maxDepth', settings.maxDepth, 0);
  expectInteger('crawl: maxPages', settings.maxPages, 1);
  expectInteger('crawl: maxLinksPerPage', settings.maxLinksPerPage, 0);
  expectInteger('crawl: maxUrlLength', settings.maxUrlLength, 1);
  expectInteger('crawl: maxRedirects', settings.maxRedirects, 0);
  expectInteger('crawl: perHost', settings.perHost, 1);
  expectInteger('crawl: seedLookahead', settings.seedLookahead, 1);
  if (typeof settings.delay !== 'function') expectTimer('crawl: delay', settings.delay);
  expectInteger('crawl: maxHolds', settings.maxHolds, 0);
  expectInteger('crawl: maxHostFailures', settings.maxHostFailures, 1);
  expectMs('crawl: retryAfterCap', settings.retryAfterCap);
  expectMs('crawl: stallLimit', settings.stallLimit);
  expectMs('crawl: handlerTimeout', settings.handlerTimeout);
  expectMs('crawl: drain', settings.drain);
  if (typeof settings.jitter !== 'number' || !(settings.jitter >= 0 && settings.jitter <= 1)) {
    const WrongOption = typeof settings.jitter === 'number' ? RangeError : TypeError;
    throw new WrongOption(
      `crawl: jitter: expected a number from 0 to 1, got ${show(settings.jitter)}`,
    );
  }
  expectObservable('crawl: pause$', settings.pause$);
  if (settings.stop$ !== undefined) expectObservable('crawl: stop$', settings.stop$);
  if (typeof (settings.scheduler as Partial<SchedulerLike>).schedule !== 'function') {
    throw new TypeError(`crawl: scheduler: expected a scheduler, got ${show(settings.scheduler)}`);
  }
}
