import type { Subscriber } from 'rxjs';
import type { Dispatcher } from 'undici';
import {
  CrawlError,
  isCrawlError,
  isRequestRefused,
  type BodyReceiver,
  type CrawlErrorCode,
  type CrawlRequest,
  type FetchContext,
  type FetchedResponse,
  type Redirect,
  type ResponseHeaders,
} from '../core/index.js';
import { withoutUserInfo } from '../core/public-url.js';
import { BodyChunks } from './body-chunks.js';
import { crawlError, toCrawlError, type ExchangeStage } from './classify-error.js';
import {
  type Connections,
  type ConnectionUser,
  FRAMING_BYTES,
  MAX_INTERIM,
  type PendingConnection,
} from './connections.js';
import { MAX_CODINGS, parseCodings, type Coding } from './content-codings.js';
import { Deadline, type Expired, type MinRate } from './deadline.js';
import {
  decodeBody,
  isBroken,
  isProblem,
  type Decoded,
  type DecodeProblem,
} from './decode-body.js';
import { countBytes, countLines, responseHeaders, single } from './response-headers.js';

/** The head of an answer, for deciding whether its body is wanted. */
export interface ResponseHead {
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Limits of an exchange, complete and checked. */
export interface ExchangeLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
  readonly minRate: MinRate | undefined;
  readonly maxBodyBytes: number;
  readonly maxDecodeRatio: number;
  /** `undefined` where the dispatcher is not ours. */
  readonly maxHeaderBytes: number | undefined;
  /** HTTP/2, where undici looks neither at the size of heads nor at announced lengths. */
  readonly http2: boolean;
  readonly maxHeaderLines: number;
  readonly truncate: boolean;
  readonly wantBody: ((head: ResponseHead) => boolean) | undefined;
}

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** So much of a body that nobody wants is read to keep its connection; then it is given up. */
const LEFTOVER_BYTES = 65_536;
const LEFTOVER_MS = 1_000;
/** The ratio of decoded to received bytes is not looked at below this. */
const RATIO_FROM_BYTES = 1_000_000;
/** And for each byte of the body; a chunk of one byte takes five. */
const FRAMING_PER_BYTE = 16;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_REDIRECTS: readonly Redirect[] = Object.freeze([]);
/** undici hands it back to us, and nobody else sees it: no stack for each cancelled request. */
const CANCELLED = new Error('cancelled');

/**
 * One request and its answer: the handler that undici calls, and the teardown of the
 * subscription. Written against the dispatcher itself, without streams, promises and
 * `AbortController`, which cost 19 to 45 µs of CPU a request.
 */
export class Exchange implements ConnectionUser {
  readonly origin: string;
  connectsTo: string;
  rosterIndex = -1;
  pending: PendingConnection | undefined;
  readonly #request: CrawlRequest;
  readonly #context: FetchContext | undefined;
  readonly #url: URL;
  /** Without user information. */
  readonly #publicUrl: string;
  readonly #limits: ExchangeLimits;
  readonly #connections: Connections;
  readonly #subscriber: Subscriber<FetchedResponse>;
  readonly #deadline: Deadline;
  readonly #chunks = new BodyChunks();
  #controller: Dispatcher.DispatchController | undefined;
  #stage: ExchangeStage = 'waiting';
  /** Takes the body instead of `#chunks`. */
  #receiver: BodyReceiver | undefined;
  #isSent = false;
  #interim = 0;
  #status = 0;
  #headers: ResponseHeaders = {};
  #codings: readonly Coding[] = [];
  #wireBytes = 0;
  /** All that has come over the connection. */
  #readBytes = 0;
  /** Whether the body goes into the response. */
  #wanted = true;
  /** Nothing more is taken from undici. */
  #received = false;
  /** The subscriber has its outcome, or wants none any more. */
  #closed = false;
  #stopDecoding: (() => void) | undefined;

  constructor(
    request: CrawlRequest,
    url: URL,
    limits: ExchangeLimits,
    connections: Connections,
    subscriber: Subscriber<FetchedResponse>,
    context: FetchContext | undefined,
  ) {
    const truncateAt = context?.truncateAt;
    this.#context = context;
    this.#request = request;
    this.#url = url;
    this.origin = this.connectsTo = url.origin;
    this.#publicUrl = withoutUserInfo(url.href);
    this.#limits =
      truncateAt === undefined ? limits : { ...limits, maxBodyBytes: truncateAt, truncate: true };
    this.#connections = connections;
    this.#subscriber = subscriber;
    this.#deadline = new Deadline(limits.totalMs, (what) => this.#expire(what));
  }

  /** Sends the request. */
  start(headers: string[]): void {
    this.#deadline.enter('timeout-connect', this.#limits.connectMs);
    const { body } = this.#request;
    try {
      this.#connections.dispatch(
        {
          origin: this.origin,
          // A path that begins with `//` stays a path: the origin alone chooses the server.
          path: this.#url.pathname + this.#url.search,
          method: this.#request.method,
          headers,
          body: body ?? null,
          // Ours are exact, see Deadline.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    } catch (error) {
      this.#fail(error);
    }
    if (!this.#isSent && !this.#closed) this.#context?.opening?.();
  }

  /** Ends the exchange without an outcome, in the same tick. */
  cancel(): void {
    if (this.#closed) return;
    this.#close();
    this.#abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.pending = undefined;
    this.#connections.leave(this);
    if (this.#closed) {
      controller.abort(CANCELLED);
      return;
    }
    this.#isSent = true;
    this.#connections.send(this);
    // undici writes the head when this has returned. Told any earlier, the gap would begin too early.
    const sent = this.#context?.sent;
    if (sent !== undefined) queueMicrotask(sent);
    this.#deadline.enter('timeout-headers', this.#limits.headersMs);
  }

  /** undici bounds neither blank lines before a head nor what stands between parts of a body. */
  onRead(bytes: number): boolean {
    if (this.#received) return true;
    this.#readBytes += bytes;
    const { maxHeaderBytes = 0 } = this.#limits;
    const heads = (MAX_INTERIM + 1) * maxHeaderBytes;
    const most = FRAMING_BYTES + heads + FRAMING_PER_BYTE * this.#wireBytes;
    const seen = this.#readBytes - bytes;
    if (seen - this.#wireBytes <= most) return true;
    if (this.#stage !== 'body') this.#fail(this.#headTooLarge(maxHeaderBytes));
    else this.#failWith('protocol-error', { seen, body: this.#wireBytes }, 'hardly any body in it');
    return false;
  }

  onResponseStarted(): void {
    this.#stage = 'head';
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    fields: Fields,
  ): void {
    if (this.#received) return;
    if (status < 200) {
      if (++this.#interim > MAX_INTERIM) {
        this.#failWith(
          'protocol-error',
          { interim: this.#interim, limit: MAX_INTERIM },
          `over ${MAX_INTERIM} interim answers`,
        );
      } else if (status < 100) {
        this.#failWith('protocol-error', { status });
      }
      return;
    }
    this.#stage = 'body';
    this.#status = status;
    if (this.#limits.http2) this.#connections.progressed(this);
    if (status === 407 && this.#connections.viaProxy) {
      this.#failWith('proxy-failed', { 'proxy-status': status });
      return;
    }
    const lines = countLines(fields);
    if (lines > this.#limits.maxHeaderLines) {
      const limit = this.#limits.maxHeaderLines;
      this.#failWith('headers-too-large', { limit, seen: lines }, `over maxHeaderLines: ${limit}`);
      return;
    }
    const { http2, maxHeaderBytes } = this.#limits;
    if (http2 && maxHeaderBytes !== undefined && countBytes(fields) > maxHeaderBytes) {
      this.#fail(this.#headTooLarge(maxHeaderBytes));
      return;
    }
    this.#headers = responseHeaders(fields);
    // Answers that name several targets are forged or broken; browsers and curl refuse them, too.
    const locations = fields['location'];
    if (locations !== undefined && typeof locations !== 'string' && new Set(locations).size > 1) {
      this.#failWith('invalid-location', { locations: locations.length });
      return;
    }
    const wanted = !this.#isRedirect() && !this.#hasNoBody() && this.#isWanted();
    if (wanted === undefined) return;
    this.#wanted = wanted;
    if (!wanted) {
      this.#deadline.enter('leftovers', LEFTOVER_MS);
      if (this.#announced() > LEFTOVER_BYTES) this.#respondEarly();
      return;
    }
    this.#deadline.enter('timeout-idle', this.#limits.idleMs);
    if (this.#limits.minRate !== undefined) this.#deadline.watchRate(this.#limits.minRate);
    if (!this.#checkCodings() || !this.#askReceiver()) return;
    if (this.#receiver !== undefined) {
      this.#deadline.liftTotal();
      return;
    }
    const announced = this.#announced();
    const limit = this.#limits.maxBodyBytes;
    if (announced > limit && !this.#limits.truncate) {
      this.#failWith('too-large', { limit, announced }, overBytes(limit));
      return;
    }
    this.#chunks.expect(Math.min(announced, limit));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#received) return;
    this.#wireBytes += chunk.length;
    if (this.#limits.http2) this.#connections.progressed(this);
    if (!this.#wanted) {
      if (this.#wireBytes > LEFTOVER_BYTES) this.#respondEarly();
      return;
    }
    this.#deadline.progress(chunk.length);
    if (this.#receiver !== undefined) {
      // undici hands on nothing at all after a pause; to pause for that would never end.
      if (chunk.length === 0) return;
      this.#hand(this.#receiver, chunk, controller);
      return;
    }
    const { maxBodyBytes } = this.#limits;
    if (this.#wireBytes <= maxBodyBytes) {
      this.#chunks.push(chunk);
    } else if (this.#limits.truncate) {
      const room = maxBodyBytes - (this.#wireBytes - chunk.length);
      this.#chunks.push(chunk.subarray(0, room));
      this.#abort();
      this.#decode(true);
    } else {
      const seen = this.#wireBytes;
      this.#failWith('too-large', { limit: maxBodyBytes, seen }, overBytes(maxBodyBytes));
    }
  }

  onResponseEnd(): void {
    if (this.#received) return;
    const reset = this.#connections.socketError;
    if (reset !== undefined && this.#wanted) {
      this.#fail(reset);
      return;
    }
    if (this.#limits.http2 && this.#wanted) {
      const announced = this.#announced();
      if (this.#wireBytes < announced) {
        this.#failWith('truncated', { announced, seen: this.#wireBytes });
        return;
      }
    }
    this.#received = true;
    // undici frees the connection one turn of the event loop later. If the next request were made
    // before that, it would open another one: 50 requests in a row would use 2 to 3 connections.
    queueMicrotask(() =>
      setImmediate(() => {
        if (!this.#closed) this.#decode(false);
      }),
    );
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#received) return;
    // The head says all; what is wrong with the body does not matter. A 304 may rightly have the
    // length of a body that it has not (RFC 9110 §8.6), which undici takes for a fault.
    if (this.#stage === 'body' && !this.#wanted) {
      this.#received = true;
      this.#respond(NO_BYTES, false);
      return;
    }
    this.#fail(error);
  }

  #isRedirect(): boolean {
    return isRedirectStatus(this.#status) && this.#headers['location'] !== undefined;
  }

  /** `undefined` after a failure. */
  #isWanted(): boolean | undefined {
    const { wantBody } = this.#limits;
    if (wantBody === undefined) return true;
    try {
      return wantBody({ url: this.#publicUrl, status: this.#status, headers: this.#headers });
    } catch (error) {
      this.#fail(
        new CrawlError('internal', `${this.#url.host}: wantBody failed`, { cause: error }),
      );
      return undefined;
    }
  }

  /** False after a failure. */
  #askReceiver(): boolean {
    const receive = this.#context?.receive;
    if (receive === undefined || this.#codings.length > 0) return true;
    try {
      const head = { url: this.#publicUrl, status: this.#status, headers: this.#headers };
      this.#receiver = receive(head);
      return true;
    } catch (error) {
      this.#failToReceive(error);
      return false;
    }
  }

  /** Hands on a part of the body; nothing is read, and no time counts, while that is waited for. */
  #hand(receiver: BodyReceiver, part: Uint8Array, controller: Dispatcher.DispatchController): void {
    let taken: Promise<void> | undefined;
    try {
      taken = receiver(part);
    } catch (error) {
      this.#failToReceive(error);
      return;
    }
    if (taken === undefined) return;
    controller.pause();
    this.#deadline.pause();
    taken.then(
      () => {
        if (this.#received) return;
        this.#deadline.enter('timeout-idle', this.#limits.idleMs);
        if (this.#limits.minRate !== undefined) this.#deadline.watchRate(this.#limits.minRate);
        controller.resume();
      },
      (error: unknown) => this.#failToReceive(error),
    );
  }

  #failToReceive(error: unknown): void {
    this.#fail(
      isCrawlError(error)
        ? error
        : new CrawlError('sink-failed', `${this.#url.host}: the body was not taken`, {
            cause: error,
          }),
    );
  }

  #hasNoBody(): boolean {
    return this.#request.method === 'HEAD' || this.#status === 204 || this.#status === 304;
  }

  /** The announced length of the body, bytes; 0 if there is none or it is not known. */
  #announced(): number {
    if (this.#hasNoBody()) return 0;
    return Number(single(this.#headers, 'content-length') ?? 0) || 0;
  }

  /** Whether the body can be decoded. */
  #checkCodings(): boolean {
    const transfer = single(this.#headers, 'transfer-encoding');
    if (transfer !== undefined && !/^\s*(?:chunked|identity)\s*$/i.test(transfer)) {
      this.#failWith('bad-encoding', { 'transfer-encoding': transfer });
      return false;
    }
    const field = single(this.#headers, 'content-encoding');
    const codings = parseCodings(field);
    if (codings === undefined) {
      this.#failWith('bad-encoding', { 'content-encoding': field ?? '', most: MAX_CODINGS });
      return false;
    }
    this.#codings = codings;
    return true;
  }

  /** Answers without having read the body to its end. */
  #respondEarly(): void {
    this.#abort();
    this.#respond(NO_BYTES, false);
  }

  #decode(cut: boolean): void {
    const bytes = this.#wanted ? this.#chunks.take() : NO_BYTES;
    if (this.#codings.length === 0) {
      this.#respond(bytes, cut);
      return;
    }
    const { maxBodyBytes, maxDecodeRatio, truncate } = this.#limits;
    const byRatio = Math.max(RATIO_FROM_BYTES, Math.ceil(bytes.length * maxDecodeRatio));
    this.#stopDecoding = decodeBody(
      bytes,
      this.#codings,
      { maxBytes: Math.min(maxBodyBytes, byRatio), keepHead: truncate },
      (result) => this.#decoded(result, cut, Math.min(maxBodyBytes, byRatio)),
    );
  }

  #decoded(result: Decoded | DecodeProblem, cut: boolean, limit: number): void {
    if (this.#closed) return;
    if (!isProblem(result)) this.#respond(result.body, cut || result.cut);
    else {
      const { code, cause } = result;
      const { maxBodyBytes, maxDecodeRatio } = this.#limits;
      if (code === 'too-large') {
        const over =
          limit < maxBodyBytes ? `over maxDecodeRatio: ${maxDecodeRatio}` : overBytes(limit);
        this.#failWith(code, { limit, received: this.#wireBytes }, over, cause);
      } else {
        this.#failWith(code, undefined, undefined, cause);
      }
    }
  }

  #respond(body: Uint8Array, truncated: boolean): void {
    if (this.#closed) return;
    this.#close();
    const response = {
      url: this.#publicUrl,
      status: this.#status,
      headers: this.#headers,
      body,
      redirects: NO_REDIRECTS,
      wireBytes: this.#wireBytes,
    };
    this.#subscriber.next(truncated ? { ...response, truncated } : response);
    this.#subscriber.complete();
  }

  #expire(what: Expired): void {
    if (what === 'leftovers') {
      this.#respondEarly();
      return;
    }
    const stage = what === 'timeout-connect' ? this.pending?.stage : undefined;
    if (stage === 'proxy') this.#failWith('proxy-failed', undefined, this.#passed(what));
    else this.#failWith(stage ? `timeout-${stage}` : what, undefined, this.#passed(what));
  }

  /** The time limit that was passed, by the name of its option. */
  #passed(what: Exclude<Expired, 'leftovers'>): string {
    const { connectMs, headersMs, idleMs, totalMs, minRate } = this.#limits;
    switch (what) {
      case 'timeout-connect':
        return `over timeouts.connect: ${connectMs} ms`;
      case 'timeout-headers':
        return `over timeouts.headers: ${headersMs} ms`;
      case 'timeout-idle':
        return `over timeouts.idle: ${idleMs} ms`;
      case 'timeout-total':
        return `over timeouts.total: ${totalMs} ms`;
      case 'too-slow':
        return `under minRate.bytesPerSecond: ${minRate?.bytesPerSecond ?? 0}`;
    }
  }

  #headTooLarge(limit: number, cause?: unknown): CrawlError {
    const options = { detail: { limit }, ...(cause === undefined ? undefined : { cause }) };
    return crawlError('headers-too-large', this.#url, options, `over maxHeaderBytes: ${limit}`);
  }

  #failWith(
    code: CrawlErrorCode,
    detail?: Readonly<Record<string, string | number>>,
    extra?: string,
    cause?: unknown,
  ): void {
    this.#fail(
      crawlError(
        code,
        this.#url,
        {
          ...(this.#status === 0 ? undefined : { status: this.#status }),
          ...(detail === undefined ? undefined : { detail }),
          ...(cause === undefined ? undefined : { cause }),
        },
        extra,
      ),
    );
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#close();
    const outcome = isCrawlError(error) || isRequestRefused(error) ? error : this.#classify(error);
    this.#abort();
    this.#subscriber.error(outcome);
  }

  #classify(error: unknown): CrawlError {
    const found = toCrawlError(error, this.#url, this.#stage);
    const { maxHeaderBytes } = this.#limits;
    if (found.code === 'headers-too-large' && maxHeaderBytes !== undefined) {
      return this.#headTooLarge(maxHeaderBytes, error);
    }
    // What follows an interim answer is no answer: the final one is missing.
    if (found.code === 'protocol-error' && this.#interim > 0 && isNoAnswer(error)) {
      return crawlError('truncated', this.#url, { cause: error });
    }
    const coding = this.#codings.at(-1);
    // A body that was cut and is not what it claims to be: the second fault is the one to report.
    if (found.code === 'truncated' && coding !== undefined && this.#wireBytes > 0) {
      if (isBroken(this.#chunks.take(), coding)) {
        return crawlError('bad-encoding', this.#url, { status: this.#status, cause: error });
      }
    }
    return found;
  }

  /** No outcome follows, and no time limit runs. */
  #close(): void {
    this.#closed = true;
    this.#received = true;
    this.#deadline.stop();
    this.#connections.leave(this);
    this.#stopDecoding?.();
  }

  /** Gives up the connection, unless the answer has been received. */
  #abort(): void {
    this.#received = true;
    this.pending?.abandon(CANCELLED);
    this.pending = undefined;
    this.#controller?.abort(CANCELLED);
  }
}

function overBytes(limit: number): string {
  return `over maxBodyBytes: ${limit}`;
}

/** What the parser says where a status line should begin. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Expected HTTP/');
}

function isRedirectStatus(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}
