import { Buffer } from 'node:buffer';
import {
  asyncScheduler,
  defer,
  finalize,
  map,
  mergeMap,
  of,
  share,
  throwError,
  timeout,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import {
  RequestRefused,
  CrawlError,
  type CrawlRequest,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
  type FetcherDecorator,
  type HostPass,
} from '../../core/index.js';
import { expectFunction, expectMs, expectScheduler, expectString } from '../../core/expect.js';
import { expectOptions, integerFrom } from '../../core/expect-options.js';
import { isNoConnection } from '../../core/is-no-connection.js';
import { type AgentRules } from './agent-rules.js';
import { fetchRobots, unreachable, type RobotsAnswer } from './fetch-robots.js';
import { ROBOTS_MAX_BYTES } from './parse-robots.js';
import { robotsToken } from './robots-token.js';

/** What {@link obeyRobots} takes. */
export interface ObeyRobotsOptions {
  /** User agent of the crawler; its product token is what robots.txt files name it by. */
  readonly userAgent: string;
  /**
   * Longest time that rules are kept, ms. Default 24 h, which RFC 9309 §2.4 allows. A shorter
   * time that the server names is kept to, down to 5 minutes.
   */
  readonly cacheMs?: number;
  /** Origins whose rules are kept; the one that was used longest ago goes first. Default 10,000. */
  readonly maxOrigins?: number;
  /** Time before an unreachable robots.txt is asked for again, ms. Default 5 minutes. */
  readonly recheckMs?: number;
  /** Longest time for one robots.txt with all its redirects, ms. Default 60 s. */
  readonly timeout?: number;
  /** Redirects that are followed for one robots.txt. Default 5 (RFC 9309 §2.3.1.2). */
  readonly maxRedirects?: number;
  /** Bytes of a robots.txt that are read. Default 512,000 (RFC 9309 §2.5). */
  readonly maxBytes?: number;
  /** Longest `Crawl-delay` that is kept to, ms; a longer one is a warning. Default 30 s. */
  readonly crawlDelayCap?: number;
  /**
   * Told each `Crawl-delay`, ms, at most `crawlDelayCap`, with the URL of the robots.txt. The
   * crawl itself is told by the `setDelay` of its context.
   */
  readonly onCrawlDelay?: (url: string, ms: number) => void;
  /**
   * Put around the fetcher for robots.txt alone, such as `retryFetch()`: a fault that passes
   * in seconds should not deny a site for minutes. Default: nothing.
   */
  readonly retry?: FetcherDecorator;
  readonly scheduler?: SchedulerLike;
}

interface Settings extends Required<Omit<ObeyRobotsOptions, 'userAgent'>> {
  readonly token: string;
  readonly now: () => number;
}

/** A robots.txt that is unreachable is asked for again so often; then as often as a good one. */
const RECHECKS = 3;
/** Longest time for one robots.txt by default, ms. */
export const ROBOTS_TIMEOUT_MS = 60_000;
const SHORTEST_CACHE_MS = 5 * 60_000;

/** What is known of one origin. */
interface Origin {
  readonly name: string;
  readonly robotsUrl: string;
  /** The last rules that came; `undefined` before the first. */
  rules: AgentRules | undefined;
  /** Why there are none. */
  why: string;
  cause: CrawlError | undefined;
  /** No need to ask before this time. */
  freshUntil: number;
  /** Times in a row that it was unreachable. */
  failures: number;
  /** Places at the host that those who wait have reserved. */
  readonly passes: Set<HostPass>;
  /** The fetch that is on its way, shared by all who wait for it. */
  answer$: Observable<Origin> | undefined;
}

/**
 * Makes a fetcher keep to robots.txt (RFC 9309). Before the first request to an origin (scheme,
 * host and port) its robots.txt is fetched, once for all who wait for it, through the inner
 * fetcher, so that politeness and all else count for it too. A URL that the rules deny errors
 * with `RequestRefused('robots')` and is never sent.
 *
 * | robots.txt | means |
 * | --- | --- |
 * | 2xx | its rules, for `cacheMs` at most; no rule that can be read: all is allowed |
 * | 4xx, more than 5 redirects, a redirect that leads nowhere | all is allowed |
 * | 429, 5xx, no answer, a cut answer | all is denied; asked again by the first request after `recheckMs`, or after `Retry-After`. After 3 such times it stays so for `cacheMs`. Rules that were read before stay in force meanwhile |
 * | no connection | the same, but requests fail with that error, as they would themselves, and their retries ask again |
 *
 * A denied request does not wait for the next check: it ends at once, without a worker or a timer
 * held, and says why. Put it inside of `followRedirects`, so that each hop is checked, and
 * outside of `polite`.
 *
 * ```text
 * requests:  ab-----c|
 * asked:     r--(ab)c      r is robots.txt and takes 3 frames, pages none
 * responses: ---(ab)c|
 * ```
 *
 * @throws TypeError or RangeError that names the option, for a user agent without product token
 * and for numbers out of range
 *
 * @example
 * ```ts
 * const robots = obeyRobots({ userAgent: 'ExampleBot/1.0 (+https://bot.example/)' });
 * const fetcher = pipeFetcher(undiciFetcher(), polite({ delay: 1_000 }), robots, followRedirects());
 * ```
 */
export function obeyRobots(options: ObeyRobotsOptions): FetcherDecorator {
  const settings = settingsOf(options);
  const { now } = settings;

  return (fetcher) => {
    const robotsFetcher = settings.retry(fetcher);
    const origins = new Map<string, Origin>();
    let latest: Origin | undefined;

    function originOf(name: string): Origin {
      const known = origins.get(name);
      if (known !== undefined && known === latest) return known;
      latest = known ?? newOrigin(name);
      origins.delete(latest.name);
      origins.set(latest.name, latest);
      if (origins.size > settings.maxOrigins) dropFirst(origins);
      return latest;
    }

    function ask(origin: Origin, context: FetchContext | undefined): Observable<Origin> {
      const { passes } = origin;
      const pass = context?.pass;
      if (pass) passes.add(pass);
      const shared: FetchContext = {
        ...context,
        attempt: 1,
        // Neither scope nor dedupe concerns a robots.txt.
        admitRedirect: undefined,
        receive: undefined,
        truncateAt: settings.maxBytes,
        // A `Crawl-delay` counts from when it goes out, also where no gap is kept so far.
        sent: () => context?.sent?.(),
        // All places at the host may be kept by those who wait for this fetch: it uses theirs.
        get pass() {
          return firstUnspent(passes);
        },
      };
      origin.answer$ ??= fetchRobots(robotsFetcher, origin.robotsUrl, shared, settings).pipe(
        timeout({
          first: settings.timeout,
          with: () => of(unreachable(`no answer within ${settings.timeout} ms`, undefined)),
          scheduler: settings.scheduler,
        }),
        map((answer) => settle(origin, answer, context, settings)),
        finalize(() => (origin.answer$ = undefined)),
        share(),
      );
      return pass ? origin.answer$.pipe(finalize(() => passes.delete(pass))) : origin.answer$;
    }

    function judge(
      origin: Origin,
      request: CrawlRequest,
      context: FetchContext | undefined,
    ): Observable<FetchedResponse> {
      const refusal = refusalOf(origin, request.url);
      if (refusal) return throwError(() => refusal);
      // Told each time: whoever keeps the pace may have forgotten a host that was idle for long.
      const delay = delayOf(origin, settings);
      if (delay !== undefined) context?.setDelay?.(origin.robotsUrl, delay);
      return fetcher(request, context);
    }

    return (request, context) =>
      defer(() => {
        const name = originName(request.url);
        if (name === undefined || isRobotsTxt(request.url, name)) return fetcher(request, context);
        const origin = originOf(name);
        return origin.freshUntil > now() && !isWorthAsking(origin, context)
          ? judge(origin, request, context)
          : ask(origin, context).pipe(mergeMap(() => judge(origin, request, context)));
      });
  };
}

function newOrigin(nameInUrl: string): Origin {
  // A copy, so that a long URL is not kept for the sake of its first letters.
  const name = Buffer.from(nameInUrl).toString();
  return {
    name,
    robotsUrl: `${name}/robots.txt`,
    rules: undefined,
    why: '',
    cause: undefined,
    freshUntil: -Infinity,
    failures: 0,
    passes: new Set(),
    answer$: undefined,
  };
}

/** Writes down what came of asking. */
function settle(
  origin: Origin,
  answer: RobotsAnswer,
  context: FetchContext | undefined,
  settings: Settings,
): Origin {
  const { cacheMs, recheckMs, now } = settings;
  if (answer.type === 'rules') {
    const lifetime = Math.max(answer.lifetime ?? cacheMs, SHORTEST_CACHE_MS);
    origin.rules = answer.rules;
    origin.failures = 0;
    origin.freshUntil = now() + Math.min(lifetime, cacheMs);
    tellDelay(origin, context, settings);
    return origin;
  }
  origin.failures += 1;
  origin.why = answer.why;
  origin.cause = answer.cause;
  const wait =
    answer.retryAfter !== undefined && answer.retryAfter > 0 ? answer.retryAfter : recheckMs;
  origin.freshUntil = now() + (origin.failures > RECHECKS ? cacheMs : Math.min(wait, cacheMs));
  context?.notify?.({
    type: 'warning',
    code: 'robots-unreachable',
    message: `${origin.robotsUrl} is unreachable (${answer.why}): its site is ${
      origin.rules ? 'crawled by the rules of before' : 'not crawled'
    }`,
  });
  return origin;
}

/** The `Crawl-delay` that is kept to, ms. */
function delayOf({ rules }: Origin, { crawlDelayCap }: Settings): number | undefined {
  const declared = rules?.crawlDelay;
  return declared === undefined ? undefined : Math.min(declared, crawlDelayCap);
}

function tellDelay(origin: Origin, context: FetchContext | undefined, settings: Settings): void {
  const { rules, robotsUrl } = origin;
  const { crawlDelayCap, onCrawlDelay } = settings;
  const declared = rules?.crawlDelay;
  const delay = delayOf(origin, settings);
  if (declared === undefined || delay === undefined) return;
  onCrawlDelay(robotsUrl, delay);
  if (declared === delay) return;
  context?.notify?.({
    type: 'warning',
    code: 'crawl-delay',
    message: `${robotsUrl} asks for ${declared} ms between requests; ${crawlDelayCap} ms is the most that is kept to`,
  });
}

/** A retry of a request that failed with its robots.txt asks for that again. */
function isWorthAsking(origin: Origin, context: FetchContext | undefined): boolean {
  return origin.rules === undefined && isGone(origin) && (context?.attempt ?? 1) > 1;
}

/** Whether no connection to the host could be made. */
function isGone({ cause }: Origin): boolean {
  return cause !== undefined && isNoConnection(cause.code);
}

function refusalOf(origin: Origin, url: string): RequestRefused | CrawlError | undefined {
  const { rules, why, cause } = origin;
  if (rules === undefined) {
    // The host itself is not to be reached: its pages fail as they would without robots.txt.
    if (cause && isGone(origin)) {
      const message = `robots.txt could not be fetched: ${cause.message}`;
      return new CrawlError(cause.code, message, { cause });
    }
    return new RequestRefused('robots', `robots.txt is unreachable: ${why}`, { cause });
  }
  const rule = rules.ruleFor(url);
  return rule === undefined || rule.allow
    ? undefined
    : new RequestRefused('robots', `Disallow: ${rule.pattern}`);
}

/** Scheme, host and port of a URL in the form of `URL.href`; `undefined` if it is not on HTTP. */
function originName(url: string): string | undefined {
  if (!url.startsWith('http://') && !url.startsWith('https://')) return undefined;
  const name = url.slice(0, url.indexOf('/', 8));
  return name.includes('@') ? new URL(url).origin : name;
}

function isRobotsTxt(url: string, { length }: string): boolean {
  return (
    url.endsWith('/robots.txt') &&
    (url.length === length + 11 || new URL(url).pathname.length === 11)
  );
}

function firstUnspent(passes: Iterable<HostPass>): HostPass | undefined {
  for (const pass of passes) if (!pass.spent) return pass;
  return undefined;
}

function dropFirst(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}

function settingsOf(options: ObeyRobotsOptions): Settings {
  expectOptions('obeyRobots', options, {
    userAgent: expectString,
    cacheMs: expectMs,
    maxOrigins: integerFrom(1),
    recheckMs: expectMs,
    timeout: expectMs,
    maxRedirects: integerFrom(0),
    maxBytes: integerFrom(1),
    crawlDelayCap: expectMs,
    onCrawlDelay: expectFunction,
    retry: expectFunction,
    scheduler: expectScheduler,
  });
  const {
    cacheMs = 24 * 3_600_000,
    maxOrigins = 10_000,
    recheckMs = 5 * 60_000,
    timeout = ROBOTS_TIMEOUT_MS,
    maxRedirects = 5,
    maxBytes = ROBOTS_MAX_BYTES,
    crawlDelayCap = 30_000,
    onCrawlDelay = () => undefined,
    retry = (fetcher: Fetcher) => fetcher,
    scheduler = asyncScheduler,
  } = options;
  return {
    token: robotsToken(options.userAgent),
    now: () => scheduler.now(),
    cacheMs,
    maxOrigins,
    recheckMs,
    timeout,
    maxRedirects,
    maxBytes,
    crawlDelayCap,
    onCrawlDelay,
    retry,
    scheduler,
  };
}
