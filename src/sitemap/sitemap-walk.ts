import {
  catchError,
  concat,
  concatMap,
  defaultIfEmpty,
  defer,
  EMPTY,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  scheduled,
  type SchedulerLike,
  take,
  takeWhile,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { CrawlError, isCrawlError } from '../core/errors.js';
import type { FetchedResponse, Fetcher } from '../core/fetcher.js';
import { messageOf } from '../core/message-of.js';
import { request, requestFromHref, withRequest, type CrawlRequest } from '../core/request.js';
import { parseRobots } from '../fetch/index.js';
import { createSitemapParser, type SitemapParser } from './create-sitemap-parser.js';
import { isGzip, unpackChunks } from './gunzip.js';
import type { SitemapEntry } from './sitemap.js';
import type { SeedsWarning, SeedsWarningCode } from './seeds-warning.js';
import { Warnings } from './warnings.js';
import { tryParseUrl } from '../url/index.js';

/** What a walk is told; all defaults are set. */
export interface WalkOptions {
  readonly fetcher: Fetcher;
  readonly sites: readonly URL[];
  readonly sitemaps: readonly URL[];
  readonly robots: ((site: URL) => Observable<readonly string[]>) | undefined;
  readonly toRequest: (entry: SitemapEntry, sitemap: string) => CrawlRequest | undefined;
  readonly onWarning: (warning: SeedsWarning) => void;
  readonly otherHosts: boolean;
  readonly maxDepth: number;
  readonly maxSitemaps: number;
  readonly maxUrls: number;
  readonly maxUrlsPerSitemap: number;
  readonly maxBytes: number;
  readonly timeout: number;
  readonly scheduler: SchedulerLike;
}

/** A sitemap to be fetched. */
interface SitemapTask {
  readonly type: 'sitemap';
  readonly url: URL;
  /** How many indexes led here. */
  readonly depth: number;
  /** The host that it may name pages of. */
  readonly site: string;
  /** The document that named it; `undefined` if the caller did. */
  readonly namedBy: string | undefined;
  /** Nobody has named it: that it is absent is no news. */
  readonly guessed: boolean;
}

/** A site whose sitemaps are to be looked up. */
interface SiteTask {
  readonly type: 'site';
  readonly url: URL;
}

type Task = SitemapTask | SiteTask;

/** A sitemap that is being read. */
interface Document {
  readonly task: SitemapTask;
  /** Where redirects have led. */
  readonly url: string;
  readonly parser: SitemapParser;
  readonly children: SitemapTask[];
  readonly warnings: Warnings<SeedsWarningCode>;
}

/** Bytes that are parsed before other work gets its turn: some 3 ms. */
const SLICE = 65_536;

/**
 * Walks the sitemaps of sites, one at a time, depth first and in the order of the documents:
 * `next()` tells whether there is one more, and what it gives is an Observable of its pages.
 */
export class SitemapWalk {
  readonly #options: WalkOptions;
  /** What is to be done, the next at the end. */
  readonly #tasks: Task[];
  readonly #seen = new Set<string>();
  #sitemaps = 0;
  #urls = 0;

  constructor(options: WalkOptions) {
    this.#options = options;
    const sites = options.sites.map((url): Task => ({ type: 'site', url }));
    const sitemaps = options.sitemaps.map((url) => this.#task(url, { site: url.host }));
    this.#tasks = [...sitemaps, ...sites].reverse();
  }

  /** The pages of the next sitemap, or `undefined` when all have been read or a limit is reached. */
  next(): Observable<CrawlRequest> | undefined {
    for (;;) {
      if (this.#urls >= this.#options.maxUrls) {
        this.#stop('max-urls');
        return undefined;
      }
      const task = this.#tasks.pop();
      if (task === undefined) return undefined;
      if (task.type === 'site') return this.#lookUp(task.url);
      if (this.#seen.has(task.url.href)) continue;
      if (this.#sitemaps >= this.#options.maxSitemaps) {
        this.#stop('max-sitemaps', task.url);
        return undefined;
      }
      this.#seen.add(task.url.href);
      this.#sitemaps += 1;
      return this.#visit(task);
    }
  }

  #stop(code: 'max-urls' | 'max-sitemaps', url?: URL): void {
    const rest = url === undefined ? this.#tasks.length : this.#tasks.length + 1;
    if (rest > 0) {
      const message = `${rest} sitemaps or sites were left, since ${code} was reached`;
      this.#warn((url ?? this.#tasks.at(-1)?.url)?.href ?? '', code, message);
    }
    this.#tasks.length = 0;
  }

  #task(url: URL, parts: Pick<SitemapTask, 'site'> & Partial<SitemapTask>): SitemapTask {
    const own = new URL(url);
    own.hash = '';
    return { type: 'sitemap', depth: 0, namedBy: undefined, guessed: false, ...parts, url: own };
  }

  /** Finds the sitemaps of a site; it has no pages itself. */
  #lookUp(site: URL): Observable<never> {
    const lines$ = (this.#options.robots ?? this.#robotsLines)(site);
    return lines$.pipe(
      take(1),
      defaultIfEmpty([]),
      catchError((error: unknown) => {
        this.#failed(new URL('/robots.txt', site).href, error);
        return of([]);
      }),
      mergeMap((lines) => {
        const named = lines.flatMap((line) => this.#robotsLine(line, site));
        const guess = this.#task(new URL('/sitemap.xml', site), {
          site: site.host,
          namedBy: site.href,
          guessed: true,
        });
        this.#tasks.push(...(named.length > 0 ? named.reverse() : [guess]));
        return EMPTY;
      }),
    );
  }

  #robotsLine(line: string, site: URL): SitemapTask[] {
    const url = tryParseUrl(line, site);
    if (url !== undefined && isHttp(url)) {
      return [this.#task(url, { site: site.host, namedBy: new URL('/robots.txt', site).href })];
    }
    const shown = JSON.stringify(line.slice(0, 200));
    this.#warn(site.href, 'invalid-url', `robots.txt names no http: or https: URL: ${shown}`);
    return [];
  }

  readonly #robotsLines = (site: URL): Observable<readonly string[]> =>
    this.#fetch(new URL('/robots.txt', site)).pipe(
      map(({ status, body }) => (isOk(status) ? parseRobots(body).sitemaps : [])),
    );

  #fetch(url: URL, referrer?: string): Observable<FetchedResponse> {
    const { fetcher, timeout: ms, scheduler } = this.#options;
    // A fetcher that throws is one that fails.
    const response$ = defer(() => fetcher(request(url, { referrer }))).pipe(take(1));
    if (!Number.isFinite(ms)) return response$;
    const late$ = throwError(() => new CrawlError('timeout-total', `no answer within ${ms} ms`));
    return response$.pipe(timeout({ each: ms, scheduler, with: () => late$ }));
  }

  #visit(task: SitemapTask): Observable<CrawlRequest> {
    return this.#fetch(task.url, task.namedBy).pipe(
      catchError((error: unknown) => {
        this.#failed(task.url.href, error);
        return EMPTY;
      }),
      mergeMap((response) => this.#read(task, response)),
    );
  }

  #failed(url: string, error: unknown): void {
    const text = messageOf(error);
    const message = isCrawlError(error) ? `${error.code}: ${text}` : text;
    this.#options.onWarning({ sitemap: url, code: 'fetch-failed', message, count: 1, error });
  }

  #read(task: SitemapTask, response: FetchedResponse): Observable<CrawlRequest> {
    const { status, body, headers, truncated = false } = response;
    if (!isOk(status)) {
      if (!task.guessed) this.#warn(task.url.href, 'http-status', `answered with ${status}`);
      return EMPTY;
    }
    // After redirects it is the last URL that must not be asked for again.
    this.#seen.add(response.url);
    const type = headers['content-type'];
    const parser = createSitemapParser({
      url: response.url,
      contentType: typeof type === 'string' ? type : undefined,
      maxUrls: this.#options.maxUrlsPerSitemap,
      maxBytes: this.#options.maxBytes,
    });
    const document: Document = {
      task,
      url: response.url,
      parser,
      children: [],
      warnings: new Warnings(),
    };
    return this.#entries(body, truncated, document).pipe(
      concatMap((entries) => this.#admit(entries, document)),
      tap({ complete: () => this.#finish(document) }),
    );
  }

  /** Queues the children of an index, and tells what was wrong with the document. */
  #finish({ url, parser, children, warnings }: Document): void {
    // Not by spread: an index may have more children than a call may have arguments.
    for (const child of children.reverse()) this.#tasks.push(child);
    for (const warning of [...parser.warnings, ...warnings.list()]) {
      this.#options.onWarning({ sitemap: url, ...warning });
    }
  }

  /** The entries of a body, slice by slice. */
  #entries(
    body: Uint8Array,
    truncated: boolean,
    { parser, warnings }: Document,
  ): Observable<SitemapEntry[]> {
    let cut = truncated;
    const chunks$ = isGzip(body)
      ? from(
          unpackChunks(slices(body), (problem) => {
            cut = true;
            if (problem === 'gzip') warnings.add('gzip', 'broken gzip');
          }),
        )
      : body.length <= SLICE
        ? of(body)
        : scheduled(slices(body), this.#options.scheduler);
    const full = () => this.#urls >= this.#options.maxUrls;
    return concat(
      chunks$.pipe(
        map((chunk) => ({ entries: parser.write(chunk), more: !parser.done && !full() })),
        takeWhile(({ more }) => more, true),
        map(({ entries }) => entries),
      ),
      defer(() => of(full() ? [] : parser.end(cut))),
    );
  }

  /** Turns entries into requests for pages, or takes them for children. */
  #admit(entries: readonly SitemapEntry[], document: Document): CrawlRequest[] {
    const { task, url: sitemap, parser } = document;
    const requests: CrawlRequest[] = [];
    const isPage = parser.kind !== 'index';
    const sameHost = withoutWww(new URL(sitemap).host) === withoutWww(task.site);
    for (const entry of entries) {
      const own = sameHost && entry.otherHost === undefined;
      if (!own && !this.#isOwn(entry, isPage, document)) continue;
      if (!isPage) this.#child(entry, document);
      else if (this.#urls < this.#options.maxUrls) {
        const wanted = this.#options.toRequest(entry, sitemap);
        if (wanted === undefined) continue;
        this.#urls += 1;
        requests.push(
          wanted.referrer === undefined ? withRequest(wanted, { referrer: sitemap }) : wanted,
        );
      }
    }
    return requests;
  }

  /**
   * Whether an entry counts: a page is one of the site, a child of an index one of the site or of
   * the host that the index was asked from. Where a redirect led does not matter.
   */
  #isOwn(entry: SitemapEntry, isPage: boolean, { task, warnings }: Document): boolean {
    if (this.#options.otherHosts) return true;
    const host = withoutWww(new URL(entry.url).host);
    if (host === withoutWww(task.site)) return true;
    if (!isPage && host === withoutWww(task.url.host)) return true;
    warnings.add('other-host', `names another host: ${entry.url.slice(0, 200)}`);
    return false;
  }

  #child({ url }: SitemapEntry, { task, url: index, children, warnings }: Document): void {
    const { site } = task;
    const child = this.#task(new URL(url), { site, depth: task.depth + 1, namedBy: index });
    if (child.depth > this.#options.maxDepth) {
      warnings.add('max-depth', `more than ${this.#options.maxDepth} indexes lead to ${url}`);
    } else if (!this.#seen.has(child.url.href)) {
      children.push(child);
    }
  }

  #warn(sitemap: string, code: SeedsWarningCode, message: string): void {
    this.#options.onWarning({ sitemap, code, message, count: 1 });
  }
}

/** The request for a page that a sitemap names. */
export function requestOf(
  entry: SitemapEntry,
  sitemap: string,
  label: string | undefined,
): CrawlRequest {
  const { url, lastmod, priority, changefreq } = entry;
  const options = {
    referrer: sitemap,
    label,
    // What the protocol takes for the priority of a page that has none.
    priority: priority ?? 0.5,
    context: {
      sitemap,
      ...(lastmod && { lastmod: lastmod.toISOString() }),
      ...(changefreq && { changefreq }),
    },
  };
  return url.includes('#') ? request(url, options) : requestFromHref(url, options);
}

function* slices(body: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < body.length; at += SLICE) yield body.subarray(at, at + SLICE);
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}
