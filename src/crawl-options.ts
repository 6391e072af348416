import { CRAWL_EXPECTATIONS } from './core/crawl-options.js';
import { expectObject, expectString, show } from './core/expect.js';
import {
  anything,
  booleanOr,
  type Expect,
  type Expectations,
  expectOptions,
} from './core/expect-options.js';
import { type BarePage, type CrawlOptions as CoreOptions, type Fetcher } from './core/index.js';
import {
  type AddressGuardOptions,
  type ConnectExtras,
  CookieJar,
  type FetchTimeouts,
  type HttpCacheOptions,
  type MinRate,
  type ObeyRobotsOptions,
  type ProxyOption,
  type ScopedHeader,
} from './fetch/index.js';
import type { Page } from './page/index.js';
import type { TrapOptions, UrlPolicy } from './url/index.js';
import type { SitemapsOption } from './with-sitemaps.js';

/**
 * What `crawl()` of the main entry takes: the options of the core, all with defaults, and those
 * of the stack that it puts together. Times are in milliseconds, sizes in bytes.
 *
 * Two options of the core have other defaults here: `parse` is {@link loadPage}, and `handle`
 * follows every link.
 *
 * @typeParam T - type of the items, inferred from `handle`
 * @typeParam P - type of the pages, inferred from `parse`
 */
export interface CrawlOptions<T, P extends BarePage = Page> extends Omit<
  CoreOptions<T, P>,
  'fetcher'
> {
  /** Does one exchange. Default: `undiciFetcher()` with the options below; a given one is not closed. */
  readonly fetcher?: Fetcher | undefined;
  /** Names the crawler to servers and to robots.txt. Default `rxcrawl/<version> (+<project page>)`. */
  readonly userAgent?: string | undefined;
  /**
   * Header fields for all requests. Those whose names look like secrets (`authorization`,
   * `x-api-key` …) go to the origins of the seeds alone, all others to every host, unless a field
   * names its origins itself; see {@link scopedHeaders}.
   */
  readonly headers?: Readonly<Record<string, ScopedHeader>> | undefined;
  /** Whether cookies are kept and sent, or the jar to use. Default false. */
  readonly cookies?: boolean | CookieJar | undefined;
  /** Limits of one attempt. Default connect 10,000, headers 15,000, idle 15,000, total 30,000. */
  readonly timeouts?: FetchTimeouts | undefined;
  /** Least speed of a body. Default: none. */
  readonly minRate?: MinRate | undefined;
  /** Most decoded bytes of a body. Default 10 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Keep the head of a body that is too large, marked `truncated`, instead of failing. Default false. */
  readonly truncate?: boolean | undefined;
  /** The proxy to use: a URL, `'env'`, or a function of the request. Default: none. */
  readonly proxy?: ProxyOption | undefined;
  /** Host names whose certificates are not checked; a `warning` says so. Default: none. */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Speak HTTP/2 with servers that choose it. Default false. */
  readonly http2?: boolean | undefined;
  /** Options for opening connections, such as `ca` for an authority of one's own. */
  readonly connect?: Omit<ConnectExtras, 'lookup'> | undefined;
  /**
   * Which addresses may be contacted. Default `same-as-seeds`: a page of a public host does not
   * lead to a private address. `off` with a `fetcher` of one's own.
   */
  readonly addresses?: AddressGuardOptions['mode'] | AddressGuardOptions | undefined;
  /** Whether answers are kept and only asked for again if they have changed, or how. Default false. */
  readonly cache?: boolean | Omit<HttpCacheOptions, 'scheduler'> | undefined;
  /** Whether robots.txt is obeyed, or how. Default true. */
  readonly robots?: boolean | Omit<ObeyRobotsOptions, 'userAgent' | 'scheduler'> | undefined;
  /** Which URLs count as the same page, beyond what the URL standard says. Default: none. */
  readonly urls?: UrlPolicy | undefined;
  /** Whether links into crawler traps are refused, or by which limits. Default true. */
  readonly traps?: boolean | TrapOptions | undefined;
  /**
   * Whether pages that sitemaps name are seeds too, after the given ones: `true` for the sitemaps
   * of the seeds' sites (`Sitemap` lines of robots.txt, or else `/sitemap.xml`), or the URLs of
   * sitemaps. They are read as their pages are used, at the pace of their host. Default false.
   */
  readonly sitemaps?: SitemapsOption | undefined;
}

/** Names of the options that go to `undiciFetcher()` as they are. */
export const FETCHER_OPTIONS = [
  'timeouts',
  'minRate',
  'maxBodyBytes',
  'truncate',
  'proxy',
  'insecureHosts',
  'http2',
  'connect',
] as const;

type StackOptions = Omit<CrawlOptions<never>, Exclude<keyof CoreOptions<never>, 'fetcher'>>;

/** Those that say "anything" are checked by what they are options of. */
const EXPECTED: Expectations<Omit<StackOptions, 'fetcher'>> = {
  userAgent: expectString,
  headers: expectObject,
  cookies: expectCookies,
  timeouts: anything,
  minRate: anything,
  maxBodyBytes: anything,
  truncate: anything,
  proxy: anything,
  insecureHosts: anything,
  http2: anything,
  connect: expectObject,
  addresses: anything,
  cache: booleanOr(refuseNames('scheduler')),
  robots: booleanOr(refuseNames('userAgent', 'scheduler')),
  urls: anything,
  traps: booleanOr(anything),
  sitemaps: anything,
};

/** Names of the options that the main entry adds to those of the core. */
export const STACK_OPTIONS: readonly string[] = Object.keys(EXPECTED);

/**
 * Checks what a crawl is given, but for what its parts check themselves.
 *
 * @throws TypeError naming the option, what was expected and what was given
 */
export function checkCrawlOptions(options: object): void {
  expectOptions<object>('crawl', options, { ...CRAWL_EXPECTATIONS, ...EXPECTED });
  const { fetcher } = options as Pick<CrawlOptions<never>, 'fetcher'>;
  if (fetcher === undefined) return;
  for (const name of FETCHER_OPTIONS) {
    if ((options as CrawlOptions<never>)[name] === undefined) continue;
    throw new TypeError(
      `crawl: ${name}: has no effect together with fetcher; give it to undiciFetcher() instead`,
    );
  }
}

function expectCookies(name: string, cookies: unknown): void {
  if (typeof cookies === 'boolean' || cookies instanceof CookieJar) return;
  throw new TypeError(`${name}: expected true, false or a CookieJar, got ${show(cookies)}`);
}

/** Parts share what the crawl itself is told. */
function refuseNames(...names: readonly string[]): Expect {
  return (option, value) => {
    for (const name of names) {
      if (!Object.hasOwn(value as object, name)) continue;
      throw new TypeError(`${option}: unknown option "${name}"; it is one of the crawl itself`);
    }
  };
}
