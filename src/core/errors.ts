import type { SkipReason } from './skip-reason.js';

/**
 * Every way in which a request can fail. The codes are stable: match on them, not on messages.
 *
 * | group | codes |
 * | --- | --- |
 * | reaching the server | `dns-not-found`, `dns-failed`, `connection-refused`, `connection-reset`, `unreachable`, `address-refused`, `proxy-failed`, `network-error` |
 * | TLS | `tls-expired`, `tls-not-yet-valid`, `tls-wrong-host`, `tls-self-signed`, `tls-unknown-issuer`, `tls-revoked`, `tls-protocol`, `tls-failed` |
 * | time | `timeout-dns`, `timeout-connect`, `timeout-tls`, `timeout-headers`, `timeout-idle`, `timeout-total`, `too-slow` |
 * | the answer | `protocol-error`, `empty-reply`, `headers-too-large`, `truncated`, `too-large`, `bad-encoding`, `http-status` |
 * | redirects | `invalid-location`, `redirect-loop`, `too-many-redirects` |
 * | this side | `parse-failed`, `handler-failed`, `handler-timeout`, `item-invalid`, `sink-failed`, `aborted`, `deferred`, `invalid-request`, `internal` |
 */
export type CrawlErrorCode =
  | 'dns-not-found'
  | 'dns-failed'
  | 'connection-refused'
  | 'connection-reset'
  | 'unreachable'
  | 'address-refused'
  | 'proxy-failed'
  | 'network-error'
  | 'tls-expired'
  | 'tls-not-yet-valid'
  | 'tls-wrong-host'
  | 'tls-self-signed'
  | 'tls-unknown-issuer'
  | 'tls-revoked'
  | 'tls-protocol'
  | 'tls-failed'
  | 'timeout-dns'
  | 'timeout-connect'
  | 'timeout-tls'
  | 'timeout-headers'
  | 'timeout-idle'
  | 'timeout-total'
  | 'too-slow'
  | 'protocol-error'
  | 'empty-reply'
  | 'headers-too-large'
  | 'truncated'
  | 'too-large'
  | 'bad-encoding'
  | 'http-status'
  | 'invalid-location'
  | 'redirect-loop'
  | 'too-many-redirects'
  | 'parse-failed'
  | 'handler-failed'
  | 'handler-timeout'
  | 'item-invalid'
  | 'sink-failed'
  | 'aborted'
  | 'deferred'
  | 'invalid-request'
  | 'internal';

/** What {@link CrawlError} takes besides code and message. */
export interface CrawlErrorOptions {
  readonly cause?: unknown;
  /** Status of the answer, where there was one. */
  readonly status?: number;
  /** Numbers that explain the failure, such as `{ limit: 10485760, seen: 10485761 }`. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

const BRAND = Symbol.for('rxcrawl.error');

/**
 * The failure of one request. Carried by a `failure` event; never ends the crawl.
 *
 * @example
 * ```ts
 * if (isCrawlError(error) && error.code === 'http-status') console.log(error.status);
 * ```
 */
export class CrawlError extends Error {
  override readonly name = 'CrawlError';
  readonly code: CrawlErrorCode;
  readonly status: number | undefined;
  readonly detail: Readonly<Record<string, string | number>> | undefined;

  constructor(code: CrawlErrorCode, message: string, options: CrawlErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status;
    this.detail = options.detail;
  }
}
Object.defineProperty(CrawlError.prototype, BRAND, { value: true });

/** Whether a value is a {@link CrawlError} of this or another copy of the library. */
export function isCrawlError(value: unknown): value is CrawlError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

const REFUSED = Symbol.for('rxcrawl.refused');

/**
 * Thrown (as an error notification) by a fetcher or a decorator that decides not to make a
 * request at all: robots.txt denies it, a redirect leaves the scope … The request ends as
 * a `skip` with this reason, not as a failure, and is never retried.
 */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly reason: SkipReason;
  readonly detail: string | undefined;

  constructor(reason: SkipReason, detail?: string, options: { readonly cause?: unknown } = {}) {
    super(
      detail === undefined ? reason : `${reason}: ${detail}`,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.reason = reason;
    this.detail = detail;
  }
}
Object.defineProperty(RequestRefused.prototype, REFUSED, { value: true });

/** Whether a value is a {@link RequestRefused} of this or another copy of the library. */
export function isRequestRefused(value: unknown): value is RequestRefused {
  return typeof value === 'object' && value !== null && REFUSED in value;
}

const PUT_BACK = Symbol.for('rxcrawl.put-back');

/**
 * Thrown (as an error notification) by a fetcher that could not do its work, for reasons that
 * lie with itself: a proxy is down, say. The request goes back into the queue, no attempt is
 * counted, and it is handed out again after the delay. Whoever throws it must see to it that
 * this ends; `holds` of the context says how often it has happened to the request.
 */
export class RequestPutBack extends Error {
  override readonly name = 'RequestPutBack';
  /** Why, as a failure of the request would say it. */
  readonly error: CrawlError;
  /** ms. */
  readonly delayMs: number;

  constructor(error: CrawlError, delayMs: number) {
    super(error.message, { cause: error });
    this.error = error;
    this.delayMs = delayMs;
  }
}
Object.defineProperty(RequestPutBack.prototype, PUT_BACK, { value: true });

/** Whether a value is a {@link RequestPutBack} of this or another copy of the library. */
export function isRequestPutBack(value: unknown): value is RequestPutBack {
  return typeof value === 'object' && value !== null && PUT_BACK in value;
}
