import type { CrawlErrorCode } from '../core/errors.js';

/** What a virtual site answers at one URL. Everything is optional: `{}` is an empty page. */
export interface PageSpec {
  /** URLs that the page links to: absolute, or relative to the page. Default none. */
  readonly links?: readonly string[];
  /**
   * Virtual time from request to answer, ms. Default: that of the site, which is 0: the answer
   * comes synchronously, like a cache hit. `Infinity` never answers.
   */
  readonly latency?: number;
  /** HTTP status; a list gives one per attempt, its last for all later ones. Default 200. */
  readonly status?: number | readonly number[];
  /** Header fields, names in any case. `content-type` is guessed from the URL if it is absent. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The body. Default: an HTML page of `title` and `links`. */
  readonly body?: string | Uint8Array;
  /** Size to which the body is padded with spaces, bytes. */
  readonly bytes?: number;
  /** Title of the HTML page that is made when there is no `body`. */
  readonly title?: string;
  /** Where the page redirects to; absolute or relative. Answered with 302 unless `status` is set. */
  readonly redirect?: string;
  /**
   * The fetch errors with a `CrawlError` of this code instead of being answered. A list gives
   * one entry per attempt: `null`, or the end of the list, lets the attempt succeed.
   */
  readonly fail?: CrawlErrorCode | readonly (CrawlErrorCode | null)[];
}

/** One page: its full description, just its links, or just its body. */
export type PageInput = PageSpec | readonly string[] | string;

/**
 * A web: pages by URL, or a function from URL to page for sites that are too large to be
 * written down. URLs that it does not know are answered with 404.
 */
export type SiteSpec =
  Readonly<Record<string, PageInput>> | ((url: string) => PageInput | undefined);

const NO_PAGE: PageSpec = { status: 404, body: '' };

/** The full description of a page; 404 for one that is absent. */
export function toPageSpec(input: PageInput | undefined): PageSpec {
  if (input === undefined) return NO_PAGE;
  if (typeof input === 'string') return { body: input };
  return isLinks(input) ? { links: input } : input;
}

function isLinks(input: PageSpec | readonly string[]): input is readonly string[] {
  return Array.isArray(input);
}

/** How one attempt at a page ends: with an error of this code, or with this status. */
export function outcomeOf(
  spec: PageSpec,
  attempt: number,
): { readonly fail: CrawlErrorCode } | { readonly status: number } {
  const { fail, status } = spec;
  const code = typeof fail === 'string' ? fail : fail?.[attempt - 1];
  if (code !== undefined && code !== null) return { fail: code };
  const listed = typeof status === 'object' ? (status[attempt - 1] ?? status.at(-1)) : status;
  return { status: listed ?? (spec.redirect === undefined ? 200 : 302) };
}

/** Makes the lookup of a site. Keys of a record are resolved against `base`, if there is one. */
export function pageLookup(
  site: SiteSpec,
  base: string | undefined,
): (url: string) => PageInput | undefined {
  if (typeof site === 'function') return site;
  const pages = new Map<string, PageInput>();
  for (const [key, page] of Object.entries(site)) {
    const url = resolve(key, base);
    if (url === undefined) {
      throw new TypeError(
        `virtualSite: expected pages keyed by absolute URLs, or a base before them, got ${JSON.stringify(key)}`,
      );
    }
    pages.set(url, page);
  }
  return (url) => pages.get(url);
}

/** Resolves a link and drops its fragment; `undefined` if it is no URL. */
export function resolve(link: string, base: string | undefined): string | undefined {
  try {
    const { href } = new URL(link, base);
    const hash = href.indexOf('#');
    return hash === -1 ? href : href.slice(0, hash);
  } catch {
    return undefined;
  }
}
