/**
 * rxcrawl, following every link of the host without a delay.
 *
 *     node rxcrawl.mjs SEED simple|queued [$ | bare]
 *
 * `$` reads the title of each page through cheerio; `bare` leaves out the polite stack
 * (robots.txt, retry, …) and fetches with undici alone.
 */
import { crawl, queued, simple, undiciFetcher } from '../../dist/index.js';
import { report } from './report.mjs';

const [seed, strategy, variant] = process.argv.slice(2);

const isHtml = (page) => page.status === 200 && page.contentType?.startsWith('text/html');

const options = {
  strategy: strategy === 'simple' ? simple(16) : queued(16),
  perHost: 16,
  delay: 0,
  maxDepth: Infinity,
  maxLinksPerPage: Infinity,
  ...(variant === 'bare' && { fetcher: undiciFetcher() }),
  ...(variant === '$' && {
    *handle(page) {
      if (isHtml(page)) page.$('title').text();
      yield* page.follow();
    },
  }),
};

await report(
  () =>
    new Promise((resolve, reject) => {
      let pages = 0;
      crawl(options)([seed]).subscribe({
        next(event) {
          if (event.type === 'page' && isHtml(event.page)) pages++;
          else if (event.type === 'failure') reject(event.error);
        },
        error: reject,
        complete: () => resolve(pages),
      });
    }),
);
