import type { SitemapWarning, SitemapWarningCode } from './sitemap.js';

/**
 * What can go wrong when sitemaps are looked up: what {@link SitemapWarningCode} tells of one
 * document, and
 *
 * | code | meaning |
 * | --- | --- |
 * | `fetch-failed` | a sitemap or robots.txt could not be fetched; `error` tells why |
 * | `http-status` | a sitemap that somebody named was answered with an error |
 * | `other-host` | an entry of a host that the sitemap does not speak for; it is dropped |
 * | `max-depth` | too many indexes lead to a sitemap; it is not fetched |
 * | `max-sitemaps` | the limit of sitemaps was reached; the rest is not fetched |
 * | `max-urls` | the limit of pages was reached; the rest is not fetched |
 */
export type SeedsWarningCode =
  | SitemapWarningCode
  | 'fetch-failed'
  | 'http-status'
  | 'other-host'
  | 'max-depth'
  | 'max-sitemaps'
  | 'max-urls';

/** Something that went wrong with one sitemap; the others go on. */
export interface SeedsWarning extends Omit<SitemapWarning, 'code'> {
  readonly code: SeedsWarningCode;
  /** URL of the sitemap, or of robots.txt. */
  readonly sitemap: string;
  /** For `fetch-failed`. */
  readonly error?: unknown;
}
