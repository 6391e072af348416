import { createSitemapParser, type SitemapSummary } from './create-sitemap-parser.js';
import { unpack } from './gunzip.js';
import { SITEMAP_MAX_BYTES, type SitemapEntry, type SitemapOptions } from './sitemap.js';

/** A sitemap that was read whole. */
export interface ParsedSitemap extends SitemapSummary {
  /** The pages, or the children of an index, in the order of the document. */
  readonly entries: readonly SitemapEntry[];
}

/**
 * Reads a sitemap, a sitemap index, a text of URLs, or a feed: XML, plain text, RSS and Atom,
 * gzipped up to twice (told by the first bytes, not by a name).
 *
 * Takes what sitemaps are like: unescaped ampersands, text before the declaration, wrong name
 * spaces, missing end tags, a cut end. What is broken becomes a warning, and what is whole is
 * kept; nothing in the bytes makes it throw. See {@link createSitemapParser} for what is read.
 *
 * Reads in one go, some 30 MB/s; for a large sitemap take {@link sitemapEntries}, which lets other
 * work have its turn.
 *
 * @throws TypeError if `options.url` is no absolute URL
 * @throws RangeError if a limit is no whole number of 1 or more
 *
 * @example
 * ```ts
 * const xml = '<urlset><url><loc>https://a.example/?x=1&y=2</loc><lastmod>2024</lastmod></url></urlset>';
 * const { kind, entries } = parseSitemap(Buffer.from(xml), { url: 'https://a.example/sitemap.xml' });
 * kind; // 'urlset'
 * entries; // [{ url: 'https://a.example/?x=1&y=2', lastmod: 2024-01-01T00:00:00.000Z }]
 * ```
 */
export function parseSitemap(bytes: Uint8Array, options: SitemapOptions): ParsedSitemap {
  const parser = createSitemapParser(options);
  const { bytes: plain, problem } = unpack(bytes, options.maxBytes ?? SITEMAP_MAX_BYTES);
  const entries = [...parser.write(plain), ...parser.end(problem !== undefined)];
  const warnings = [...parser.warnings];
  if (problem === 'gzip') warnings.push({ code: problem, message: 'broken gzip', count: 1 });
  if (problem === 'too-large' && !warnings.some(({ code }) => code === problem)) {
    warnings.push({ code: problem, message: 'unpacks to more than the limit', count: 1 });
  }
  return { kind: parser.kind, entries, truncated: parser.truncated, warnings };
}
