import {
  concat,
  defer,
  EMPTY,
  finalize,
  from,
  isObservable,
  map,
  merge,
  type Observable,
  of,
  shareReplay,
  Subject,
  tap,
} from 'rxjs';
import {
  type BarePage,
  type Crawl,
  type CrawlEvent,
  type CrawlOptions as CoreOptions,
  type FetchedResponse,
  type Fetcher,
  type FetcherDecorator,
  followRedirects,
  isRequest,
  pipeFetcher,
  request as makeRequest,
  retryFetch,
  type SeedInput,
  type Seeds,
  type WarningEvent,
} from './core/index.js';
import { expectIterable } from './core/expect-options.js';
import { parseRobots } from './fetch/index.js';
import { type SeedsWarning, type SitemapSeeds, sitemapSeeds } from './sitemap/index.js';
import { SITEMAP_MAX_BYTES } from './sitemap/sitemap.js';
import { BoundedMap } from './core/bounded-map.js';
import { tryParseUrl } from './url/index.js';

/** Which sitemaps name seeds: those of the sites of the seeds, or these URLs. */
export type SitemapsOption = boolean | string | URL | Iterable<string | URL>;

/**
 * Checks the option of a crawl, so that it can be used again and again.
 *
 * @returns `true` for the sitemaps of the seeds' sites, or URLs; `undefined` for none
 * @throws TypeError if it names something that is no URL
 */
export function checkSitemaps(
  option: SitemapsOption = false,
): true | readonly string[] | undefined {
  if (option === false) return undefined;
  if (option === true) return true;
  const isOne = typeof option === 'string' || option instanceof URL;
  if (!isOne) expectIterable('crawl: sitemaps', option);
  const hrefs = (isOne ? [option] : [...option]).map(String);
  // Only for its checks.
  void sitemapSeeds({ fetcher: () => EMPTY, sitemaps: hrefs });
  return hrefs;
}

/** Origins whose robots.txt is remembered. */
const ORIGINS = 4096;

/**
 * Makes a crawl whose seeds are followed by the pages that sitemaps name. They are fetched as
 * pages are: the decorators given here see both, within the same limits of their host, and
 * robots.txt counts for both. What is wrong with a sitemap is a `warning` of the crawl.
 *
 * @param make - makes the crawl of options
 */
export function withSitemaps<O extends Pick<CoreOptions<never>, 'fetcher'>, T, P extends BarePage>(
  make: (options: O) => Crawl<T, P>,
  options: O & SharedOptions,
  sitemaps: true | readonly string[],
): Crawl<T, P> {
  return (seeds) =>
    defer(() => {
      const robots = new RobotsLines();
      let exchange: Fetcher = options.fetcher;
      // Hands out the fetcher as it is inside of the crawl, with the pace of each host.
      const tapFetcher: FetcherDecorator = (fetcher) => (exchange = fetcher);
      const { decorators = [], scheduler, retry, maxRedirects } = options;
      const crawl = make({ ...options, decorators: [robots.note, ...decorators, tapFetcher] });

      const warnings$ = new Subject<CrawlEvent<T, P>>();
      const warn = (warning: SeedsWarning): void => warnings$.next(asEvent(warning));
      const open = (sites: Iterable<string>): SitemapSeeds => {
        const fetch = pipeFetcher(
          exchange,
          followRedirects(maxRedirects === undefined ? {} : { maxRedirects }),
          retryFetch(retry, { ...(scheduler && { scheduler }) }),
        );
        return sitemapSeeds({
          fetcher: (request) => fetch(request, { attempt: 1, truncateAt: SITEMAP_MAX_BYTES }),
          ...(sitemaps === true ? { sites } : { sitemaps }),
          robots: (site) => robots.of(site, fetch),
          onWarning: warn,
          // The fetcher has limits of its own, and may wait for its turn at a busy host.
          timeout: Infinity,
          ...(scheduler && { scheduler }),
        });
      };
      const events$ = crawl(followedBy(seeds, open)).pipe(finalize(() => warnings$.complete()));
      return merge(warnings$, events$);
    });
}

type SharedOptions = Pick<
  CoreOptions<never>,
  'decorators' | 'scheduler' | 'retry' | 'maxRedirects'
>;

function asEvent({ code, sitemap, message }: SeedsWarning): WarningEvent {
  return {
    type: 'warning',
    request: undefined,
    code: `sitemap-${code}`,
    message: `${sitemap}: ${message}`,
  };
}

/** Keeps what robots.txt files say of sitemaps, so that none is fetched for that alone. */
class RobotsLines {
  readonly #known = new BoundedMap<string, Observable<readonly string[]>>(ORIGINS);

  readonly note: FetcherDecorator = (fetcher) => (request, context) => {
    const origin = originOfRobots(request.url);
    if (origin === undefined) return fetcher(request, context);
    const answer$ = fetcher(request, context).pipe(shareReplay({ bufferSize: 1, refCount: true }));
    this.#known.set(origin, answer$.pipe(map(linesOf)));
    return answer$.pipe(
      tap((response) => {
        this.#known.set(origin, of(linesOf(response)));
      }),
    );
  };

  of({ origin }: URL, fetch: Fetcher): Observable<readonly string[]> {
    const known$ = this.#known.get(origin);
    if (known$) return known$;
    const url = `${origin}/robots.txt`;
    return defer(() => fetch(makeRequest(url, { referrer: `${origin}/` }))).pipe(map(linesOf));
  }
}

/** The origin of a URL of a robots.txt; `undefined` for any other URL. */
function originOfRobots(url: string): string | undefined {
  if (!url.endsWith('/robots.txt')) return undefined;
  const { origin, href } = new URL(url);
  return href === `${origin}/robots.txt` ? origin : undefined;
}

function linesOf({ status, body }: FetchedResponse): readonly string[] {
  return status >= 200 && status < 300 ? parseRobots(body).sitemaps : [];
}

/** Seeds, and then those that `open` gives for the origins of the former. */
function followedBy(seeds: Seeds, open: (origins: Iterable<string>) => SitemapSeeds): Seeds {
  const origins = new Set<string>();
  const note = (seed: SeedInput): void => {
    const url = tryParseUrl(isRequest(seed) ? seed.url : String(seed));
    if (url?.protocol === 'http:' || url?.protocol === 'https:') origins.add(url.origin);
  };
  const iterator = iteratorOf(seeds);
  if (iterator === undefined) {
    return concat(
      from(seeds as Observable<SeedInput>).pipe(tap(note)),
      defer(() => open(origins)),
    );
  }
  return { [Symbol.asyncIterator]: () => chained(iterator(), note, () => open(origins)) };
}

type AnyIterator = Iterator<SeedInput> | AsyncIterator<SeedInput>;

/** Opens seeds that can be pulled; `undefined` for those that push. */
function iteratorOf(seeds: Seeds): (() => AnyIterator) | undefined {
  if (typeof seeds === 'string' || seeds instanceof URL || isRequest(seeds)) {
    return () => [seeds][Symbol.iterator]();
  }
  if (isObservable(seeds)) return undefined;
  if (Symbol.iterator in seeds) return () => seeds[Symbol.iterator]();
  if (Symbol.asyncIterator in seeds) return () => seeds[Symbol.asyncIterator]();
  return undefined;
}

/** Own code, not an async generator: that could not be left while it waits for a sitemap. */
function chained(
  first: AnyIterator,
  note: (seed: SeedInput) => void,
  open: () => AsyncIterable<SeedInput>,
): AsyncIterator<SeedInput> {
  let current = first;
  let isFirst = true;
  const next = async (): Promise<IteratorResult<SeedInput>> => {
    const result = await current.next();
    if (!isFirst) return result;
    if (result.done !== true) {
      note(result.value);
      return result;
    }
    isFirst = false;
    current = open()[Symbol.asyncIterator]();
    return current.next();
  };
  return {
    next,
    return: async () => {
      await current.return?.();
      return { done: true, value: undefined };
    },
  };
}
