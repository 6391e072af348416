import { exampleUrl } from './example-url.js';
import { expectObject, expectString, show } from './expect.js';
import { anything, type Expectations, expectOptions, integerFrom } from './expect-options.js';

/** Marks requests, so that two copies of the library in one process know each other's. */
const BRAND = Symbol.for('rxcrawl.request');

/** A body that can be sent again on a retry: text (sent as UTF-8) or bytes. */
export type RequestBody = string | Uint8Array;

/**
 * What to fetch. Immutable; made by {@link request} and by `page.follow()`.
 *
 * A request says *what* is wanted; how often it has been tried is the business of
 * the strategy that runs it, so a failed request can be fed back as a seed unchanged.
 */
export interface CrawlRequest {
  /** Absolute `http:` or `https:` URL without its fragment: exactly what is fetched. */
  readonly url: string;
  /** Identity for dedupe: two requests with the same key are the same page. */
  readonly key: string;
  /** Link hops from the seed on the path this request was found on; a seed is 0, redirects add none. */
  readonly depth: number;
  /** URL of the page that this request was found on; `undefined` for a seed. */
  readonly referrer: string | undefined;
  /** Names the kind of page, for handlers split by rule. */
  readonly label: string | undefined;
  /** Larger runs earlier, under every order of `queued()`. Default 0. */
  readonly priority: number;
  /** HTTP method, upper case. Default `GET`. */
  readonly method: string;
  /** Header fields for this request alone. Names are lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: RequestBody | undefined;
  /** Serialisable data that travels with the request to its handler. */
  readonly context: unknown;
}

/** What {@link request} takes besides the URL. */
export interface RequestOptions {
  readonly key?: string | undefined;
  readonly depth?: number | undefined;
  readonly referrer?: string | undefined;
  readonly label?: string | undefined;
  readonly priority?: number | undefined;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: RequestBody | undefined;
  readonly context?: unknown;
}

class RequestValue implements CrawlRequest {
  declare readonly [BRAND]: true;
  readonly url: string;
  readonly key: string;
  readonly depth: number;
  readonly referrer: string | undefined;
  readonly label: string | undefined;
  readonly priority: number;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: RequestBody | undefined;
  readonly context: unknown;

  constructor(url: string, options: RequestOptions) {
    const method = options.method ?? 'GET';
    this.url = url;
    this.method = method;
    this.body = options.body;
    this.key = options.key ?? defaultKey(url, method, options.body);
    this.depth = options.depth ?? 0;
    this.referrer = options.referrer;
    this.label = options.label;
    this.priority = options.priority ?? 0;
    this.headers = options.headers;
    this.context = options.context;
  }
}
Object.defineProperty(RequestValue.prototype, BRAND, { value: true });

const NO_OPTIONS: RequestOptions = {};

const EXPECTED: Expectations<RequestOptions> = {
  key: expectString,
  depth: integerFrom(0),
  referrer: expectString,
  label: expectString,
  priority: expectNumber,
  method: expectString,
  headers: expectObject,
  body: expectBody,
  context: anything,
};

/**
 * Makes a request.
 *
 * @param url - absolute URL; its fragment is dropped, user information is kept
 * @param options - see {@link RequestOptions}
 * @throws TypeError if `url` cannot be parsed as an absolute URL, TypeError or RangeError naming the
 * option that is wrong
 *
 * @example
 * ```ts
 * request('https://shop.example/cart', { label: 'cart', priority: 5 });
 * ```
 */
export function request(url: string | URL, options: RequestOptions = NO_OPTIONS): CrawlRequest {
  const parsed = typeof url === 'string' ? parse(url) : new URL(url);
  parsed.hash = '';
  if (options !== NO_OPTIONS) expectOptions('request', options, EXPECTED);
  const { method, headers } = options;
  if (method === undefined && headers === undefined) return new RequestValue(parsed.href, options);
  return new RequestValue(parsed.href, {
    ...options,
    method: method?.toUpperCase(),
    headers: headers && lowerCaseNames(headers),
  });
}

/**
 * Makes a request from a URL that is already absolute, in the form of `URL.href` and without
 * a fragment. Skips all parsing: for code that has just resolved a page's links.
 */
export function requestFromHref(href: string, options: RequestOptions = NO_OPTIONS): CrawlRequest {
  return new RequestValue(href, options);
}

/** Whether a value is a request made by this or another copy of the library. */
export function isRequest(value: unknown): value is CrawlRequest {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Whether a request's key was made from its URL, method and body, and not given by its maker. */
export function hasDefaultKey({ key, url, method, body }: CrawlRequest): boolean {
  return key === defaultKey(url, method, body);
}

/** A copy of a request with some parts replaced. */
export function withRequest(base: CrawlRequest, changes: RequestOptions): CrawlRequest {
  return new RequestValue(base.url, { ...base, ...changes });
}

/** NaN would leave a queue unsorted. */
function expectNumber(name: string, value: unknown): void {
  if (typeof value === 'number' && !Number.isNaN(value)) return;
  throw new TypeError(`${name}: expected a number, got ${show(value)}`);
}

function expectBody(name: string, value: unknown): void {
  if (typeof value === 'string' || value instanceof Uint8Array) return;
  throw new TypeError(`${name}: expected a string or bytes, got ${show(value)}`);
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new TypeError(
      `request: expected an absolute URL such as "${exampleUrl(url)}", got ${show(url)}`,
      { cause },
    );
  }
}

function defaultKey(url: string, method: string, body: RequestBody | undefined): string {
  if (method === 'GET' && body === undefined) return url;
  const text = typeof body === 'string' ? body : body && Array.from(body).join(',');
  return text === undefined ? `${method} ${url}` : `${method} ${url} ${text}`;
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
