import { mergeMap, type Observable, of } from 'rxjs';
import { CrawlError, RequestRefused } from './errors.js';
import type { FetchContext, FetchedResponse, FetcherDecorator, Redirect } from './fetcher.js';
import { expectOptions, integerFrom } from './expect-options.js';
import { isPublicHeader } from './header-scope.js';
import { withoutUserInfo } from './public-url.js';
import { type CrawlRequest, requestFromHref } from './request.js';

/** Options of {@link followRedirects}. */
export interface FollowRedirectsOptions {
  /** Most hops from one request. Default 10. */
  readonly maxRedirects?: number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Fields that describe a body; they go when the body does. */
const BODY_HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
];

/**
 * Follows redirects, one exchange of the inner fetcher a hop. Before a hop is contacted the
 * crawl is asked whether it belongs (scope, dedupe); the chain is kept in the response. Methods
 * change as the Fetch standard says: 303 turns all but GET and HEAD into GET, 301 and 302 turn
 * POST into GET. On a change of origin (scheme, host or port), user information and all header
 * fields but well-known harmless ones, such as `accept`, are dropped and stay dropped;
 * `proxy-authorization` always is. User information is neither in the chain nor in messages. A 3xx without `Location` is an answer like any other.
 *
 * Errors: `invalid-location`, `redirect-loop`, `too-many-redirects`; `RequestRefused` with
 * `scheme`, or whatever the crawl refuses with.
 *
 * @example
 * ```ts
 * const fetcher = followRedirects({ maxRedirects: 5 })(undiciFetcher());
 * ```
 */
export function followRedirects(options: FollowRedirectsOptions = {}): FetcherDecorator {
  expectOptions('followRedirects', options, { maxRedirects: integerFrom(0) });
  const { maxRedirects = 10 } = options;

  return (fetcher) => {
    const hop = (
      request: CrawlRequest,
      context: FetchContext | undefined,
      chain: readonly Redirect[],
      visited: readonly string[],
    ): Observable<FetchedResponse> =>
      fetcher(request, context).pipe(
        mergeMap((response) => {
          const { location } = response.headers;
          if (!REDIRECTS.has(response.status) || typeof location !== 'string') {
            return of(chain.length === 0 ? response : { ...response, redirects: chain });
          }
          const target = redirectTarget(request, response, location);
          const link: Redirect = {
            url: withoutUserInfo(request.url),
            status: response.status,
            location: withoutUserInfo(target.url),
          };
          const longer = [...chain, link];
          if (longer.length > maxRedirects) {
            throw new CrawlError('too-many-redirects', `more than ${maxRedirects} redirects`, {
              status: response.status,
            });
          }
          const been = [...visited, asked(request)];
          refuseLoop(target, been, response);
          context?.admitRedirect?.(target);
          context?.notify?.({
            type: 'redirect',
            from: link.url,
            to: link.location,
            status: response.status,
          });
          return hop(target, context, longer, been);
        }),
      );
    // All hops share one context, by which decorators inside know that they belong together.
    return (request, context = { attempt: 1 }) => hop(request, context, [], []);
  };
}

function redirectTarget(
  request: CrawlRequest,
  { status }: FetchedResponse,
  location: string,
): CrawlRequest {
  const url = resolve(location, request.url);
  const method = redirectMethod(request.method, status);
  const bodyKept = method === request.method && status !== 303 && method !== 'HEAD';
  const headers: Record<string, string> = { ...request.headers };
  if (!bodyKept) for (const name of BODY_HEADERS) Reflect.deleteProperty(headers, name);
  const isSameOrigin = url.origin === new URL(request.url).origin;
  for (const name of Object.keys(headers)) {
    const isKept = isSameOrigin ? name !== 'proxy-authorization' : isPublicHeader(name);
    if (!isKept) Reflect.deleteProperty(headers, name);
  }
  return requestFromHref(url.href, {
    depth: request.depth,
    referrer: request.referrer,
    label: request.label,
    priority: request.priority,
    context: request.context,
    method,
    headers: request.headers && headers,
    body: bodyKept ? request.body : undefined,
  });
}

function resolve(location: string, base: string): URL {
  let url: URL;
  try {
    url = new URL(location, base);
  } catch (cause) {
    throw new CrawlError(
      'invalid-location',
      // What stands before an @ may be a password.
      `redirect to ${JSON.stringify(location.slice(location.lastIndexOf('@') + 1).slice(0, 200))}, which is no URL`,
      { cause },
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RequestRefused('scheme', `redirect to ${url.protocol}`);
  }
  url.hash = '';
  return url;
}

function redirectMethod(method: string, status: number): string {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET';
  if ((status === 301 || status === 302) && method === 'POST') return 'GET';
  return method;
}

/** The answer to a form may well be a redirect to its own page. */
function asked({ method, url }: CrawlRequest): string {
  return `${method} ${url}`;
}

/** The same request again can only bring something new if the last answer has set a cookie. */
function refuseLoop(
  target: CrawlRequest,
  visited: readonly string[],
  response: FetchedResponse,
): void {
  if (response.headers['set-cookie'] !== undefined) return;
  if (visited.includes(asked(target))) {
    throw new CrawlError('redirect-loop', `redirected back to ${withoutUserInfo(target.url)}`, {
      status: response.status,
    });
  }
}
