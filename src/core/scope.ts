import { hostOf } from './host-key.js';
import type { CrawlRequest } from './request.js';

/** What a {@link Scope} is told besides the request. */
export interface ScopeContext {
  /** The request whose page the link was found on; `undefined` for a seed. */
  readonly from: CrawlRequest | undefined;
  /** Hosts of the seeds so far, as {@link siteOf} names them. */
  readonly seeds: ReadonlySet<string>;
}

/** Whether a request belongs to the crawl. Asked for seeds, links and redirect targets. */
export type Scope = (request: CrawlRequest, context: ScopeContext) => boolean;

/**
 * The host of a URL as scope sees it: without a leading `www.`, and without the default port of
 * either scheme, so that `http://example.org/` and `https://www.example.org/` are one site.
 */
export function siteOf(href: string): string {
  const host = hostOf(href);
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** The default scope: the hosts of the seeds; `www.` and apex, http and https count as one. */
export function sameHost(): Scope {
  return (request, { seeds }) => seeds.has(siteOf(request.url));
}
