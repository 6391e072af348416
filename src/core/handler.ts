import type { Observable, ObservableInput } from 'rxjs';
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

/** What a {@link Handler} gives: items and requests, in any form that rxjs can read, or nothing. */
export type HandlerOutput<T> =
  | ObservableInput<T | CrawlRequest | CrawlRequest[] | readonly CrawlRequest[]>
  | undefined
  | NoResult;

/**
 * The user's code for one page. Generators, async generators, arrays, promises and Observables
 * all fit. What it yields that is a {@link CrawlRequest}, or a list of them, is fed back into the
 * crawl; everything else is an item of type `T`, which is inferred.
 *
 * A promise gives one value. In asynchronous code that gives several, make it an
 * `async function*`: a list in which requests stand beside items fails its page.
 *
 * A function is all that it takes; the other two parts are for handlers that are made, such as
 * those of `routes()`.
 */
export interface Handler<T, P extends BarePage = BarePage> {
  (page: P, context: HandlerContext): HandlerOutput<T>;
  /** Makes the handler of one crawl, so that two crawls share no state. */
  readonly perCrawl?: (() => Handler<T, P>) | undefined;
  /**
   * Put around the handling of a page, its sink included, for handlers that limit how many pages
   * they take at a time. The time that it waits is not the handler's.
   */
  readonly around?: (<E>(page: P, handled$: Observable<E>) => Observable<E>) | undefined;
}

/** The items among what a handler gives: everything but requests. */
export type HandledItem<T> = T extends CrawlRequest | readonly CrawlRequest[] ? never : T;
