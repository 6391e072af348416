import type { ResponseHeaders } from '../../core/index.js';

/** An answer as it is kept. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body after all content codings were undone. */
  readonly body: Uint8Array;
  /** When the answer, or the 304 that confirmed it, came: ms since 1970. */
  readonly at: number;
  /** Fields of its request that the answer depends on (`Vary`), by lower-case names. */
  readonly vary: Readonly<Record<string, string>>;
}

/**
 * Where {@link httpCache} keeps answers, by URL. What fails in it is a warning and counts as
 * a miss; it never fails a page.
 */
export interface CacheStore {
  /** The answer of a key, or `undefined`. */
  get(key: string): StoredResponse | undefined | PromiseLike<StoredResponse | undefined>;
  set(key: string, response: StoredResponse): void | PromiseLike<void>;
  delete(key: string): void | PromiseLike<void>;
}
