import {
  defer,
  delay,
  finalize,
  identity,
  mergeMap,
  NEVER,
  of,
  Subject,
  tap,
  throwError,
  timer,
  type Observable,
} from 'rxjs';
import {
  CrawlError,
  type CrawlErrorCode,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
} from '../../../src/core/index.js';

/** What a URL answers with: text is a 200. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly truncated?: boolean;
  readonly error?: CrawlErrorCode | Error;
  /** Time until the answer, ms. Default 1. */
  readonly ms?: number;
}

/** A fetcher of invented sites that writes down what it is asked for. */
export interface Site {
  readonly fetcher: Fetcher;
  /** URLs in the order in which they were asked for. */
  readonly asked: string[];
  /** The same, as they are asked for. */
  readonly asked$: Observable<string>;
  /** URLs whose fetch was unsubscribed before its end. */
  readonly aborted: string[];
  readonly contexts: (FetchContext | undefined)[];
}

/** Pages that are not named answer with their own URL, at once. */
export function site(replies: Readonly<Record<string, string | Reply | readonly Reply[]>>): Site {
  const asked: string[] = [];
  const asked$ = new Subject<string>();
  const aborted: string[] = [];
  const contexts: (FetchContext | undefined)[] = [];
  const times = new Map<string, number>();

  const reply = (url: string): Reply => {
    const found = replies[url] ?? { body: url, ms: 0 };
    if (typeof found === 'string') return { body: found };
    if (!Array.isArray(found)) return found as Reply;
    const time = times.get(url) ?? 0;
    times.set(url, time + 1);
    return (found as Reply[])[Math.min(time, found.length - 1)]!;
  };

  function answer(url: string): Observable<FetchedResponse> {
    const { status = 200, headers = {}, body = '', truncated, error, ms = 1 } = reply(url);
    if (ms === Infinity) return NEVER;
    if (error !== undefined) {
      const thrown = typeof error === 'string' ? new CrawlError(error, error) : error;
      return timer(ms).pipe(mergeMap(() => throwError(() => thrown)));
    }
    return of({
      url,
      status,
      headers,
      body: typeof body === 'string' ? Buffer.from(body) : body,
      redirects: [],
      wireBytes: body.length,
      ...(truncated === undefined ? {} : { truncated }),
    }).pipe(ms === 0 ? identity : delay(ms));
  }

  const fetcher: Fetcher = ({ url }, context) =>
    defer(() => {
      asked.push(url);
      asked$.next(url);
      contexts.push(context && { ...context });
      let ended = false;
      const end = () => (ended = true);
      return answer(url).pipe(
        tap({ complete: end, error: end }),
        finalize(() => ended || aborted.push(url)),
      );
    });
  return { fetcher, asked, asked$, aborted, contexts };
}
