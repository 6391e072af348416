import type { Observable, SchedulerLike } from 'rxjs';
import {
  all,
  any,
  anyHost,
  bestFirst,
  crawl,
  type CrawlEvent,
  type CrawlRequest,
  DEFAULT_USER_AGENT,
  download,
  fifo,
  lifo,
  loadPage,
  not,
  type Order,
  queued,
  retryPolicy,
  roundRobinByHost,
  sameDomain,
  sameHost,
  type Scope,
  simple,
  type Strategy,
  urlMatches,
} from '../index.js';
import type { OrderName, ScopeName } from './define-command.js';
import type { CliHandler } from './open-handler.js';
import type { Wire } from './open-wire.js';
import type { CliOptions } from './parse-options.js';
import type { CliPage } from './records.js';

/** What steers a crawl while it runs. */
export interface CrawlControls {
  readonly pause$: Observable<boolean>;
  readonly stop$: Observable<unknown>;
  /** ms */
  readonly drain: number;
  readonly scheduler: SchedulerLike;
  readonly wire: Wire;
  /** Default: follows every link. */
  readonly handle?: CliHandler | undefined;
}

/** Makes a crawl of options. */
export type BuildCrawl = (
  options: CliOptions,
  controls: CrawlControls,
) => (seeds: AsyncIterable<string>) => Observable<CrawlEvent<unknown, CliPage>>;

const ORDERS: Readonly<Record<OrderName, () => Order>> = {
  fifo,
  lifo,
  'best-first': () => bestFirst(shortPathsFirst),
  'round-robin': roundRobinByHost,
};

const SCOPES: Readonly<Record<ScopeName, () => Scope>> = {
  host: sameHost,
  domain: sameDomain,
  all: anyHost,
};

const DELAY = 500;

/** Makes the crawl that a command line asks for, over HTTP. */
export const buildCrawl: BuildCrawl = (options, { wire, handle, ...controls }) => {
  const { timeout, robots, rate } = options;
  return crawl({
    ...controls,
    userAgent: options.userAgent,
    headers: options.headers,
    cookies: wire.cookies,
    cache: wire.cache && { store: wire.cache },
    proxy: wire.proxy,
    http2: options.http2,
    insecureHosts: options.insecure,
    addresses: options.allowPrivate ? 'off' : 'same-as-seeds',
    timeouts: timeout === undefined ? undefined : { total: timeout },
    maxBodyBytes: options.maxBody,
    robots,
    traps: options.traps,
    sitemaps: options.sitemaps,
    parse: loadPage({
      nofollow: robots ? 'obey' : 'ignore',
      userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    }),
    handle: handle ?? ((page) => page.follow()),
    strategy: strategyOf(options),
    scope: scopeOf(options),
    // Files are a hop beyond the last pages, whose other links the handler leaves out.
    maxDepth: options.maxDepth + (options.download === undefined ? 0 : 1),
    decorators:
      options.dir === undefined
        ? undefined
        : [download({ dir: options.dir, exists: options.replaceFiles ? 'overwrite' : 'refuse' })],
    maxPages: options.maxPages,
    perHost: options.perHost,
    delay: options.delay ?? (rate === undefined ? delayOf : undefined),
    rate,
    retryAfterCap: options.retryAfterCap,
    retry: retryPolicy({ retries: options.retries }),
    ...(options.retries === 0 && { maxHolds: 0 }),
  });
};

function delayOf(host: string): number {
  return isLoopback(host) ? 0 : DELAY;
}

/** The strategy that `--strategy`, `--order` and `--concurrency` name. */
export function strategyOf({ strategy, order, concurrency }: CliOptions): Strategy {
  if (strategy === 'simple') return simple(concurrency);
  return queued(concurrency, { order: ORDERS[order]() });
}

/**
 * Files that `--download` asks for may be anywhere.
 *
 * The scope that `--scope`, `--include` and `--exclude` name. Given seeds need not be included;
 * what a sitemap names, and so has a referrer, does.
 */
export function scopeOf({ scope, include, exclude }: CliOptions): Scope {
  const included = urlMatches(...include);
  return all(
    any(SCOPES[scope](), ({ label }) => label === 'file'),
    (request, context) => include.length === 0 || isGiven(request) || included(request, context),
    not(urlMatches(...exclude)),
  );
}

function isGiven({ depth, referrer }: CrawlRequest): boolean {
  return depth === 0 && referrer === undefined;
}

/** Pages near the root of a site list others; pages with a query are often variants of one. */
export function shortPathsFirst({ url }: CrawlRequest): number {
  const { pathname, search } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '').length;
  return -(segments + (search === '' ? 0 : 1));
}

/** Whether a host, with or without a port, is this machine by its very name (RFC 6761, RFC 6890). */
export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return /^(?:.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(name);
}
