import { defer, tap } from 'rxjs';
import { show } from '../../core/expect.js';
import { withRequest, type CrawlRequest, type FetcherDecorator } from '../../core/index.js';
import { expectOptions } from '../../core/expect-options.js';
import { CookieJar } from './cookie-jar.js';

/** What {@link withCookies} takes. */
export interface WithCookiesOptions {
  /** The jar to use. Default: a new one for each fetcher that is decorated. */
  readonly jar?: CookieJar;
}

/**
 * Gives a fetcher a cookie jar. The jar is asked anew when an exchange begins, for the URL of that
 * exchange alone, and what an answer sets is kept for the URL that answered; so put it inside of
 * `followRedirects`. A `cookie` header of the request itself wins over the jar.
 *
 * Without this a crawl sends no cookies and keeps none.
 *
 * @throws TypeError if `jar` is no {@link CookieJar}
 *
 * @example
 * ```ts
 * const jar = new CookieJar();
 * const fetcher = pipeFetcher(undiciFetcher(), withCookies({ jar }), followRedirects());
 * ```
 */
export function withCookies(options: WithCookiesOptions = {}): FetcherDecorator {
  expectOptions('withCookies', options, { jar: expectJar });
  const { jar } = options;
  return (fetcher) => {
    const own = jar ?? new CookieJar();
    return (request, context) =>
      defer(() => fetcher(withJar(request, own), context)).pipe(
        tap(({ url, headers }) => {
          for (const setCookie of headers['set-cookie'] ?? []) own.set(url, setCookie);
        }),
      );
  };
}

function expectJar(name: string, jar: unknown): void {
  if (jar instanceof CookieJar) return;
  throw new TypeError(`${name}: expected a CookieJar of this library, got ${show(jar)}`);
}

function withJar(request: CrawlRequest, jar: CookieJar): CrawlRequest {
  if (request.headers?.['cookie'] !== undefined) return request;
  const cookie = jar.header(request.url);
  if (cookie === undefined) return request;
  return withRequest(request, { headers: { ...request.headers, cookie } });
}
