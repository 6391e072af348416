import type { BarePage, CrawlOptions as CoreOptions, Fetcher } from './core/index.js';
import type {
  AddressGuardOptions,
  ConnectExtras,
  CookieJar,
  FetchTimeouts,
  HttpCacheOptions,
  MinRate,
  ObeyRobotsOptions,
  ProxyOption,
  ScopedHeader,
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

/** Names of the options that the main entry adds to those of the core. */
export const STACK_OPTIONS: readonly string[] = [
  'userAgent',
  'headers',
  'cookies',
  ...FETCHER_OPTIONS,
  'addresses',
  'cache',
  'robots',
  'urls',
  'traps',
  'sitemaps',
];
