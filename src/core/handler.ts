import type { ObservableInput } from 'rxjs';
import type { BarePage } from './page.js';
import type { CrawlRequest } from './request.js';

/** What a handler is given besides the page. */
export interface HandlerContext {
  /** Fires when the handler's time is over, or the crawl is stopped or unsubscribed. */
  readonly signal: AbortSignal;
}

// A handler that only looks returns nothing, and TypeScript calls that `void`.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type NoResult = void;

/**
 * The user's code for one page. Generators, async generators, arrays, promises and Observables
 * all fit. What it yields that is a {@link CrawlRequest}, or a list of them, is fed back into the
 * crawl; everything else is an item of type `T`, which is inferred.
 */
export type Handler<T, P extends BarePage = BarePage> = (
  page: P,
  context: HandlerContext,
) =>
  | ObservableInput<T | CrawlRequest | CrawlRequest[] | readonly CrawlRequest[]>
  | undefined
  | NoResult;

/** The items among what a handler gives: everything but requests. */
export type HandledItem<T> = T extends CrawlRequest | readonly CrawlRequest[] ? never : T;
