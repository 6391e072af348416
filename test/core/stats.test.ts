import { of, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { crawl, items, NO_STATS, pages, stats } from '../../src/core/index.js';
import { crawlMarbles, runToEnd, virtualPage, virtualSite } from '../../src/testing/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const SITE = {
  '/': ['/ok', '/gone', '/moved', '/flaky', '/ok', 'https://other.example/'],
  '/ok': { bytes: 1_000 },
  '/moved': { redirect: '/target' },
  '/target': { bytes: 500 },
  '/flaky': { fail: ['connection-reset', null], bytes: 200 },
} as const;

describe.each(STRATEGIES)('stats of a crawl under %s', (_name, strategy) => {
  it('count every event once', () => {
    const { stats: final } = virtualCrawl(SITE, {
      strategy: strategy(2),
      retry: (attempt, { error }) =>
        attempt === 1 && error.code === 'connection-reset' ? 10 : null,
    });
    expect(final).toMatchObject({
      admitted: 5,
      waiting: 0,
      inFlight: 0,
      done: 4,
      failed: 1,
      skipped: 1,
      duplicates: 1,
      retries: 1,
      redirects: 1,
      byStatus: { 200: 4 },
      byError: { 'http-status': 1 },
      byReason: { scope: 1 },
    });
    expect(final.bytes).toBeGreaterThanOrEqual(1_700);
  });

  it('begin with none, and change with every event that counts', () => {
    const site = virtualSite(ORIGIN, { '/': {} });
    const crawl$ = crawl({ fetcher: site.fetcher, strategy: strategy(1) })(`${ORIGIN}/`);
    const steps = runToEnd(crawl$.pipe(stats())).map(({ event }) => event);
    expect(steps[0]).toBe(NO_STATS);
    expect(steps.map(({ waiting, inFlight, done }) => [waiting, inFlight, done])).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });
});

describe('views of the events', () => {
  const crawlOne = () => {
    const site = virtualSite(ORIGIN, { '/': { latency: 2 } });
    return of(`${ORIGIN}/`).pipe(
      crawl({ fetcher: site.fetcher, parse: virtualPage, handle: () => ['x', 'y'] }),
    );
  };

  it(
    'items() gives the items alone',
    crawlMarbles((m) => {
      m.expectObservable(crawlOne().pipe(items())).toBe('--(xy|)');
    }),
  );

  it('pages() gives the pages alone, and can be left', () => {
    const [first] = runToEnd(crawlOne().pipe(pages(), take(1)));
    expect(first).toMatchObject({ at: 2, event: { url: `${ORIGIN}/`, status: 200 } });
  });
});
