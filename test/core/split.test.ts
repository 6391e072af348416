import { NEVER, throwError } from 'rxjs';
import { expect, it } from 'vitest';
import { crawl, type CrawlEvent, split, type Stats } from '../../src/core/index.js';
import { runToEnd, virtualPage, virtualSite } from '../../src/testing/index.js';
import { ORIGIN } from '../helpers/virtual-crawl.js';

function shop() {
  const site = virtualSite(ORIGIN, { '/': ['/a', '/gone', 'https://other.example/'], '/a': {} });
  const crawl$ = crawl({
    fetcher: site.fetcher,
    parse: virtualPage,
    delay: 0,
    *handle(page) {
      yield page.follow();
      yield page.url;
    },
  })(`${ORIGIN}/`);
  return { site, views: split(crawl$) };
}

it('split gives views of one crawl', () => {
  const { site, views } = shop();
  const seen: string[] = [];
  let last: Stats | undefined;
  views.pages$.subscribe(({ url }) => seen.push(`page ${url}`));
  views.items$.subscribe((item) => seen.push(`item ${item}`));
  views.failures$.subscribe(({ error }) => seen.push(`failure ${error.code}`));
  views.skips$.subscribe(({ reason }) => seen.push(`skip ${reason}`));
  views.stats$.subscribe({ next: (each) => (last = each), complete: () => seen.push('|') });
  expect(site.requests).toBe(0);
  views.connect();
  return new Promise<void>((resolve) => {
    setTimeout(() => {
      expect(site.requests).toBe(3);
      expect(seen.sort()).toEqual(
        [
          '|',
          'failure http-status',
          `item ${ORIGIN}/`,
          `item ${ORIGIN}/a`,
          `page ${ORIGIN}/`,
          `page ${ORIGIN}/a`,
          'skip scope',
        ].sort(),
      );
      expect(last).toMatchObject({ done: 2, failed: 1, skipped: 1 });
      resolve();
    }, 20);
  });
});

it('split replays the latest stats to whom comes late', () => {
  const { views } = shop();
  runToEnd(NEVER, { until: 1 });
  const crawling = views.connect();
  const late: Stats[] = [];
  views.stats$.subscribe((each) => late.push(each));
  expect(late).toHaveLength(1);
  expect(late[0]!.admitted).toBeGreaterThan(0);
  crawling.unsubscribe();
});

it('split hands an error of the crawl to every view', () => {
  const views = split(throwError(() => new Error('no seeds')));
  const errors: unknown[] = [];
  const error = (each: unknown) => errors.push(each);
  views.pages$.subscribe({ error });
  views.stats$.subscribe({ error });
  views.events$.subscribe({ error });
  views.connect();
  expect(errors).toHaveLength(3);
});

it('split aborts the crawl when its connection is unsubscribed', () => {
  const site = virtualSite(ORIGIN, { '/': { latency: 50 } });
  const { events$, connect } = split(crawl({ fetcher: site.fetcher })(`${ORIGIN}/`));
  const seen: CrawlEvent['type'][] = [];
  events$.subscribe(({ type }) => seen.push(type));
  connect().unsubscribe();
  expect(seen).toEqual(['found', 'start']);
  expect(site.aborted).toBe(1);
});

it('split refuses what is no Observable when it is called', () => {
  const seedless: unknown = crawl({ fetcher: () => NEVER });
  expect(() => split(seedless as typeof NEVER)).toThrow(
    'split: crawl$: expected an Observable, got function',
  );
});
