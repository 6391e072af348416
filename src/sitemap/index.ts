export {
  createSitemapParser,
  type SitemapParser,
  type SitemapSummary,
} from './create-sitemap-parser.js';
export { parseLastmod } from './parse-lastmod.js';
export { parseSitemap, type ParsedSitemap } from './parse-sitemap.js';
export { sitemapEntries, type SitemapStream } from './sitemap-entries.js';
export type {
  ChangeFrequency,
  SitemapAlternate,
  SitemapEntry,
  SitemapKind,
  SitemapOptions,
  SitemapWarning,
  SitemapWarningCode,
} from './sitemap.js';
export type { SeedsWarning, SeedsWarningCode } from './seeds-warning.js';
export { sitemapSeeds, type SitemapSeeds, type SitemapSeedsOptions } from './sitemap-seeds.js';
