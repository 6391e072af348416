import {
  asyncScheduler,
  concat,
  defer,
  from,
  ignoreElements,
  mergeMap,
  type Observable,
  of,
  type SchedulerLike,
} from 'rxjs';
import {
  type CrawlRequest,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
  type FetcherDecorator,
  type ResponseHeaders,
  withRequest,
} from '../../core/index.js';
import { expectScheduler } from '../../core/expect.js';
import { expectOptions, objectWith, oneOf } from '../../core/expect-options.js';
import { messageOf } from '../../core/message-of.js';
import type { CacheStore, StoredResponse } from './cache-store.js';
import { isFresh } from './freshness.js';
import { memoryCache } from './memory-cache.js';
import { hasValidator, isCacheable, isStorable, variesBy } from './storable.js';
import { isPromise } from '../../core/is-promise.js';

/** What {@link httpCache} takes. */
export interface HttpCacheOptions {
  /** Where answers are kept. Default {@link memoryCache} of 64 MiB. */
  readonly store?: CacheStore;
  /**
   * - `revalidate` (default): each answer is asked for again, on condition that it has changed.
   * - `fresh`: answers are used without asking for as long as their server has said they are fresh
   *   (`max-age`, `Expires`).
   */
  readonly mode?: 'revalidate' | 'fresh';
  readonly scheduler?: SchedulerLike;
}

/** Fields of a 304 that say nothing about the stored body (RFC 9111 §3.2). */
const OF_THE_MESSAGE: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Keeps answers, and asks servers only whether they have changed (RFC 9111, as far as a crawler
 * needs it): `If-None-Match` with the `ETag`, else `If-Modified-Since` with the `Last-Modified`
 * of the stored answer. A 304 gives the stored answer, marked `cache: 'revalidated'`, so its links
 * are found again.
 *
 * - Kept are whole answers to GET with the status 200, 203, 301 or 308. Not kept: `no-store`,
 *   `private`, `Vary: *`, answers that set cookies, and those to requests with `authorization`,
 *   `cookie`, user information, a range or conditions of their own, which pass the cache by.
 *   So do downloads, whose bodies are not kept in memory.
 * - A 304 with the strong `ETag` of another answer confirms nothing: the request is sent again,
 *   without a condition.
 * - `Vary`: a stored answer is used only if all fields that it names are the same again.
 * - An outage removes nothing: failures, 5xx and all 4xx but 404 and 410 leave what is stored as
 *   it is. Another answer takes its place, or, if it may not be kept, removes it.
 * - What fails in the store is a `warning` notice, and a miss.
 *
 * Put it outside of `polite`, so that what needs no exchange takes no place at its host, and
 * inside of whatever adds header fields.
 *
 * ```text
 * requests:  a-a-b|
 * asked:     a-c-b|      c is conditional
 * responses: a-r-b|      r is what is stored, after a 304
 * ```
 *
 * @throws TypeError that names the option that is wrong
 *
 * @example
 * ```ts
 * const cache = httpCache({ store: diskCache('.cache/pages') });
 * const fetcher = pipeFetcher(undiciFetcher(), cache, withCookies(), followRedirects());
 * ```
 */
export function httpCache(options: HttpCacheOptions = {}): FetcherDecorator {
  expectOptions('httpCache', options, {
    store: objectWith('get', 'set', 'delete'),
    mode: oneOf('revalidate', 'fresh'),
    scheduler: expectScheduler,
  });
  const { store = memoryCache(), mode = 'revalidate', scheduler = asyncScheduler } = options;

  return (fetcher) => {
    const ask = (
      request: CrawlRequest,
      context: FetchContext | undefined,
      stored: StoredResponse | undefined,
    ): Observable<FetchedResponse> => {
      const usable = stored && matches(stored, request) ? stored : undefined;
      if (usable && mode === 'fresh' && isFresh(usable, scheduler.now())) {
        return of(asResponse(request.url, usable, 'hit', context));
      }
      const asked = usable ? conditional(request, usable) : request;
      return fetcher(asked, context).pipe(
        mergeMap((response) => keep(request, context, response, stored, usable)),
      );
    };

    /** Decides what an answer means for the store, and what the asker gets. */
    const keep = (
      request: CrawlRequest,
      context: FetchContext | undefined,
      response: FetchedResponse,
      stored: StoredResponse | undefined,
      usable: StoredResponse | undefined,
    ): Observable<FetchedResponse> => {
      const { url } = request;
      const at = scheduler.now();
      if (response.status === 304 && usable) {
        // It confirms another answer, and what is stored must not take its validator over.
        if (isOfAnother(response, usable)) return askAnew(request, context, stored);
        const confirmed: StoredResponse = {
          ...usable,
          headers: updated(usable.headers, response.headers),
          at,
        };
        return after(
          asResponse(response.url, confirmed, 'revalidated', context),
          write(() => store.set(url, confirmed), context),
        );
      }
      if (isStorable(response, mode === 'fresh' ? at : undefined)) {
        return after(
          response,
          write(() => store.set(url, asStored(request, response, at)), context),
        );
      }
      if (stored === undefined || !replacesStored(response)) return of(response);
      return after(
        response,
        write(() => store.delete(url), context),
      );
    };

    const askAnew = (
      request: CrawlRequest,
      context: FetchContext | undefined,
      stored: StoredResponse | undefined,
    ): Observable<FetchedResponse> =>
      fetcher(request, context).pipe(
        mergeMap((response) => keep(request, context, response, stored, undefined)),
      );

    return (request, context) =>
      isCacheable(request) && context?.receive === undefined
        ? defer(() => {
            const found = read(store, request.url, context);
            return isPromise(found)
              ? from(found).pipe(mergeMap((stored) => ask(request, context, stored)))
              : ask(request, context, found);
          })
        : passBy(fetcher, store, request, context);
  };
}

/** What changes a page makes what is stored of it old (RFC 9111 §4.4). */
function passBy(
  fetcher: Fetcher,
  store: CacheStore,
  request: CrawlRequest,
  context: FetchContext | undefined,
): Observable<FetchedResponse> {
  const { method, url } = request;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') {
    return fetcher(request, context);
  }
  return fetcher(request, context).pipe(
    mergeMap((response) =>
      response.status >= 400
        ? of(response)
        : after(
            response,
            write(() => store.delete(url), context),
          ),
    ),
  );
}

/**
 * Whether a 304 is about another answer than the one that is stored (RFC 9111 §4.3.4). A server
 * that tells the tag of what it would send only in one of the two, or as a weak one, means the same.
 */
function isOfAnother(confirmation: FetchedResponse, stored: StoredResponse): boolean {
  const [told, known] = [confirmation.headers['etag'], stored.headers['etag']];
  if (typeof told !== 'string' || typeof known !== 'string') return false;
  return !isWeak(told) && told !== (isWeak(known) ? known.slice(2) : known);
}

function isWeak(etag: string): boolean {
  return etag.startsWith('W/');
}

/** Whether an answer that is not kept tells that the stored one is no longer true. */
function replacesStored({ status, truncated }: FetchedResponse): boolean {
  return truncated !== true && (status < 400 || status === 404 || status === 410);
}

function conditional(request: CrawlRequest, { headers }: StoredResponse): CrawlRequest {
  if (!hasValidator(headers)) return request;
  const { etag } = headers;
  const modified = headers['last-modified'];
  const condition =
    typeof etag === 'string'
      ? { 'if-none-match': etag }
      : typeof modified === 'string'
        ? { 'if-modified-since': modified }
        : {};
  return withRequest(request, { headers: { ...request.headers, ...condition } });
}

function matches({ vary }: StoredResponse, { headers }: CrawlRequest): boolean {
  return Object.entries(vary).every(([name, value]) => fieldOf(headers, name) === value);
}

/** The fetcher's own fields, such as `accept-encoding`, are not among these, and always the same. */
function fieldOf(headers: CrawlRequest['headers'], name: string): string {
  return headers !== undefined && Object.hasOwn(headers, name) ? (headers[name] ?? '') : '';
}

function asStored(
  { headers: sent }: CrawlRequest,
  { status, headers, body }: FetchedResponse,
  at: number,
): StoredResponse {
  const vary = Object.create(null) as Record<string, string>;
  for (const name of variesBy(headers)) vary[name] = fieldOf(sent, name);
  return { status, headers, body, at, vary };
}

function asResponse(
  url: string,
  { status, headers, body }: StoredResponse,
  cache: 'hit' | 'revalidated',
  context: FetchContext | undefined,
): FetchedResponse {
  const most = context?.truncateAt ?? Infinity;
  const response: FetchedResponse = {
    url,
    status,
    headers,
    body,
    redirects: [],
    wireBytes: 0,
    cache,
  };
  return body.length <= most
    ? response
    : { ...response, body: body.subarray(0, most), truncated: true };
}

function updated(stored: ResponseHeaders, fields: ResponseHeaders): ResponseHeaders {
  const headers = Object.assign(
    Object.create(null) as Record<string, string | readonly string[]>,
    stored,
  );
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && !OF_THE_MESSAGE.has(name)) headers[name] = value;
  }
  return headers;
}

/** The response at once, and its end when it is written down. */
function after(
  response: FetchedResponse,
  written: PromiseLike<void> | undefined,
): Observable<FetchedResponse> {
  return written === undefined
    ? of(response)
    : concat(of(response), from(written).pipe(ignoreElements()));
}

function read(
  store: CacheStore,
  url: string,
  context: FetchContext | undefined,
): StoredResponse | undefined | PromiseLike<StoredResponse | undefined> {
  try {
    const found = store.get(url);
    return isPromise(found)
      ? found.then(undefined, (error: unknown) => {
          warn(error, context);
          return undefined;
        })
      : found;
  } catch (error) {
    warn(error, context);
    return undefined;
  }
}

function write(
  change: () => void | PromiseLike<void>,
  context: FetchContext | undefined,
): PromiseLike<void> | undefined {
  try {
    const written = change();
    return isPromise(written)
      ? written.then(undefined, (error: unknown) => {
          warn(error, context);
        })
      : undefined;
  } catch (error) {
    warn(error, context);
    return undefined;
  }
}

function warn(error: unknown, context: FetchContext | undefined): void {
  const why = messageOf(error);
  context?.notify?.({
    type: 'warning',
    code: 'cache-failed',
    message: `the cache could not be used: ${why}`,
  });
}
