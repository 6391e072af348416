// The same crawl under both strategies: one line differs.

import { lastValueFrom, map, toArray } from 'rxjs';
import { crawl, pages, queued, simple, type Strategy } from 'rxcrawl';
import { main } from './support/main.js';
import type { Bookshop } from './support/site.js';

/** The pages of a site, in the order in which they came. */
async function visit(url: string, strategy: Strategy): Promise<string[]> {
  return lastValueFrom(
    crawl({ strategy, delay: 0 })(url).pipe(
      pages(),
      map((page) => page.url),
      toArray(),
    ),
  );
}

export async function twoStrategies({ url }: Bookshop): Promise<{ same: boolean; pages: number }> {
  const bySimple = await visit(url, simple(4)); // a pool of 4
  const byQueued = await visit(url, queued(4)); // 4 workers and a queue
  const same = bySimple.sort().join() === byQueued.sort().join();
  return { same, pages: byQueued.length };
}

await main(import.meta.url, twoStrategies);
