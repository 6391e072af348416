import {
  catchError,
  concat,
  defer,
  filter,
  EMPTY,
  map,
  mergeMap,
  Observable,
  type ObservableInput,
  of,
  type SchedulerLike,
  type Subscriber,
  throwIfEmpty,
} from 'rxjs';
import type { Admission } from './admission.js';
import { CrawlError, isCrawlError, isRequestPutBack, isRequestRefused } from './errors.js';
import type { CrawlEvent, DoneEvent } from './events.js';
import { expectTimer } from './expect.js';
import type { FetchContext, FetchedResponse, Fetcher, FetchNotice } from './fetcher.js';
import type { HostGate } from './host-gate.js';
import type { HandledItem, Handler } from './handler.js';
import { messageOf } from './message-of.js';
import type { BarePage, Parse } from './page.js';
import { withoutUserInfo } from './public-url.js';
import { type CrawlRequest, isRequest } from './request.js';
import type { RetryPolicy } from './retry-policy.js';
import { retryAfter } from './hold-hosts.js';
import { runHandler } from './run-handler.js';
import { skipRequest } from './skip.js';
import type { Sink } from './sink.js';
import type { Delivery, Visit } from './strategy.js';

type VisitEvent<T, P extends BarePage> = CrawlEvent<HandledItem<T>, P>;

/** What a visit is made of. */
export interface VisitOptions<T, P extends BarePage> {
  readonly fetcher: Fetcher;
  readonly parse: Parse<P>;
  readonly handle: Handler<T, P>;
  readonly handlerTimeout: number;
  readonly sink: Sink<T> | undefined;
  readonly acceptStatus: (status: number) => boolean;
  readonly admission: Admission;
  readonly gate: HostGate;
  readonly retry: RetryPolicy;
  /** How often a request may be put back because its host asks to wait. */
  readonly maxHolds: number;
  readonly scheduler: SchedulerLike;
}

/**
 * Makes the visit of a crawl: fetch, check the status, parse, handle, and turn whatever goes
 * wrong into a `retry`, `failure` or `skip` of this request alone.
 */
export function visitRequest<T, P extends BarePage>(
  options: VisitOptions<T, P>,
): Visit<VisitEvent<T, P>> {
  const { admission, fetcher, scheduler } = options;
  return (request, delivery) =>
    new Observable<VisitEvent<T, P>>((subscriber) => {
      const startedAt = scheduler.now();
      const { attempt } = delivery;
      let answer: FetchedResponse | undefined;
      subscriber.next({ type: 'start', request, attempt });
      if (subscriber.closed) return undefined;
      return defer(() => {
        admission.verdict(request);
        return fetcher(request, fetchContext(options, request, delivery, subscriber));
      })
        .pipe(
          // Not `take(1)`: that would abort a fetch which is about to complete.
          filter((_response, index) => index === 0),
          throwIfEmpty(noAnswer),
          map((response) => {
            answer = response;
            return parseAnswer(options, response, request);
          }),
          mergeMap((page) => {
            const ms = scheduler.now() - startedAt;
            subscriber.next({ type: 'page', request, page, ms, attempt });
            if (subscriber.closed) return EMPTY;
            return inTurn(options, page, handlePage(options, page, request, delivery, startedAt));
          }),
          catchError((error: unknown) => of(judge(options, request, delivery, error, answer))),
        )
        .subscribe(subscriber);
    });
}

function fetchContext<T, P extends BarePage>(
  { admission, gate }: VisitOptions<T, P>,
  request: CrawlRequest,
  { attempt, holds, pass, worker }: Delivery,
  subscriber: Subscriber<VisitEvent<T, P>>,
): FetchContext {
  return {
    attempt,
    holds,
    pass,
    worker,
    admitRedirect: (target) => {
      try {
        admission.redirect(target, request);
      } catch (error) {
        if (isLostSeed(error, request)) subscriber.next(seedRedirected(request, target));
        throw error;
      }
    },
    setDelay: (url, ms) => gate.setDelay(url, ms),
    notify: (notice) => subscriber.next(asEvent(notice, request)),
  };
}

/** Whether a seed leads out of the scope, so that nothing of what its user meant is crawled. */
function isLostSeed(error: unknown, { depth, referrer }: CrawlRequest): boolean {
  return (
    depth === 0 &&
    referrer === undefined &&
    isRequestRefused(error) &&
    error.reason === 'redirect-out-of-scope'
  );
}

function seedRedirected(request: CrawlRequest, { url }: CrawlRequest): CrawlEvent<never, never> {
  return {
    type: 'warning',
    request,
    code: 'seed-redirected',
    message: `redirects to ${withoutUserInfo(url)}, which is out of scope; begin there, or widen the scope`,
  };
}

function asEvent(notice: FetchNotice, request: CrawlRequest): CrawlEvent<never, never> {
  return 'host' in notice ? notice : { ...notice, request };
}

function parseAnswer<T, P extends BarePage>(
  { acceptStatus, parse }: VisitOptions<T, P>,
  response: FetchedResponse,
  request: CrawlRequest,
): P {
  const { status } = response;
  if (!acceptStatus(status)) {
    throw new CrawlError('http-status', `answered with status ${status}`, { status });
  }
  try {
    return parse(response, request);
  } catch (cause) {
    if (isCrawlError(cause)) throw cause;
    throw new CrawlError('parse-failed', `the page could not be parsed: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Lets the handling of a page wait, if the handler limits how many pages it takes at a time. */
function inTurn<T, P extends BarePage, E>(
  { handle }: VisitOptions<T, P>,
  page: P,
  handled$: Observable<E>,
): Observable<E> {
  return handle.around?.(page, handled$) ?? handled$;
}

/** Runs the handler; emits its items and the requests that it found, then `done`. */
function handlePage<T, P extends BarePage>(
  options: VisitOptions<T, P>,
  page: P,
  request: CrawlRequest,
  { attempt }: Delivery,
  startedAt: number,
): Observable<VisitEvent<T, P>> {
  const { admission, handle, sink, scheduler } = options;
  return new Observable<VisitEvent<T, P>>((subscriber) => {
    let items = 0;
    let links = 0;
    let batch: CrawlRequest[] = [];
    const flush = (): void => {
      if (batch.length === 0) return;
      const { skips, found } = admission.links(batch, request, links);
      links += batch.length;
      batch = [];
      for (const skip of skips) subscriber.next(skip);
      subscriber.next(found);
    };

    const accept = (value: unknown): ObservableInput<unknown> | undefined => {
      if (value === undefined || value === null) return undefined;
      if (isRequest(value)) {
        batch.push(value);
        return undefined;
      }
      if (isRequestList(value)) {
        for (const each of value) batch.push(each);
        return undefined;
      }
      const item = value as HandledItem<T>;
      items += 1;
      subscriber.next({ type: 'item', request, item });
      return (
        sink &&
        defer(() => sink(item, request) ?? EMPTY).pipe(
          catchError((error: unknown) => {
            if (!isCrawlError(error) || error.code !== 'item-invalid') throw error;
            subscriber.next({ type: 'item-failure', request, item, error });
            return EMPTY;
          }),
        )
      );
    };

    const done = (): DoneEvent => ({
      type: 'done',
      request,
      url: page.url,
      status: page.status,
      bytes: page.file?.bytes ?? page.bytes.length,
      ms: scheduler.now() - startedAt,
      attempts: attempt,
      items,
    });

    const handled$ = runHandler((context) => handle(page, context), {
      timeout: options.handlerTimeout,
      scheduler,
      accept,
      flush,
    });
    // Subscribed to with `subscriber` itself, so that a consumer can leave while a generator runs.
    return concat(
      handled$,
      defer(() => of(done())),
    ).subscribe(subscriber);
  });
}

/** What an error means for the request: not fetched on purpose, tried again, or failed. */
function judge<T, P extends BarePage>(
  { gate, maxHolds, retry, scheduler }: VisitOptions<T, P>,
  request: CrawlRequest,
  { attempt, holds = 0 }: Delivery,
  thrown: unknown,
  response: FetchedResponse | undefined,
): VisitEvent<T, P> {
  if (isRequestRefused(thrown))
    return skipRequest(request, thrown.reason, { started: true, detail: thrown.detail });
  if (isRequestPutBack(thrown)) {
    const { delayMs, error } = thrown;
    return { type: 'retry', request, attempt, delayMs, held: true, error };
  }
  const error = isCrawlError(thrown)
    ? thrown
    : new CrawlError('internal', `unexpected error: ${messageOf(thrown)}`, { cause: thrown });
  const attempts = attempt + holds;
  const heldMs = isThrottled(error) ? gate.heldFor(response?.url ?? request.url) : 0;
  if (response && heldMs > 0 && maxHolds > 0 && retryAfter(response, scheduler.now())) {
    if (holds >= maxHolds) return { type: 'failure', request, error, attempts };
    return { type: 'retry', request, attempt, delayMs: heldMs, held: true, error };
  }
  try {
    const wished = retry(attempt, { request, error, response });
    if (wished === null) return { type: 'failure', request, error, attempts };
    expectTimer('its result', wished);
    const delayMs = Math.max(wished, heldMs);
    return { type: 'retry', request, attempt, delayMs, held: false, error };
  } catch (cause) {
    const failed = new CrawlError('internal', `the retry policy failed: ${messageOf(cause)}`, {
      cause,
    });
    return { type: 'failure', request, error: failed, attempts };
  }
}

function noAnswer(): CrawlError {
  return new CrawlError('internal', 'the fetcher completed without a response');
}

/** The server asked for fewer requests: that is no fault of this one. */
function isThrottled({ status }: CrawlError): boolean {
  return status === 429 || status === 503;
}

/**
 * Whether a value is a list of requests, as `page.follow()` gives it; it may be empty.
 *
 * @throws TypeError for requests beside other values, which a list that an async function returns
 * may hold: as an item it would keep the requests from being followed
 */
function isRequestList(value: unknown): value is readonly CrawlRequest[] {
  if (!Array.isArray(value)) return false;
  if (value.every(isRequest)) return true;
  if (!value.some(isRequest)) return false;
  throw new TypeError(
    'a list holds requests beside other values; give them one by one, in asynchronous code by an `async function*`',
  );
}
