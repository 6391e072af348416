// Crawls a site and prints every page and every book, as they come.

import { lastValueFrom, reduce, tap } from 'rxjs';
import { crawl, items, pages, split } from 'rxcrawl';
import { main } from './support/main.js';
import type { Bookshop } from './support/site.js';

export async function crawlAndPrint({ url }: Bookshop): Promise<string[]> {
  const shop$ = crawl({
    delay: 0, // the site is our own; the default is a polite 500 ms
    *handle(page) {
      yield page.follow('.next, .book');
      if (page.matches('/book/*')) yield { title: page.$('h1').text() };
    },
  })(url);

  // One crawl, two views of it.
  const { events$, connect } = split(shop$);
  events$.pipe(pages()).subscribe((page) => console.log(page.status, page.url));
  const titles = lastValueFrom(
    events$.pipe(
      items(),
      tap((book) => console.log('book:', book.title)),
      reduce((all: string[], book) => [...all, book.title], []),
    ),
  );
  connect();
  return titles;
}

await main(import.meta.url, crawlAndPrint);
