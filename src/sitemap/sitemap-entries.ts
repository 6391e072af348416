import { createSitemapParser, type SitemapSummary } from './create-sitemap-parser.js';
import { unpackChunks } from './gunzip.js';
import type { SitemapEntry, SitemapOptions, SitemapWarning } from './sitemap.js';

/** A sitemap that is read as its bytes come. Can be iterated once. */
export interface SitemapStream extends AsyncIterable<SitemapEntry>, SitemapSummary {}

/**
 * Reads a sitemap as its bytes come: the first entry is there before the last byte, and no more
 * is asked of the source than the reader takes. The rest is as in {@link parseSitemap}; kind and
 * warnings grow while it is read.
 *
 * @param chunks - bytes, gzipped up to twice; an error of theirs is thrown by the iteration
 * @throws TypeError if `options.url` is no absolute URL
 * @throws RangeError if a limit is no whole number of 1 or more
 *
 * @example
 * ```ts
 * const sitemap = sitemapEntries(createReadStream('sitemap.xml.gz'), { url });
 * for await (const { url, lastmod } of sitemap) console.log(url, lastmod);
 * if (sitemap.truncated) console.warn(sitemap.warnings);
 * ```
 */
export function sitemapEntries(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: SitemapOptions,
): SitemapStream {
  const parser = createSitemapParser(options);
  let problem: 'gzip' | 'cut' | undefined;
  async function* read(): AsyncGenerator<SitemapEntry, void, undefined> {
    const unpacked = unpackChunks(chunks, (found) => (problem = found));
    for await (const chunk of unpacked) {
      yield* parser.write(chunk);
      if (parser.done) return;
    }
    yield* parser.end(problem !== undefined);
  }
  return {
    get kind() {
      return parser.kind;
    },
    get truncated() {
      return parser.truncated;
    },
    get warnings(): readonly SitemapWarning[] {
      if (problem !== 'gzip') return parser.warnings;
      return [...parser.warnings, { code: 'gzip', message: 'broken gzip', count: 1 }];
    },
    [Symbol.asyncIterator]: read,
  };
}
