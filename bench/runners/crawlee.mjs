/** Crawlee's CheerioCrawler, with all that it can do without switched off. */
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { report } from './report.mjs';

log.setLevel(log.LEVELS.ERROR);

await report(async () => {
  let pages = 0;
  const crawler = new CheerioCrawler(
    {
      minConcurrency: 16,
      maxConcurrency: 16,
      useSessionPool: false,
      maxRequestRetries: 0,
      additionalMimeTypes: ['*/*'],
      async requestHandler({ contentType, enqueueLinks }) {
        if (!contentType.type.startsWith('text/html')) return;
        pages++;
        await enqueueLinks({ strategy: 'same-hostname' });
      },
    },
    new Configuration({ persistStorage: false, availableMemoryRatio: 0.5 }),
  );
  await crawler.run([process.argv[2]]);
  return pages;
});
