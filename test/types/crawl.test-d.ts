import { concat, from, type Observable, of, type OperatorFunction, pipe } from 'rxjs';
import { describe, expectTypeOf, test } from 'vitest';
import {
  crawl,
  type CrawlErrorCode,
  type CrawlEvent,
  type CrawlRequest,
  items,
  type ItemEvent,
  type Page,
  pages,
  queued,
  type SeedInput,
  simple,
  type SkipReason,
  split,
  type Stats,
  stats,
  type Strategy,
  toAsyncIterable,
} from 'rxcrawl';
import { type BarePage, crawl as coreCrawl, type Fetcher } from 'rxcrawl/core';
import { virtualPage, type VirtualPage } from 'rxcrawl/testing';

declare const fetcher: Fetcher;
const SEED = 'https://a.example/';
interface Book {
  title: string;
}

describe('the type of the items', () => {
  test('is what a generator yields besides requests', () => {
    const books$ = crawl({
      *handle(page) {
        yield page.follow('.next');
        yield* page.follow();
        yield { title: page.$('h1').text() };
      },
    })(SEED).pipe(items());
    expectTypeOf(books$).toEqualTypeOf<Observable<Book>>();
  });

  test('is what an async generator yields besides requests', () => {
    const books$ = crawl({
      async *handle(page) {
        yield page.follow();
        yield { title: await Promise.resolve(page.text) };
      },
    })(SEED).pipe(items());
    expectTypeOf(books$).toEqualTypeOf<Observable<Book>>();
  });

  test('is that of an array, a promise or an Observable', () => {
    expectTypeOf(crawl({ handle: (page) => [page.url] })(SEED).pipe(items())).toEqualTypeOf<
      Observable<string>
    >();
    expectTypeOf(
      crawl({ handle: async (page) => ({ title: page.url }) })(SEED).pipe(items()),
    ).toEqualTypeOf<Observable<Book>>();
    expectTypeOf(
      crawl({ handle: (page) => concat(of(1), page.follow()) })(SEED).pipe(items()),
    ).toEqualTypeOf<Observable<number>>();
    expectTypeOf(
      crawl({ handle: (page) => [...page.follow(), 1] })(SEED).pipe(items()),
    ).toEqualTypeOf<Observable<number>>();
  });

  test('is never where there are requests only, or nothing', () => {
    expectTypeOf(crawl()(SEED).pipe(items())).toEqualTypeOf<Observable<never>>();
    expectTypeOf(crawl({ handle: (page) => page.follow() })(SEED).pipe(items())).toEqualTypeOf<
      Observable<never>
    >();
    expectTypeOf(
      crawl({ handle: async (page) => page.follow() })(SEED).pipe(items()),
    ).toEqualTypeOf<Observable<never>>();
  });

  test('is what the sink takes', () => {
    crawl({
      *handle(page) {
        yield page.follow();
        yield { title: page.url };
      },
      sink: (book) => {
        expectTypeOf(book).toEqualTypeOf<Book>();
      },
    });
  });

  test('goes through toAsyncIterable', () => {
    const books = toAsyncIterable((sink) =>
      crawl({
        sink,
        *handle(page) {
          yield page.follow();
          yield { title: page.url };
        },
      })(SEED),
    );
    expectTypeOf(books).toEqualTypeOf<AsyncIterable<Book>>();
  });

  test('is not any', () => {
    const events$ = crawl({ handle: (page) => [page.url] })(SEED);
    expectTypeOf(events$).not.toBeAny();
    expectTypeOf(events$.pipe(items())).not.toEqualTypeOf<Observable<unknown>>();
    expectTypeOf<ItemEvent<Book>['item']>().toEqualTypeOf<Book>();
  });
});

describe('the type of the pages', () => {
  test('is Page in the main entry, and that of the parser where one is given', () => {
    expectTypeOf(crawl()(SEED).pipe(pages())).toEqualTypeOf<Observable<Page>>();
    const virtual$ = crawl({ fetcher, parse: virtualPage, handle: (page) => page.links })(SEED);
    expectTypeOf(virtual$).toEqualTypeOf<Observable<CrawlEvent<string, VirtualPage>>>();
  });

  test('is BarePage in the core', () => {
    expectTypeOf(coreCrawl({ fetcher })(SEED).pipe(pages())).toEqualTypeOf<Observable<BarePage>>();
    coreCrawl({
      fetcher,
      handle(page) {
        expectTypeOf(page).toEqualTypeOf<BarePage>();
      },
    });
  });
});

describe('crawl', () => {
  test('is an operator, and a function of what it starts from', () => {
    const run = crawl({ handle: (page) => [page.url] });
    expectTypeOf(run).toExtend<OperatorFunction<SeedInput, CrawlEvent<string, Page>>>();
    expectTypeOf(from([SEED]).pipe(run, items())).toEqualTypeOf<Observable<string>>();
    expectTypeOf(pipe(run, items())).toExtend<(seeds: Observable<string>) => Observable<string>>();
    run(SEED);
    run(new URL(SEED));
    run([SEED, new URL(SEED)]);
    run(new Set([SEED]));
    run(Promise.resolve(SEED));
    run(
      (async function* () {
        yield SEED;
      })(),
    );
    // @ts-expect-error -- a number is no seed
    run(5);
    // @ts-expect-error -- nor are numbers
    run([5]);
  });

  test('takes both strategies, and an Observable as their width', () => {
    crawl({ strategy: simple(8) });
    crawl({ strategy: queued(of(1, 2)) });
    expectTypeOf(simple(8)).toEqualTypeOf<Strategy>();
    expectTypeOf(queued()).toEqualTypeOf<Strategy>();
    // @ts-expect-error -- a name is no strategy
    crawl({ strategy: 'queued' });
  });

  test('refuses what no handler gives', () => {
    // @ts-expect-error -- a number is no ObservableInput
    crawl({ handle: () => 5 });
  });

  test('needs a fetcher in the core alone', () => {
    crawl({});
    // @ts-expect-error -- no fetcher
    coreCrawl({});
  });
});

describe('events', () => {
  test('can be told apart to the last', () => {
    const nameOf = (event: CrawlEvent<Book, Page>): string => {
      switch (event.type) {
        case 'page':
          expectTypeOf(event.page).toEqualTypeOf<Page>();
          return event.page.url;
        case 'item':
          expectTypeOf(event.item).toEqualTypeOf<Book>();
          return event.item.title;
        case 'found':
          expectTypeOf(event.admitted).toEqualTypeOf<readonly CrawlRequest[]>();
          return String(event.duplicates);
        case 'failure':
          expectTypeOf(event.error.code).toEqualTypeOf<CrawlErrorCode>();
          return event.error.code;
        case 'skip':
          expectTypeOf(event.reason).toEqualTypeOf<SkipReason>();
          return event.reason;
        case 'start':
        case 'retry':
        case 'redirect':
        case 'done':
        case 'warning':
        case 'hold':
        case 'pace':
        case 'item-failure':
          return event.type;
        default:
          return event satisfies never;
      }
    };
    expectTypeOf(nameOf).returns.toEqualTypeOf<string>();
  });

  test('have reasons and codes that are closed', () => {
    expectTypeOf<string>().not.toExtend<SkipReason>();
    expectTypeOf<string>().not.toExtend<CrawlErrorCode>();
    expectTypeOf<'robots'>().toExtend<SkipReason>();
    expectTypeOf<'handler-timeout'>().toExtend<CrawlErrorCode>();
  });

  test('fold into stats, and split into views', () => {
    const events$ = crawl({ handle: (page) => [page.url] })(SEED);
    expectTypeOf(events$.pipe(stats())).toEqualTypeOf<Observable<Stats>>();
    const { items$, pages$ } = split(events$);
    expectTypeOf(items$).toEqualTypeOf<Observable<string>>();
    expectTypeOf(pages$).toEqualTypeOf<Observable<Page>>();
  });
});
