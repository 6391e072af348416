import type { BarePage, CrawlOptions as CoreOptions, Fetcher } from './core/index.js';
import type { FetchTimeouts } from './fetch/index.js';
import type { ObeyRobotsOptions } from './fetch/index.js';
import type { Page } from './page/index.js';
import type { TrapOptions, UrlPolicy } from './url/index.js';

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
  /** Header fields for all requests, to every host. Secrets do not belong here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Limits of one attempt. Default connect 10,000, headers 15,000, idle 15,000, total 30,000. */
  readonly timeouts?: FetchTimeouts | undefined;
  /** Most decoded bytes of a body. Default 10 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Whether robots.txt is obeyed, or how. Default true. */
  readonly robots?: boolean | Omit<ObeyRobotsOptions, 'userAgent' | 'scheduler'> | undefined;
  /** Which URLs count as the same page, beyond what the URL standard says. Default: none. */
  readonly urls?: UrlPolicy | undefined;
  /** Whether links into crawler traps are refused, or by which limits. Default true. */
  readonly traps?: boolean | TrapOptions | undefined;
}

/** Names of the options that the main entry adds to those of the core. */
export const STACK_OPTIONS = [
  'userAgent',
  'headers',
  'timeouts',
  'maxBodyBytes',
  'robots',
  'urls',
  'traps',
] as const;
