import type { ObservableInput } from 'rxjs';
import type { CrawlRequest } from './request.js';

// A sink that takes its item at once returns nothing, and TypeScript calls that `void`.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type NoResult = void;

/**
 * Takes an item. The handler is not asked for its next value, and its worker for no other page,
 * before what it returns has completed; nothing means that the item was taken at once. An error
 * fails the page with `sink-failed`; a `CrawlError` `item-invalid` refuses this item alone, and
 * becomes an `item-failure` event.
 */
export type Sink<T> = (
  item: T,
  request: CrawlRequest,
) => ObservableInput<unknown> | undefined | NoResult;
