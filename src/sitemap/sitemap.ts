/** What a document with URLs is. `unknown` is none of them. */
export type SitemapKind = 'urlset' | 'index' | 'text' | 'rss' | 'atom' | 'unknown';

/** How often a page is said to change. */
export type ChangeFrequency =
  'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never';

/** The same page in another language. */
export interface SitemapAlternate {
  /** Absolute URL. */
  readonly url: string;
  /** Language tag, or `x-default`; empty if none was given. */
  readonly hreflang: string;
}

/** One page, or one child of an index. A field that was missing or no valid value is left out. */
export interface SitemapEntry {
  /** Absolute `http:` or `https:` URL. */
  readonly url: string;
  readonly lastmod?: Date;
  /** From 0 to 1. */
  readonly priority?: number;
  readonly changefreq?: ChangeFrequency;
  /** The page in other languages (`xhtml:link`). */
  readonly alternates?: readonly SitemapAlternate[];
  /** URLs of the page's images (`image:loc`). */
  readonly images?: readonly string[];
  /** The entry names another host than that of the sitemap. Whether that counts, the crawl decides. */
  readonly otherHost?: true;
}

/**
 * What can be wrong with a sitemap.
 *
 * | code | meaning |
 * | --- | --- |
 * | `empty` | nothing but blanks |
 * | `not-a-sitemap` | none of the known kinds |
 * | `leading-text` | something before the root element, such as a server's warning |
 * | `doctype` | a DTD; it is not read |
 * | `entity` | entries that use an entity of a DTD; they are dropped |
 * | `invalid-url` | entries whose URL is none, or neither `http:` nor `https:`; they are dropped |
 * | `loop` | an index names itself; that entry is dropped |
 * | `unknown-element` | elements that no sitemap has, at the place of an entry |
 * | `too-deep` | elements nested deeper than 100; the rest is not read |
 * | `too-many-urls` | more entries than the limit; the rest is not read |
 * | `too-large` | more decoded bytes than the limit; the rest is not read |
 * | `gzip` | broken compressed data; the rest is lost |
 * | `cut` | the document ends early |
 */
export type SitemapWarningCode =
  | 'empty'
  | 'not-a-sitemap'
  | 'leading-text'
  | 'doctype'
  | 'entity'
  | 'invalid-url'
  | 'loop'
  | 'unknown-element'
  | 'too-deep'
  | 'too-many-urls'
  | 'too-large'
  | 'gzip'
  | 'cut';

/** Something that was wrong with a sitemap; one for each code. */
export interface SitemapWarning {
  readonly code: SitemapWarningCode;
  /** Tells the first case. */
  readonly message: string;
  /** How often it was so. */
  readonly count: number;
}

/** What the readers of sitemaps take besides the bytes. */
export interface SitemapOptions {
  /** Absolute URL of the sitemap; relative URLs in it are resolved against it. */
  readonly url: string;
  /** Value of its Content-Type field; only the charset matters. */
  readonly contentType?: string | undefined;
  /** How many entries are read. Default 50,000, the limit of the protocol. */
  readonly maxUrls?: number | undefined;
  /** How many decoded bytes are read. Default 52,428,800 (50 MiB), the limit of the protocol. */
  readonly maxBytes?: number | undefined;
}

/** The limits of sitemaps.org. */
export const SITEMAP_MAX_URLS = 50_000;
export const SITEMAP_MAX_BYTES = 52_428_800;
