/**
 * rxcrawl, following every link of the host without a delay.
 *
 *     node rxcrawl.mjs SEED simple|queued [$ | bare]
 *
 * Everything that `crawl()` does by default is on. `$` reads the title of each page through
 * cheerio; `bare` leaves out robots.txt, trap guards and the address guard.
 */
import { crawl, loadPage, queued, simple } from '../../dist/index.js';
import { report } from './report.mjs';

const [seed, strategy, variant] = process.argv.slice(2);

const options = {
  ...(variant === 'bare' && { robots: false, traps: false, addresses: 'off' }),
  // The whole Java API index is one page of 5.1 million characters.
  parse: loadPage({ maxDocument: 10_000_000 }),
  strategy: strategy === 'simple' ? simple(16) : queued(16),
  perHost: 16,
  delay: 0,
  maxDepth: Infinity,
  maxLinksPerPage: Infinity,
  handle(page) {
    if (variant === '$') page.$('title').text();
    return page.follow();
  },
};

await report(async () => {
  let pages = 0;
  await crawl(options)(seed).forEach((event) => {
    if (event.type === 'page' && event.page.kind === 'html') pages++;
    else if (event.type === 'failure' && event.error.code !== 'http-status') throw event.error;
  });
  return pages;
});
