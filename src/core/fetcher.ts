import type { Observable } from 'rxjs';
import type { CrawlWorker } from './crawl-worker.js';
import type { HostPass } from './host-gate.js';
import type { CrawlRequest } from './request.js';
import type { SavedFile } from './saved-file.js';

/**
 * Header fields of an answer. Names are lower case, the object has no prototype; fields sent
 * several times are joined with `, `, except `set-cookie`, which is a list.
 */
export interface ResponseHeaders {
  readonly [name: string]: string | readonly string[] | undefined;
  readonly 'set-cookie'?: readonly string[];
}

/** One answered redirect on the way to the final URL. */
export interface Redirect {
  /** The URL that answered with the redirect. */
  readonly url: string;
  /** 301, 302, 303, 307 or 308. */
  readonly status: number;
  /** The absolute URL that it led to. */
  readonly location: string;
}

/** What one fetch brought back: head and decoded body, whole. */
export interface FetchedResponse {
  /** The URL that answered; after redirects the last one. */
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body after all content codings were undone. */
  readonly body: Uint8Array;
  /** Redirects that were followed, oldest first. */
  readonly redirects: readonly Redirect[];
  /** Bytes of the body as they came over the wire. */
  readonly wireBytes: number;
  /** The body ends early: a limit was passed with `truncate`, or the stored answer was cut. */
  readonly truncated?: boolean;
  /** The file that the body was saved as, if it was; `body` is empty then. */
  readonly file?: SavedFile;
  /** The answer comes from a cache: `hit` without asking, `revalidated` after a 304. */
  readonly cache?: 'hit' | 'revalidated';
}

/** The head of an answer whose body has not been read yet. */
export interface AnswerHead {
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/**
 * Takes one part of a body after the other. No other part comes before the promise that it
 * returns has resolved, if it returns one; an error ends the exchange with it.
 */
export type BodyReceiver = (part: Uint8Array) => Promise<void> | undefined;

/** Something that happened during a fetch and is worth an event, but does not end it. */
export type FetchNotice =
  | { readonly type: 'hold'; readonly host: string; readonly ms: number; readonly reason: string }
  | { readonly type: 'pace'; readonly host: string; readonly ms: number; readonly reason: string }
  | {
      readonly type: 'redirect';
      readonly from: string;
      readonly to: string;
      readonly status: number;
    }
  | { readonly type: 'warning'; readonly code: string; readonly message: string };

/** What the crawl tells a fetcher about the circumstances of one fetch. */
export interface FetchContext {
  /** 1 for the first try. */
  readonly attempt: number;
  /** How often the request was put back because its host asked to wait; not attempts. Default 0. */
  readonly holds?: number | undefined;
  /** The place at its host that the frontier has reserved for this request. */
  readonly pass?: HostPass | undefined;
  /** The worker that fetches, where workers are not all alike. */
  readonly worker?: CrawlWorker | undefined;
  /** Whether a redirect may be followed to a request; refuses by a thrown `RequestRefused`. */
  readonly admitRedirect?: ((target: CrawlRequest) => void) | undefined;
  /**
   * Read at most this many bytes of the decoded body and cut the rest off (`truncated`), whatever
   * limit the fetcher has for bodies: robots.txt and sitemaps have limits of their own.
   */
  readonly truncateAt?: number | undefined;
  /**
   * Asked when a head has come: what it returns is given the body, which the response then lacks.
   * Neither the limit of a body's size nor that of the total time count for it. A fetcher need not
   * ask, and does not for bodies that it has to decode.
   */
  readonly receive?: ((head: AnswerHead) => BodyReceiver | undefined) | undefined;
  /** A host asks for at least this gap between requests, ms; given by any of its URLs. */
  readonly setDelay?: ((url: string, ms: number) => void) | undefined;
  /**
   * The request has to wait for a connection. Where its host has a gap to keep, no other request to
   * it starts before this one is {@link sent} or has ended: two that were started apart would go out
   * together.
   */
  readonly opening?: (() => void) | undefined;
  /** The request goes out now: the gap to the next one counts from here. */
  readonly sent?: (() => void) | undefined;
  /** Turns a notice into an event of the crawl. */
  readonly notify?: ((notice: FetchNotice) => void) | undefined;
}

/**
 * One fetch. Cold: nothing happens before subscribe, and unsubscribing aborts it. Emits one
 * response and completes, or errors with a `CrawlError` or a `RequestRefused`.
 */
export type Fetcher = (
  request: CrawlRequest,
  context?: FetchContext,
) => Observable<FetchedResponse>;

/** Adds one concern to a fetcher: `(fetcher) => fetcher`. */
export type FetcherDecorator = (fetcher: Fetcher) => Fetcher;
