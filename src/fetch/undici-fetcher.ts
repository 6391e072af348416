import { Observable } from 'rxjs';
import type { Dispatcher } from 'undici';
import {
  CrawlError,
  type CrawlRequest,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
} from '../core/index.js';
import { tryParseUrl } from '../url/index.js';
import { checkFetcherOptions } from './check-fetcher-options.js';
import { crawlError } from './classify-error.js';
import { chooseConnections, type ProxyOption } from './choose-connections.js';
import { foreignConnections, type ConnectExtras, type Connections } from './connections.js';
import { ACCEPT_ENCODING } from './content-codings.js';
import type { MinRate } from './deadline.js';
import { Exchange, type ExchangeLimits, type ResponseHead } from './exchange.js';
import { basicAuthorization, headerProblem, isMethod } from './request-headers.js';
import { DEFAULT_USER_AGENT } from './user-agent.js';

/** Time limits of one exchange, ms. `Infinity` for none. */
export interface FetchTimeouts {
  /**
   * From the request to an open connection. Fails as `timeout-dns`, `timeout-connect` or
   * `timeout-tls`, whichever it was. Default 10,000.
   */
  readonly connect?: number;
  /** From the request being sent to the whole head of its answer: `timeout-headers`. Default 15,000. */
  readonly headers?: number;
  /** Between two parts of the body: `timeout-idle`. Default 15,000. */
  readonly idle?: number;
  /** For everything: `timeout-total`. Default 30,000. */
  readonly total?: number;
}

/** What {@link undiciFetcher} takes. */
export interface UndiciFetcherOptions {
  /** Default {@link DEFAULT_USER_AGENT}. */
  readonly userAgent?: string;
  /**
   * Header fields for all requests of this fetcher. They replace the fetcher's own `accept` and
   * `accept-encoding`, and are replaced by the headers of a request. They go to every host, so
   * secrets do not belong here. `proxy-authorization` is never sent to a site.
   */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeouts?: FetchTimeouts;
  /**
   * Least speed of a body, bytes per second on average over a window. Default none: `total` ends
   * a slow sender, too. For downloads with a long `total`.
   */
  readonly minRate?: MinRate;
  /** Most bytes of a body, both as received and decoded. Default 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Most times that a body over 1 MB may be larger than what was received. Default 100. */
  readonly maxDecodeRatio?: number;
  /** Most bytes of a head: names and values. Default 16 KiB. Not with `dispatcher`. */
  readonly maxHeaderBytes?: number;
  /** Most header lines. Default 100. */
  readonly maxHeaderLines?: number;
  /** Keep the head of a body that is too large, marked `truncated`, instead of failing. Default `false`. */
  readonly truncate?: boolean;
  /**
   * Whether the body of an answer is wanted. Of others at most 64 KiB are read, for at most 1 s,
   * and the response has an empty body. Default: all but redirects.
   */
  readonly wantBody?: (head: ResponseHead) => boolean;
  /**
   * Makes the requests instead of a dispatcher of the fetcher's own: a `ProxyAgent`, a `MockAgent`,
   * or one for each request. Never closed by the fetcher.
   */
  readonly dispatcher?: Dispatcher | ((request: CrawlRequest) => Dispatcher);
  /** Options for opening connections, such as `lookup`. Not with `dispatcher`. */
  readonly connect?: ConnectExtras;
  /**
   * Host names whose certificates are *not* checked. The first request to each sends a `warning`
   * notice. Default none. Not with `dispatcher`.
   */
  readonly insecureHosts?: readonly string[];
  /**
   * The proxy that requests go through: a URL (`http:` or `https:`), `'env'` to read
   * `http_proxy`, `https_proxy` and `no_proxy`, or a function of the request. User information of
   * that URL opens this proxy and goes nowhere else. Default: none, whatever the environment
   * says. Not with `dispatcher`.
   */
  readonly proxy?: ProxyOption;
  /**
   * Speak HTTP/2 with `https:` servers that choose it. Default `false`: undici takes a body whose
   * stream the server resets for a whole one, unless its length or its coding tells that it was
   * cut. Not with `dispatcher`.
   */
  readonly http2?: boolean;
  /**
   * Send the user information of `http:` URLs as credentials, which anyone on the way can read.
   * Default `false`: such requests are refused, except to this machine.
   */
  readonly plainCredentials?: boolean;
}

/** A {@link Fetcher} that holds connections. */
export type ClosableFetcher = Fetcher & {
  /**
   * Closes the fetcher's own connections: idle ones at once, others when their exchange ends.
   * A later fetch opens new ones. Never touches a `dispatcher` that was passed in.
   */
  close(): void;
};

/** What opens a proxy is no business of a site. */
const FOR_PROXIES = 'proxy-authorization';

const DEFAULT_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/**
 * Makes a fetcher for single HTTP exchanges, on undici.
 *
 * - A redirect is answered as it is, with an empty body; other decorators follow it.
 * - Every status is a response. Failures are `CrawlError`s with a code, see {@link toCrawlError}.
 * - gzip, deflate, br (and zstd where Node has it) are undone, with limits on what comes out.
 * - Cold: connects when subscribed. Unsubscribing aborts in the same tick, and the server sees its
 *   connection closed; a connection that is still being made is given up.
 * - User information of a URL is sent as Basic credentials (RFC 7617) in that exchange alone. It is
 *   not in the response's `url` nor in messages.
 * - Through a proxy only if `proxy` says so; HTTP/2 only with `http2`.
 * - Connections are kept for 4 s, or as the server says, up to 60 s, and closed then. They do not
 *   keep a process alive. Whoever made the fetcher calls `close()` when done to close them at once;
 *   `crawl()` does so for the fetchers that it makes.
 *
 * @param options - see {@link UndiciFetcherOptions}
 * @returns a fetcher; each call has connections of its own
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * import { lastValueFrom } from 'rxjs';
 * import { request, undiciFetcher } from 'rxcrawl';
 *
 * const fetcher = undiciFetcher({ timeouts: { total: 5_000 } });
 * const response = await lastValueFrom(fetcher(request('https://example.org/')));
 * console.log(response.status, response.body.length);
 * fetcher.close();
 * ```
 */
export function undiciFetcher(options: UndiciFetcherOptions = {}): ClosableFetcher {
  checkFetcherOptions(options);
  const limits = limitsOf(options);
  const defaults = defaultHeaders(options);
  const defaultList = flat(defaults);
  const insecureHosts = new Set(options.insecureHosts?.map((host) => host.toLowerCase()));
  const warned = new Set<string>();
  const { dispatcher } = options;
  // Holds nothing before the first exchange.
  const own = chooseConnections(
    {
      connect: options.connect ?? {},
      connectMs: limits.connectMs,
      maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
      insecureHosts,
      http2: options.http2 ?? false,
    },
    options.proxy,
  );
  const hasGuard = options.connect?.lookup !== undefined;
  let warnedOfProxy = false;
  const connectionsFor = (request: CrawlRequest, context?: FetchContext): Connections => {
    if (dispatcher !== undefined) {
      return foreignConnections(() =>
        typeof dispatcher === 'function' ? dispatcher(request) : dispatcher,
      );
    }
    const connections = own.for(request);
    if (connections.viaProxy && hasGuard && !warnedOfProxy) {
      warnedOfProxy = true;
      context?.notify?.({
        type: 'warning',
        code: 'guard-behind-proxy',
        message:
          'the proxy looks host names up: addresses are not guarded for what goes through it',
      });
    }
    return connections;
  };

  function fetch(request: CrawlRequest, context?: FetchContext): Observable<FetchedResponse> {
    return new Observable((subscriber) => {
      let exchange: Exchange;
      try {
        const url = checkRequest(request, options.plainCredentials === true);
        const headers = headersOf(request, url, defaults, defaultList);
        warnIfInsecure(url, insecureHosts, warned, context);
        exchange = new Exchange(
          request,
          url,
          limits,
          connectionsFor(request, context),
          subscriber,
          context,
        );
        subscriber.add(() => exchange.cancel());
        exchange.start(headers);
      } catch (error) {
        subscriber.error(error);
      }
    });
  }
  return Object.assign(fetch, { close: () => own.close() });
}

/** Checks what only a request can get wrong. Problems are values of the stream, not exceptions. */
function checkRequest(request: CrawlRequest, plainCredentials: boolean): URL {
  const url = tryParseUrl(request.url);
  if (url === undefined) throw invalid('the URL cannot be parsed');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(`expected http: or https:, got ${url.protocol}`);
  }
  if (!isMethod(request.method)) {
    throw crawlError('invalid-request', url, undefined, `method ${JSON.stringify(request.method)}`);
  }
  const hasUserInfo = url.username !== '' || url.password !== '';
  if (hasUserInfo && url.protocol === 'http:' && !plainCredentials && !isLoopback(url.hostname)) {
    throw crawlError(
      'invalid-request',
      url,
      undefined,
      'credentials would go over plain HTTP; allow it with plainCredentials',
    );
  }
  return url;
}

function invalid(what: string): CrawlError {
  return new CrawlError('invalid-request', `the request cannot be sent (${what})`);
}

/** What the Secure Contexts standard calls potentially trustworthy without TLS. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function defaultHeaders(options: UndiciFetcherOptions): ReadonlyMap<string, string> {
  const headers = new Map([
    ['user-agent', options.userAgent ?? DEFAULT_USER_AGENT],
    ['accept', DEFAULT_ACCEPT],
    ['accept-encoding', ACCEPT_ENCODING],
  ]);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers.set(name.toLowerCase(), value);
  }
  headers.delete(FOR_PROXIES);
  return headers;
}

function headersOf(
  request: CrawlRequest,
  url: URL,
  defaults: ReadonlyMap<string, string>,
  defaultList: string[],
): string[] {
  const hasUserInfo = url.username !== '' || url.password !== '';
  if (request.headers === undefined && !hasUserInfo) return defaultList;
  const headers = new Map(defaults);
  if (hasUserInfo) headers.set('authorization', basicAuthorization(url));
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) throw crawlError('invalid-request', url, undefined, problem);
    headers.set(name.toLowerCase(), value);
  }
  headers.delete(FOR_PROXIES);
  return flat(headers);
}

function flat(headers: ReadonlyMap<string, string>): string[] {
  return [...headers].flat();
}

function warnIfInsecure(
  url: URL,
  insecureHosts: ReadonlySet<string>,
  warned: Set<string>,
  context: FetchContext | undefined,
): void {
  const host = url.hostname;
  if (url.protocol !== 'https:' || !insecureHosts.has(host) || warned.has(host)) return;
  warned.add(host);
  context?.notify?.({
    type: 'warning',
    code: 'tls-not-checked',
    message: `${host}: its certificate is not checked, anyone may answer in its name`,
  });
}

function limitsOf(options: UndiciFetcherOptions): ExchangeLimits {
  const { timeouts = {} } = options;
  return {
    connectMs: timeouts.connect ?? 10_000,
    headersMs: timeouts.headers ?? 15_000,
    idleMs: timeouts.idle ?? 15_000,
    totalMs: timeouts.total ?? 30_000,
    minRate: options.minRate,
    maxBodyBytes: options.maxBodyBytes ?? 10 * 1024 * 1024,
    maxDecodeRatio: options.maxDecodeRatio ?? 100,
    maxHeaderBytes:
      options.dispatcher === undefined ? (options.maxHeaderBytes ?? 16_384) : undefined,
    http2: options.http2 ?? false,
    maxHeaderLines: options.maxHeaderLines ?? 100,
    truncate: options.truncate ?? false,
    wantBody: options.wantBody,
  };
}
