import {
  asyncScheduler,
  defer,
  EMPTY,
  from,
  lastValueFrom,
  Observable,
  type ObservableInput,
  repeat,
  type SchedulerLike,
  Subject,
  takeUntil,
  timer,
  toArray,
} from 'rxjs';
import {
  expectBoolean,
  expectFunction,
  expectMs,
  expectPositive,
  expectScheduler,
  expectString,
} from '../core/expect.js';
import { anything, expectIterable, expectOptions, integerFrom } from '../core/expect-options.js';
import type { Fetcher } from '../core/fetcher.js';
import type { CrawlRequest } from '../core/request.js';
import type { SeedsWarning } from './seeds-warning.js';
import { requestOf, SitemapWalk, type WalkOptions } from './sitemap-walk.js';
import { SITEMAP_MAX_BYTES, SITEMAP_MAX_URLS, type SitemapEntry } from './sitemap.js';
import { tryParseUrl } from '../url/index.js';

/** What {@link sitemapSeeds} takes. */
export interface SitemapSeedsOptions {
  /**
   * Fetches robots.txt and the sitemaps: politeness, retries and the guard against private
   * addresses are its business. Its limit of the body should be that of `maxBytes`.
   */
  readonly fetcher: Fetcher;
  /** Any URL of each site whose sitemaps are looked up: those that its robots.txt names, or else `/sitemap.xml`. */
  readonly sites?: string | URL | Iterable<string | URL> | undefined;
  /** URLs of sitemaps; they are read before those of `sites`. */
  readonly sitemaps?: string | URL | Iterable<string | URL> | undefined;
  /** The `Sitemap` lines of a site's robots.txt. Default: fetches and parses it. */
  readonly robots?: ((site: URL) => ObservableInput<readonly string[]>) | undefined;
  /** Makes the request for an entry, or `undefined` to leave it out. Its referrer is set if it has none. */
  readonly toRequest?:
    ((entry: SitemapEntry, sitemap: string) => CrawlRequest | undefined) | undefined;
  /** Label of the requests, if `toRequest` is not set. */
  readonly label?: string | undefined;
  /** Is told what goes wrong. Nothing of it ends the stream. */
  readonly onWarning?: ((warning: SeedsWarning) => void) | undefined;
  /**
   * Whether a sitemap may name pages of any host. Default false: only of its site, which is its
   * own host, or that whose robots.txt names it, with or without `www.`. Else one sitemap could
   * turn a crawl of seeds' hosts into a crawl of all hosts.
   */
  readonly otherHosts?: boolean | undefined;
  /** How many indexes may lead to a sitemap. Default 3. */
  readonly maxDepth?: number | undefined;
  /** How many sitemaps are fetched. Default 50,000. */
  readonly maxSitemaps?: number | undefined;
  /** How many requests come out. Default unlimited. */
  readonly maxUrls?: number | undefined;
  /** How many entries of one sitemap are read. Default 50,000, the limit of the protocol. */
  readonly maxUrlsPerSitemap?: number | undefined;
  /** How many decoded bytes of one sitemap are read. Default 52,428,800 (50 MiB), the limit of the protocol. */
  readonly maxBytes?: number | undefined;
  /** How long one fetch may take, ms; `Infinity` leaves that to the fetcher. Default 60,000. */
  readonly timeout?: number | undefined;
  /** Gives other work its turn, and measures `timeout`. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Requests that can be subscribed to, or pulled one by one. */
export type SitemapSeeds = Observable<CrawlRequest> & AsyncIterable<CrawlRequest>;

/**
 * The pages that the sitemaps of a site name, as requests: seeds for a crawl. Cold and lazy:
 * the sitemaps are fetched one after the other, and the pages of the first come out before the
 * second is asked for. Pulled as an async iterable, which `crawl()` does by itself, a sitemap is
 * fetched only when the requests of the one before have been taken.
 *
 * A request has its sitemap as `referrer`, so that a guard of addresses takes it for a link, not
 * for a seed that the user has chosen. It carries the entry's priority (0.5 where it has none, as the protocol says) and, as
 * `context`, `{ sitemap, lastmod?, changefreq? }`.
 *
 * What goes wrong is told to `onWarning` and costs that sitemap alone. Each sitemap is fetched
 * once, so indexes that name each other end.
 *
 * ```text
 * index   i|            names a and b
 * a       ---a|
 * b       ---b|
 * seeds   ---1--(2|)    1 is a page of a, 2 one of b
 * ```
 *
 * @throws TypeError, RangeError at call time if an option is wrong or unknown
 *
 * @example
 * ```ts
 * const seeds = sitemapSeeds({ fetcher, sites: 'https://shop.example/' });
 * for await (const { url, priority } of seeds) console.log(priority, url);
 * ```
 */
export function sitemapSeeds(options: SitemapSeedsOptions): SitemapSeeds {
  const checked = check(options);
  const pushed$ = defer(() => push(checked));
  return Object.assign(pushed$, { [Symbol.asyncIterator]: () => pull(checked) });
}

function push(options: WalkOptions): Observable<CrawlRequest> {
  const walk = new SitemapWalk(options);
  let finished = false;
  return defer(() => {
    const next$ = walk.next();
    finished = next$ === undefined;
    return next$ ?? EMPTY;
    // A turn between two, since thousands of synchronous ones would grow the stack.
  }).pipe(repeat({ delay: () => (finished ? EMPTY : timer(0, options.scheduler)) }));
}

/** Pulls sitemap by sitemap; when it is returned, a fetch that is under way is aborted. */
function pull(options: WalkOptions): AsyncIterator<CrawlRequest, void, undefined> {
  const stop$ = new Subject<void>();
  async function* requests(): AsyncGenerator<CrawlRequest, void, undefined> {
    const walk = new SitemapWalk(options);
    for (let next$ = walk.next(); next$ !== undefined; next$ = walk.next()) {
      yield* await lastValueFrom(next$.pipe(takeUntil(stop$), toArray()), { defaultValue: [] });
    }
  }
  const generator = requests();
  return {
    next: () => generator.next(),
    return: () => {
      stop$.next();
      return generator.return();
    },
  };
}

function check(options: SitemapSeedsOptions): WalkOptions {
  expectOptions('sitemapSeeds', options, {
    fetcher: expectFunction,
    sites: anything,
    sitemaps: anything,
    robots: expectFunction,
    toRequest: expectFunction,
    label: expectString,
    onWarning: expectFunction,
    otherHosts: expectBoolean,
    maxDepth: integerFrom(0),
    maxSitemaps: integerFrom(1),
    maxUrls: integerFrom(1),
    maxUrlsPerSitemap: integerFrom(1),
    maxBytes: integerFrom(1),
    timeout: expectLimit,
    scheduler: expectScheduler,
  });
  expectFunction('sitemapSeeds: fetcher', options.fetcher);
  const { fetcher, robots, toRequest, label } = options;
  return {
    fetcher,
    sites: urls('sites', options.sites),
    sitemaps: urls('sitemaps', options.sitemaps),
    robots: robots && ((site) => defer(() => from(robots(site)))),
    toRequest: toRequest ?? ((entry, sitemap) => requestOf(entry, sitemap, label)),
    onWarning: options.onWarning ?? (() => undefined),
    otherHosts: options.otherHosts ?? false,
    maxDepth: options.maxDepth ?? 3,
    maxSitemaps: options.maxSitemaps ?? 50_000,
    maxUrls: options.maxUrls ?? Infinity,
    maxUrlsPerSitemap: options.maxUrlsPerSitemap ?? SITEMAP_MAX_URLS,
    maxBytes: options.maxBytes ?? SITEMAP_MAX_BYTES,
    timeout: options.timeout ?? 60_000,
    scheduler: options.scheduler ?? asyncScheduler,
  };
}

/** A time that is over before anything can have come limits nothing: it is a mistake. */
function expectLimit(name: string, ms: unknown): void {
  expectPositive(name, ms);
  expectMs(name, ms);
}

function urls(name: string, given: string | URL | Iterable<string | URL> | undefined): URL[] {
  if (given === undefined) return [];
  const isOne = typeof given === 'string' || given instanceof URL;
  if (!isOne) expectIterable(`sitemapSeeds: ${name}`, given);
  const list = isOne ? [given] : [...given];
  return list.map((url) => {
    const parsed = tryParseUrl(String(url));
    if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
    throw new TypeError(
      `sitemapSeeds: ${name}: expected absolute http: or https: URLs, got ${JSON.stringify(String(url))}`,
    );
  });
}
