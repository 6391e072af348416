import { readFileSync } from 'node:fs';
import { count, from, map, of, switchMap } from 'rxjs';
import { crawl, items, pages, queued, retryPolicy, type Fetcher } from 'rxcrawl/core';
import {
  crawlMarbles,
  randomSite,
  reachable,
  runToEnd,
  timeline,
  virtualPage,
  virtualSite,
} from 'rxcrawl/testing';
import { describe, expect, it } from 'vitest';

// The examples of docs/testing.md, word for word.

/** The crawl under test: the titles of all books. */
function books(fetcher: Fetcher) {
  return crawl({
    fetcher,
    parse: virtualPage,
    strategy: queued(4),
    perHost: 2,
    delay: 1000,
    jitter: 0,
    retry: retryPolicy({ retries: 1, random: () => 0.5 }),
    *handle(page) {
      yield* page.follow();
      if (page.url.includes('/book/')) yield { book: page.url };
    },
  });
}

it('finds every book, also behind a page that fails once', () => {
  const site = virtualSite('https://shop.example', {
    '/': ['/list', '/list?page=2'],
    '/list': ['/book/1'],
    '/list?page=2': { links: ['/book/2'], latency: 200, fail: ['connection-reset'] },
    '/book/1': {},
    '/book/2': {},
  });
  const events = runToEnd(of('https://shop.example/').pipe(books(site.fetcher), items()));
  expect(events.map(({ event }) => event.book)).toEqual([
    'https://shop.example/book/1',
    'https://shop.example/book/2',
  ]);
  expect(site.maxInFlight).toBe(1);
});

it('crawls 1,000 pages that nobody has written down', () => {
  const site = virtualSite((url) => {
    const { pathname } = new URL(url);
    return pathname.length < 4 ? Array.from('0123456789', (digit) => pathname + digit) : [];
  });
  const crawl$ = of('https://tree.example/').pipe(
    crawl({
      fetcher: site.fetcher,
      parse: virtualPage,
      delay: 1000,
      jitter: 0,
      handle: (page) => page.follow(),
    }),
  );
  const [pageCount] = runToEnd(crawl$.pipe(pages(), count()));
  expect(pageCount).toEqual({ at: 1_110 * 1000, event: 1_111 }); // more than 18 minutes
});

it('waits a second between two pages of a host', () => {
  const site = virtualSite('https://shop.example', { '/': ['/a', '/gone'], '/a': { latency: 50 } });
  const events = runToEnd(of('https://shop.example/').pipe(books(site.fetcher)));
  expect(timeline(events)).toEqual([
    '0 found seeds +1',
    '0 start /',
    '0 page /',
    '0 found / +2',
    '0 done /',
    '1000 start /a',
    '1050 page /a',
    '1050 done /a',
    '2000 start /gone',
    '2000 fail /gone http-status',
  ]);
});

it(
  'is cancelled by what the user types next',
  crawlMarbles((m) => {
    const site = virtualSite((url) => ({ latency: url.endsWith('/slow') ? 9 : 2 }));
    const typed$ = m.hot('-s---f--|', { s: 'https://a.example/slow', f: 'https://a.example/fast' });
    const found$ = typed$.pipe(
      switchMap((url) =>
        of(url).pipe(crawl({ fetcher: site.fetcher, parse: virtualPage }), pages()),
      ),
      map((page) => new URL(page.url).pathname),
    );
    m.expectObservable(found$).toBe('-------f|', { f: '/fast' });
    m.flush();
    expect(site.aborted).toBe(1);
  }),
);

it('requests everything that can be reached, and nothing else', () => {
  for (let seed = 0; seed < 50; seed++) {
    const { pages, seeds } = randomSite(seed);
    const site = virtualSite(pages);
    const crawl$ = from(seeds).pipe(
      crawl({
        fetcher: site.fetcher,
        parse: virtualPage,
        scope: () => true,
        handle: (page) => page.follow(),
      }),
    );
    runToEnd(crawl$);
    expect(new Set(site.started)).toEqual(reachable(pages, seeds));
  }
});

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('docs/testing.md', () => {
  const guide = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => squeeze(code));
  const tested = squeeze(readFileSync(new URL(import.meta.url), 'utf8'));

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(4);
  });

  it.each(examples)('shows what is tested here: %s', (example) => {
    expect(tested).toContain(example);
  });
});
