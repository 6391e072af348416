import { asyncScheduler, Observable, type SchedulerLike, type Subscriber } from 'rxjs';
import { CrawlError } from '../core/errors.js';
import type { FetchContext, FetchedResponse, Fetcher, ResponseHeaders } from '../core/fetcher.js';
import type { CrawlRequest } from '../core/request.js';
import { spendAction } from './action-limit.js';
import { hostOf } from './host-of.js';
import {
  outcomeOf,
  pageLookup,
  toPageSpec,
  type PageInput,
  type PageSpec,
  type SiteSpec,
} from './page-spec.js';
import { contentTypeOf, renderBody } from './render-body.js';

/** Options of {@link virtualSite}. */
export interface VirtualSiteOptions {
  /** Latency of pages that set none, ms. Default 0: synchronous. */
  readonly latency?: number;
  /** Whose time the latencies are. Default `asyncScheduler`, which is virtual in a marble test. */
  readonly scheduler?: SchedulerLike;
  /** Whether requests are logged. Switch it off for millions of them. Default true. */
  readonly log?: boolean;
}

/** One request that a {@link VirtualSite} got. */
export interface SiteVisit {
  readonly url: string;
  readonly method: string;
  /** When it came: time of the site's scheduler, ms. */
  readonly at: number;
  /** 1 for the first try. */
  readonly attempt: number;
  /** When it was answered, failed or was aborted; `undefined` while it is in flight. */
  readonly endedAt: number | undefined;
  /** Whether it was unsubscribed before it was answered. */
  readonly aborted: boolean;
}

/**
 * A web in memory, and a log of what was asked of it. Made by {@link virtualSite}.
 */
export interface VirtualSite {
  /** Fetches from the site: give it to `crawl()`, bare or decorated. */
  readonly fetcher: Fetcher;
  /** Every request, in order of start; empty if `log` is off. */
  readonly log: readonly SiteVisit[];
  /** URLs in order of start, further attempts included. */
  readonly started: readonly string[];
  /** Requests so far. */
  readonly requests: number;
  /** Requests that were unsubscribed before they were answered. */
  readonly aborted: number;
  /** Requests in flight now. */
  readonly inFlight: number;
  /** Most requests that were ever in flight at once. */
  readonly maxInFlight: number;
  /** The same for each host and port. */
  readonly maxInFlightByHost: ReadonlyMap<string, number>;
}

/** Carries the links of a page past its body, so that nobody has to parse it. */
export const LINKS: unique symbol = Symbol('rxcrawl.testing.links');

/** An answer of a virtual site. */
export interface VirtualResponse extends FetchedResponse {
  readonly [LINKS]?: readonly string[] | undefined;
}

/**
 * Makes a web in memory, of one host or many, that a crawl fetches in virtual time. It is
 * cold and aborts on unsubscribe as a real fetcher does. A URL that it does not know is
 * answered with 404, a redirect with 302 and a `location` header. `robots.txt` and sitemaps
 * are pages like others.
 *
 * Give {@link virtualPage} as `parse` to the crawl: its pages have `links` and `follow()`. The
 * bodies are real HTML too, so the parser of the main entry works as well.
 *
 * A site in form of a function is asked once per request and keeps nothing but its log: some
 * microseconds each, less if its pages have `body: ''` and links of their own.
 *
 * @param pages - pages by absolute URL, or a function
 * @throws TypeError if a key is no absolute URL and there is no base
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { crawl } from 'rxcrawl/core';
 * import { runToEnd, virtualPage, virtualSite, type VirtualPage } from 'rxcrawl/testing';
 *
 * const site = virtualSite('https://a.example', {
 *   '/': ['/b', '/c', 'https://other.example/'],
 *   '/b': { latency: 20, fail: ['connection-reset', null] },
 *   '/c': { redirect: '/b' },
 *   '/robots.txt': 'User-agent: *\nDisallow: /private',
 *   'https://other.example/': { status: 503 },
 * });
 * const handle = (page: VirtualPage) => page.follow();
 * const events = runToEnd(
 *   of('https://a.example/').pipe(crawl({ fetcher: site.fetcher, parse: virtualPage, handle })),
 * );
 * site.maxInFlight; // how wide the crawl was
 *
 * // A tree of 1,111,111 pages
 * const tree = virtualSite((url) => {
 *   const path = new URL(url).pathname;
 *   return path.length < 7 ? Array.from({ length: 10 }, (_, i) => `${path}${i}`) : [];
 * });
 * ```
 */
export function virtualSite(pages: SiteSpec, options?: VirtualSiteOptions): VirtualSite;
/**
 * The same with a base, against which the keys are resolved.
 *
 * @param base - absolute URL
 */
export function virtualSite(
  base: string,
  pages: SiteSpec,
  options?: VirtualSiteOptions,
): VirtualSite;
export function virtualSite(...args: SiteArgs): VirtualSite {
  const [base, pages, options] = withBase(args) ? args : [undefined, args[0], args[1]];
  return new SiteInMemory(pages, base, options);
}

type SiteArgs =
  | [pages: SiteSpec, options?: VirtualSiteOptions | undefined]
  | [base: string, pages: SiteSpec, options?: VirtualSiteOptions | undefined];

function withBase(args: SiteArgs): args is Extract<SiteArgs, [string, ...unknown[]]> {
  return typeof args[0] === 'string';
}

interface OpenVisit {
  url: string;
  method: string;
  at: number;
  attempt: number;
  endedAt: number | undefined;
  aborted: boolean;
}

class SiteInMemory implements VirtualSite {
  readonly log: OpenVisit[] = [];
  readonly maxInFlightByHost = new Map<string, number>();
  requests = 0;
  aborted = 0;
  inFlight = 0;
  maxInFlight = 0;
  readonly #lookup: (url: string) => PageInput | undefined;
  readonly #latency: number;
  readonly #scheduler: SchedulerLike;
  readonly #logging: boolean;
  readonly #attempts = new Map<string, number>();
  readonly #inFlightByHost = new Map<string, number>();

  constructor(pages: SiteSpec, base: string | undefined, options: VirtualSiteOptions = {}) {
    this.#lookup = pageLookup(pages, base);
    this.#latency = options.latency ?? 0;
    this.#scheduler = options.scheduler ?? asyncScheduler;
    this.#logging = options.log ?? true;
  }

  readonly fetcher: Fetcher = (request, context) =>
    new Observable((subscriber) => this.#serve(request, context, subscriber));

  get started(): string[] {
    return this.log.map((visit) => visit.url);
  }

  #serve(
    request: CrawlRequest,
    context: FetchContext | undefined,
    subscriber: Subscriber<FetchedResponse>,
  ): void {
    spendAction();
    const { url } = request;
    const attempt = context ? context.attempt + (context.holds ?? 0) : this.#countAttempt(url);
    const spec = toPageSpec(this.#lookup(url));
    const end = this.#open(request, attempt);
    const answer = () => {
      end(false);
      const outcome = outcomeOf(spec, attempt);
      if ('fail' in outcome) {
        subscriber.error(new CrawlError(outcome.fail, `${outcome.fail}: ${url}`));
      } else {
        subscriber.next(respond(url, spec, outcome.status));
        subscriber.complete();
      }
    };
    const latency = spec.latency ?? this.#latency;
    if (latency <= 0) {
      answer();
      return;
    }
    subscriber.add(() => end(true));
    if (latency !== Infinity) subscriber.add(this.#scheduler.schedule(answer, latency));
  }

  /** Which try this is, where the caller does not say so: a plain `retry()` does not. */
  #countAttempt(url: string): number {
    const attempt = (this.#attempts.get(url) ?? 0) + 1;
    this.#attempts.set(url, attempt);
    return attempt;
  }

  /** Counts a request as in flight until the function that it returns is called first. */
  #open({ url, method }: CrawlRequest, attempt: number): (aborted: boolean) => void {
    const host = hostOf(url);
    const at = this.#scheduler.now();
    const visit: OpenVisit = { url, method, at, attempt, endedAt: undefined, aborted: false };
    if (this.#logging) this.log.push(visit);
    this.requests += 1;
    this.inFlight += 1;
    if (this.inFlight > this.maxInFlight) this.maxInFlight = this.inFlight;
    const atHost = (this.#inFlightByHost.get(host) ?? 0) + 1;
    this.#inFlightByHost.set(host, atHost);
    if (atHost > (this.maxInFlightByHost.get(host) ?? 0)) this.maxInFlightByHost.set(host, atHost);
    return (aborted) => {
      if (visit.endedAt !== undefined) return;
      visit.endedAt = this.#scheduler.now();
      visit.aborted = aborted;
      if (aborted) this.aborted += 1;
      this.inFlight -= 1;
      this.#inFlightByHost.set(host, (this.#inFlightByHost.get(host) ?? 1) - 1);
    };
  }
}

function respond(url: string, spec: PageSpec, status: number): VirtualResponse {
  const body = renderBody(spec);
  return {
    url,
    status,
    headers: headersOf(url, spec),
    body,
    redirects: [],
    wireBytes: body.length,
    [LINKS]: spec.links,
  };
}

function headersOf(url: string, spec: PageSpec): ResponseHeaders {
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  headers['content-type'] = contentTypeOf(url);
  if (spec.redirect !== undefined) headers['location'] = spec.redirect;
  if (spec.headers) {
    for (const [name, value] of Object.entries(spec.headers)) headers[name.toLowerCase()] = value;
  }
  return headers;
}
