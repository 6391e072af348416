// Seeds come from another stream, one after the other, and a switch pauses the crawl.

import { BehaviorSubject, lastValueFrom, Subject, tap, toArray } from 'rxjs';
import { crawl, pages } from 'rxcrawl';
import { main } from './support/main.js';
import type { Bookshop } from './support/site.js';

export async function seedsFromAStream({ url }: Bookshop): Promise<string[]> {
  const seeds$ = new Subject<string>();
  const pause$ = new BehaviorSubject(false);
  const log: string[] = [];

  const crawled = lastValueFrom(
    seeds$.pipe(
      crawl({ pause$, delay: 0, handle: () => undefined }),
      pages(),
      tap((page) => log.push(`page ${new URL(page.url).pathname}`)),
      toArray(),
    ),
  );

  seeds$.next(new URL('/book/dune', url).href);
  await until(() => log.length === 1);

  pause$.next(true);
  log.push('paused');
  seeds$.next(new URL('/book/emma', url).href);
  await new Promise((resolve) => setTimeout(resolve, 50));
  log.push('resumed');
  pause$.next(false);

  seeds$.complete(); // nothing more will come: the crawl ends when its pages have
  await crawled;
  return log;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

await main(import.meta.url, seedsFromAStream);
