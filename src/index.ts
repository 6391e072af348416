export * from './core/index.js';
export * from './url/index.js';
export * from './page/index.js';
export * from './fetch/index.js';
export * from './sitemap/index.js';
export * from './download/index.js';
export * from './items/index.js';
export * from './control/index.js';
// The crawl of this entry takes the place of the core's, which needs a fetcher.
export { crawl } from './crawl.js';
export type { CrawlOptions } from './crawl-options.js';
export { createCrawler, type CrawlerOptions } from './create-crawler.js';
export type { SitemapsOption } from './with-sitemaps.js';
export { softNotFound, type SoftNotFoundOptions } from './soft-not-found.js';
