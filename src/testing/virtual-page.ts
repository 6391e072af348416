import type { FetchedResponse, Redirect, ResponseHeaders } from '../core/fetcher.js';
import type { BarePage } from '../core/page.js';
import { requestFromHref, type CrawlRequest, type RequestOptions } from '../core/request.js';
import { resolve } from './page-spec.js';
import { LINKS, type VirtualResponse } from './virtual-site.js';

/** A page of a virtual site: what `rxcrawl/core` knows of every page, and its links. */
export interface VirtualPage extends BarePage {
  /** The links as absolute URLs without fragment, in order; what is no URL is left out. */
  readonly links: readonly string[];
  /**
   * Requests for some URLs, one hop deeper than this page.
   *
   * @param urls - absolute, or relative to this page. Default: all links
   * @param options - label, priority and so on of the requests
   */
  follow(urls?: string | Iterable<string>, options?: FollowOptions): CrawlRequest[];
}

/** What `follow` lets the caller say about the requests it makes. */
export type FollowOptions = Pick<RequestOptions, 'label' | 'priority' | 'context' | 'headers'>;

/**
 * Parses answers of a {@link virtualSite}: give it to `crawl()` as `parse`. The links are those
 * of the site's description. Where a page was described by its body alone they are every
 * `href="…"` of it: enough for test pages, and no HTML parser.
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { crawl } from 'rxcrawl/core';
 * import { virtualPage, virtualSite } from 'rxcrawl/testing';
 *
 * const site = virtualSite({ 'https://a.example/': ['/b'], 'https://a.example/b': [] });
 * of('https://a.example/').pipe(
 *   crawl({ fetcher: site.fetcher, parse: virtualPage, handle: (page) => page.follow() }),
 * );
 * ```
 */
export function virtualPage(response: FetchedResponse, request: CrawlRequest): VirtualPage {
  return new ParsedPage(response, request);
}

class ParsedPage implements VirtualPage {
  readonly request: CrawlRequest;
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly redirects: readonly Redirect[];
  readonly #response: VirtualResponse;
  #links: readonly string[] | undefined;

  constructor(response: VirtualResponse, request: CrawlRequest) {
    this.request = request;
    this.url = response.url;
    this.status = response.status;
    this.headers = response.headers;
    this.redirects = response.redirects;
    this.#response = response;
  }

  get bytes(): Uint8Array {
    return this.#response.body;
  }

  get links(): readonly string[] {
    return (this.#links ??= resolveAll(this.#response[LINKS] ?? hrefs(this.bytes), this.url));
  }

  follow(
    urls: string | Iterable<string> = this.links,
    options: FollowOptions = {},
  ): CrawlRequest[] {
    const depth = this.request.depth + 1;
    const referrer = this.url;
    const targets =
      urls === this.links
        ? this.links
        : resolveAll(typeof urls === 'string' ? [urls] : urls, referrer);
    return targets.map((url) => requestFromHref(url, { ...options, depth, referrer }));
  }
}

function resolveAll(links: Iterable<string>, base: string): string[] {
  const urls: string[] = [];
  for (const link of links) {
    const url = resolve(link, base);
    if (url !== undefined) urls.push(url);
  }
  return urls;
}

const HREF = 'href="';

function hrefs(body: Uint8Array): string[] {
  const text = new TextDecoder().decode(body);
  const found: string[] = [];
  for (let at = text.indexOf(HREF); at !== -1; at = text.indexOf(HREF, at)) {
    const start = at + HREF.length;
    const end = text.indexOf('"', start);
    if (end === -1) break;
    found.push(text.slice(start, end).replaceAll('&amp;', '&'));
    at = end;
  }
  return found;
}
