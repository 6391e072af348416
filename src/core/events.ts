import type { CrawlError } from './errors.js';
import type { BarePage } from './page.js';
import type { CrawlRequest } from './request.js';
import type { SkipReason } from './skip-reason.js';

/** A request left the queue and its first exchange is about to begin. */
export interface StartEvent {
  readonly type: 'start';
  readonly request: CrawlRequest;
  readonly attempt: number;
}

/** A page was fetched and parsed; its handler runs next. */
export interface PageEvent<P extends BarePage = BarePage> {
  readonly type: 'page';
  readonly request: CrawlRequest;
  readonly page: P;
  /** Time from start to the whole body, ms. */
  readonly ms: number;
  readonly attempt: number;
}

/** A handler yielded an item. */
export interface ItemEvent<T> {
  readonly type: 'item';
  readonly request: CrawlRequest;
  readonly item: T;
}

/** An item was refused, by `validate()` or by the sink. Its page and the other items are not touched. */
export interface ItemFailureEvent {
  readonly type: 'item-failure';
  readonly request: CrawlRequest;
  readonly item: unknown;
  /** Its code is `item-invalid`. */
  readonly error: CrawlError;
}

/** Requests were found, by a handler or among the seeds, and passed admission. */
export interface FoundEvent {
  readonly type: 'found';
  /** The page that they were found on; `undefined` for seeds. */
  readonly request: CrawlRequest | undefined;
  readonly admitted: readonly CrawlRequest[];
  /** How many were seen before; these get no event of their own. */
  readonly duplicates: number;
}

/** An attempt failed and another will be made. */
export interface RetryEvent {
  readonly type: 'retry';
  readonly request: CrawlRequest;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The host said how long to wait: this does not count as an attempt, but has its own bound. */
  readonly held: boolean;
  readonly error: CrawlError;
}

/** A host is held back: no request to it starts before `ms` have passed. */
export interface HoldEvent {
  readonly type: 'hold';
  readonly host: string;
  readonly ms: number;
  readonly reason: string;
}

/** The gap between two starts on a host was adapted to how it answers. */
export interface PaceEvent {
  readonly type: 'pace';
  readonly host: string;
  /** The new gap, ms. */
  readonly ms: number;
  readonly reason: string;
}

/** A redirect was followed. */
export interface RedirectEvent {
  readonly type: 'redirect';
  readonly request: CrawlRequest;
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** Something that a user should know, and that did no harm. */
export interface WarningEvent {
  readonly type: 'warning';
  readonly request: CrawlRequest | undefined;
  readonly code: string;
  readonly message: string;
}

/** Terminal: the page was fetched, parsed and handled. */
export interface DoneEvent {
  readonly type: 'done';
  readonly request: CrawlRequest;
  /** The final URL. */
  readonly url: string;
  readonly status: number;
  /** Size of the decoded body or the file that it was saved as, bytes. */
  readonly bytes: number;
  /** Time from start to the end of the handler, ms. */
  readonly ms: number;
  readonly attempts: number;
  readonly items: number;
}

/** Terminal: the request failed for good. Feeding `request` back as a seed tries it again. */
export interface FailureEvent {
  readonly type: 'failure';
  readonly request: CrawlRequest;
  readonly error: CrawlError;
  readonly attempts: number;
}

/** A URL is not fetched. Terminal when `admitted`; otherwise the URL never became a request. */
export interface SkipEvent {
  readonly type: 'skip';
  readonly url: string;
  readonly reason: SkipReason;
  readonly detail: string | undefined;
  readonly referrer: string | undefined;
  readonly depth: number;
  /** Whether the request had been admitted, and this is its terminal event. */
  readonly admitted: boolean;
  /** Whether a `start` came before: it ran, and ended without being fetched (robots.txt, say). */
  readonly started: boolean;
  /** How many URLs this event stands for; more than 1 only for `max-links`. */
  readonly count: number;
}

/**
 * Everything that happens in a crawl. All statistics, progress, logs and outputs are folds or
 * filters of this one stream. Each admitted request gets exactly one terminal event:
 * `done`, `failure`, or `skip` with `admitted`.
 */
export type CrawlEvent<T = unknown, P extends BarePage = BarePage> =
  | StartEvent
  | PageEvent<P>
  | ItemEvent<T>
  | ItemFailureEvent
  | FoundEvent
  | RetryEvent
  | HoldEvent
  | PaceEvent
  | RedirectEvent
  | WarningEvent
  | DoneEvent
  | FailureEvent
  | SkipEvent;

/** Whether an event is the last one of an admitted request. */
export function isTerminal(event: CrawlEvent): event is DoneEvent | FailureEvent | SkipEvent {
  switch (event.type) {
    case 'done':
    case 'failure':
      return true;
    case 'skip':
      return event.admitted;
    default:
      return false;
  }
}
