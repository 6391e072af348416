// Items in a `for await` loop, with backpressure: no page is fetched that the loop is not ready
// for, and leaving the loop cancels the crawl.

import { crawl, queued, toAsyncIterable } from 'rxcrawl';
import { main } from './support/main.js';
import type { Bookshop } from './support/site.js';

export async function asyncIterable({ url }: Bookshop): Promise<string[]> {
  const books = toAsyncIterable((sink) =>
    crawl({
      sink,
      strategy: queued(2), // so at most 2 books wait for the loop
      delay: 0,
      *handle(page) {
        yield page.follow('.next, .book');
        if (page.matches('/book/*')) yield { title: page.$('h1').text() };
      },
    })(url),
  );

  const titles: string[] = [];
  for await (const book of books) {
    await new Promise((resolve) => setTimeout(resolve, 20)); // a slow consumer
    titles.push(book.title);
    if (titles.length === 4) break;
  }
  return titles;
}

await main(import.meta.url, asyncIterable);
