import type { CrawlRequest } from '../core/index.js';

/** What a scope is told besides the request. */
export interface ScopeContext {
  readonly from: CrawlRequest | undefined;
  readonly seeds: ReadonlySet<string>;
}

/** Whether a request belongs to the crawl. */
export type Scope = (request: CrawlRequest, context: ScopeContext) => boolean;
