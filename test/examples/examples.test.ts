import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { asyncIterable } from '../../examples/async-iterable.js';
import { crawlAndPrint } from '../../examples/crawl-and-print.js';
import { marbleTest } from '../../examples/marble-test.js';
import { searchBox } from '../../examples/search-box.js';
import { seedsFromAStream } from '../../examples/seeds-from-a-stream.js';
import { type Bookshop, withBookshop } from '../../examples/support/site.js';
import { twoStrategies } from '../../examples/two-strategies.js';

const BOOKS = ['Candide', 'Carmen', 'Dune', 'Emma', 'Heidi', 'Ivanhoe', 'Kim', 'Momo', 'Ulysses'];

it('crawl-and-print prints each page and each book', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
    lines.push(words.join(' '));
  });
  const titles = await withBookshop(crawlAndPrint).finally(() => log.mockRestore());
  expect(titles.sort()).toEqual(BOOKS);
  expect(lines.filter((line) => line.startsWith('200 '))).toHaveLength(12);
  expect(lines).toContain('book: Dune');
});

it('two-strategies visits the same pages under both', async () => {
  expect(await withBookshop(twoStrategies)).toEqual({ same: true, pages: 12 });
});

it('seeds-from-a-stream fetches nothing while it is paused', async () => {
  expect(await withBookshop(seedsFromAStream)).toEqual([
    'page /book/dune',
    'paused',
    'resumed',
    'page /book/emma',
  ]);
});

it('marble-test passes', () => {
  marbleTest();
});

it('search-box cancels the first search on the wire', async () => {
  let shop: Bookshop | undefined;
  const found = await withBookshop(async (opened) => {
    shop = opened;
    return searchBox(opened);
  });
  expect(found).toEqual(['Emma']);
  expect(shop?.aborted).toBe(1);
  expect(shop?.asked).toEqual(['/search?q=e', '/search?q=em', '/book/emma']);
});

it('async-iterable fetches no further than the loop goes', async () => {
  let shop: Bookshop | undefined;
  const titles = await withBookshop(async (opened) => {
    shop = opened;
    return asyncIterable(opened);
  });
  expect(titles).toHaveLength(4);
  expect(shop?.asked.filter((path) => path.startsWith('/book/')).length).toBeLessThan(BOOKS.length);
});

it('no example is left out here', () => {
  const files = readdirSync(new URL('../../examples', import.meta.url));
  expect(files.filter((file) => file.endsWith('.ts')).sort()).toEqual([
    'async-iterable.ts',
    'chosen-workers.ts',
    'city-crawler.ts',
    'crawl-and-print.ts',
    'image-finder.ts',
    'job-board.ts',
    'marble-test.ts',
    'modular-framework.ts',
    'rotating-proxies.ts',
    'search-box.ts',
    'seeds-from-a-stream.ts',
    'two-strategies.ts',
  ]);
});
