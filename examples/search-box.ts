// A search box: what is typed next cancels the crawl before, down to its sockets.

import { concat, delay, lastValueFrom, map, of, switchMap, toArray } from 'rxjs';
import { crawl, items } from 'rxcrawl';
import { main } from './support/main.js';
import type { Bookshop } from './support/site.js';

export async function searchBox({ url }: Bookshop): Promise<string[]> {
  // Somebody types "e", and 40 ms later, before the answer is there, "em".
  const typed$ = concat(of('e'), of('em').pipe(delay(40)));

  const results$ = typed$.pipe(
    map((text) => new URL(`/search?q=${encodeURIComponent(text)}`, url)),
    switchMap((search) =>
      crawl({
        delay: 0,
        *handle(page) {
          if (page.matches('/search')) yield page.follow('.book');
          else yield page.$('h1').text();
        },
      })(search).pipe(items()),
    ),
  );
  return lastValueFrom(results$.pipe(toArray()));
}

await main(import.meta.url, searchBox);
