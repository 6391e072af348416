import { EMPTY, filter, from, map, NEVER, of, take, takeUntil, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { CrawlEvent } from '../../../src/core/index.js';
import {
  crawlMarbles,
  runToEnd,
  seededRandom,
  timeline,
  virtualSite,
} from '../../../src/testing/index.js';
import { expectCausalOrder } from './causal-order.js';
import { followAll, STRATEGIES } from './follow-all.js';

const ROOT = 'https://a.example/';
const name = (url: string) => new URL(url).pathname.slice(1) || 'r';
const starts = (event: CrawlEvent) => event.type === 'start';
const ends = (event: CrawlEvent) => event.type === 'done' || event.type === 'failure';
const sorted = (lines: readonly string[]) => [...lines].sort();
const nameOf = (event: CrawlEvent) =>
  'request' in event && event.request ? name(event.request.url) : '?';

/** r → b, c and b → d, e; each page takes 5 ms. */
const family = () =>
  virtualSite(
    ROOT,
    { '/': ['/b', '/c'], '/b': ['/d', '/e'], '/c': [], '/d': [], '/e': [] },
    { latency: 5 },
  );

describe.each(STRATEGIES)('%s', (_name, strategy) => {
  it(
    'starts requests in order of discovery, as soon as there is room',
    crawlMarbles((m) => {
      const crawl$ = of(ROOT).pipe(followAll(family(), { strategy: strategy(2) }));
      m.expectObservable(crawl$.pipe(filter(starts), map(nameOf))).toBe('r----(bc)-(de)-|');
    }),
  );

  it(
    'has done one after the other with a width of 1',
    crawlMarbles((m) => {
      const crawl$ = of(ROOT).pipe(followAll(family(), { strategy: strategy(1) }));
      m.expectObservable(crawl$.pipe(filter(starts), map(nameOf))).toBe(
        'r----b----c----d----e----|',
      );
      const again$ = of(ROOT).pipe(followAll(family(), { strategy: strategy(1) }));
      m.expectObservable(again$.pipe(filter(ends), map(nameOf))).toBe(
        '-----r----b----c----d----(e|)',
      );
    }),
  );

  it('tells all that happens, and tells it in the order in which it happens', () => {
    const crawl$ = of(ROOT).pipe(followAll(family(), { strategy: strategy(2) }));
    const events = runToEnd(crawl$);
    expectCausalOrder(events.map(({ event }) => event));
    // Which of two events of one moment comes first is the strategy's own affair.
    expect(sorted(timeline(events))).toEqual(
      sorted([
        '0 found seeds +1',
        '0 start /',
        '5 page /',
        '5 found / +2',
        '5 done /',
        '5 start /b',
        '5 start /c',
        '10 page /b',
        '10 found /b +2',
        '10 done /b',
        '10 page /c',
        '10 done /c',
        '10 start /d',
        '10 start /e',
        '15 page /d',
        '15 done /d',
        '15 page /e',
        '15 done /e',
      ]),
    );
  });

  it('uses its width and never passes it', () => {
    const links = Array.from({ length: 40 }, (_, i) => `/${i}`);
    for (const width of [1, 2, 3, 7, 16]) {
      const site = virtualSite((url) => ({
        latency: 1 + (url.length % 3),
        links: url === ROOT ? links : [],
      }));
      runToEnd(of(ROOT).pipe(followAll(site, { strategy: strategy(width) })));
      expect(site).toMatchObject({ requests: 41, maxInFlight: width });
    }
  });

  it('never passes the width of a host, whatever its own', () => {
    const links = Array.from({ length: 30 }, (_, i) => `https://h${i % 3}.example/${i}`);
    const site = virtualSite((url) => ({ latency: 4, links: url === ROOT ? links : [] }));
    runToEnd(of(ROOT).pipe(followAll(site, { strategy: strategy(8), perHost: 2 })));
    expect(site.requests).toBe(31);
    expect(Object.fromEntries(site.maxInFlightByHost)).toEqual({
      'a.example': 1,
      'h0.example': 2,
      'h1.example': 2,
      'h2.example': 2,
    });
  });

  it('never starts two requests of a host closer than the delay', () => {
    const links = Array.from({ length: 9 }, (_, i) => `https://h${i % 3}.example/${i}`);
    const site = virtualSite((url) => ({ latency: 4, links: url === ROOT ? links : [] }));
    const polite = { strategy: strategy(8), delay: 100, jitter: 0 };
    runToEnd(of(ROOT).pipe(followAll(site, polite)));
    for (const host of ['h0', 'h1', 'h2']) {
      const times = site.log.filter(({ url }) => url.includes(host)).map(({ at }) => at);
      expect(times).toEqual([4, 104, 204]);
    }
  });

  it(
    'goes on when a page fails, and reports it once',
    crawlMarbles((m) => {
      const site = virtualSite(
        ROOT,
        { '/': ['/b', '/c', '/none'], '/b': { fail: 'connection-reset' }, '/c': ['/d'], '/d': [] },
        { latency: 5 },
      );
      const crawl$ = of(ROOT).pipe(followAll(site, { strategy: strategy(4) }));
      m.expectEvents(crawl$.pipe(filter(ends))).toBe('-----r----(bcn)(d|)', {
        r: 'done /',
        b: 'fail /b connection-reset',
        c: 'done /c',
        n: 'fail /none http-status',
        d: 'done /d',
      });
    }),
  );

  it('retries after the delay that the policy says', () => {
    const site = virtualSite(
      ROOT,
      {
        '/': { fail: ['connection-reset', 'timeout-headers'], links: ['/b', '/c'] },
        '/b': { status: [500, 200] },
        '/c': { fail: 'truncated' },
      },
      { latency: 1 },
    );
    const retry = (attempt: number) => (attempt < 3 ? attempt * 4 : null);
    const crawl$ = of(ROOT).pipe(followAll(site, { strategy: strategy(2), retry }));
    const told$ = crawl$.pipe(filter(({ type }) => type !== 'page' && type !== 'found'));
    expect(sorted(timeline(runToEnd(told$)))).toEqual(
      sorted([
        '0 start /',
        '1 retry / #1 connection-reset 4ms',
        '5 start / #2',
        '6 retry / #2 timeout-headers 8ms',
        '14 start / #3',
        '15 done /',
        '15 start /b',
        '15 start /c',
        '16 retry /b #1 http-status 4ms',
        '16 retry /c #1 truncated 4ms',
        '20 start /b #2',
        '20 start /c #2',
        '21 done /b',
        '21 retry /c #2 truncated 8ms',
        '29 start /c #3',
        '30 fail /c truncated',
      ]),
    );
  });

  it(
    'takes seeds that come late, and is done when both seeds and pages are',
    crawlMarbles((m) => {
      const site = virtualSite(ROOT, { '/b': ['/c'], '/c': [], '/d': [] }, { latency: 2 });
      const seeds$ = m.hot('-b-------d------|', { b: `${ROOT}b`, d: `${ROOT}d` });
      const crawl$ = seeds$.pipe(followAll(site, { strategy: strategy(2) }));
      m.expectObservable(crawl$.pipe(filter(starts), map(nameOf))).toBe('-b-c-----d------|');
      m.expectSubscriptions(seeds$.subscriptions).toBe('^---------------!');
    }),
  );

  it(
    'waits for its pages when the seeds complete first',
    crawlMarbles((m) => {
      const crawl$ = m.cold('r|', { r: ROOT }).pipe(followAll(family(), { strategy: strategy(4) }));
      m.expectObservable(crawl$.pipe(filter(ends), map(nameOf))).toBe('-----r----(bc)-(de|)');
    }),
  );

  it(
    'completes at once without seeds, and never with seeds that never end',
    crawlMarbles((m) => {
      const crawl = followAll(family(), { strategy: strategy(2) });
      m.expectObservable(EMPTY.pipe(crawl)).toBe('|');
      m.expectObservable(m.cold('---|').pipe(crawl)).toBe('---|');
      m.expectObservable(NEVER.pipe(crawl), '^ 99ms !').toBe('-');
    }),
  );

  it('completes exactly once, also if all pages are synchronous', () => {
    const completions: string[] = [];
    const site = virtualSite(ROOT, { '/': ['/', '/b'], '/b': ['/'] });
    const crawl$ = from([ROOT, `${ROOT}b`, ROOT]).pipe(followAll(site, { strategy: strategy(2) }));
    runToEnd(crawl$.pipe(tap({ complete: () => completions.push('complete') })));
    expect(completions).toEqual(['complete']);
    expect(site.started.toSorted()).toEqual([ROOT, `${ROOT}b`]);
  });

  it(
    'aborts what is in flight on unsubscribe, and emits nothing after',
    crawlMarbles((m) => {
      const site = family();
      const crawl$ = of(ROOT).pipe(followAll(site, { strategy: strategy(2) }));
      m.expectObservable(crawl$.pipe(filter(starts), map(nameOf)), '^------!').toBe('r----(bc)');
      m.flush();
      expect(site).toMatchObject({ requests: 3, aborted: 2, inFlight: 0 });
      expect(site.log.map(({ endedAt }) => endedAt)).toEqual([5, 7, 7]);
      expect(m.scheduler.now()).toBeLessThan(10);
    }),
  );

  it(
    'is ended by take and takeUntil',
    crawlMarbles((m) => {
      const taken = family();
      const crawl$ = of(ROOT).pipe(followAll(taken, { strategy: strategy(2) }));
      m.expectObservable(crawl$.pipe(filter(starts), map(nameOf), take(2))).toBe('r----(b|)');
      const stopped = family();
      const until$ = of(ROOT).pipe(
        followAll(stopped, { strategy: strategy(2) }),
        takeUntil(timer(14)),
      );
      m.expectObservable(until$.pipe(filter(starts), map(nameOf))).toBe('r----(bc)-(de)|');
      m.flush();
      expect([taken.inFlight, stopped.inFlight]).toEqual([0, 0]);
    }),
  );

  it('takes from endless seeds, and asks only for what it uses', () => {
    let asked = 0;
    function* endless() {
      for (;;) yield `${ROOT}${asked++}`;
    }
    const site = virtualSite(() => ({ latency: 1 }));
    const crawl$ = followAll(site, { strategy: strategy(4), seedLookahead: 8 })(endless());
    const done = runToEnd(crawl$.pipe(filter(ends), take(100)));
    expect(done).toHaveLength(100);
    expect(asked).toBeLessThanOrEqual(100 + 8 + 4);
  });

  it('gives the same events in the same order in 100 runs', () => {
    const links = Array.from({ length: 40 }, (_, i) => `https://h${i % 7}.example/${i}`);
    const run = () => {
      const site = virtualSite((url) => ({
        latency: url.length % 4,
        links: url === ROOT ? links : [ROOT],
        fail: url.endsWith('3') ? ['connection-reset'] : [],
      }));
      const random = seededRandom(1);
      const retry = (attempt: number) => (attempt < 3 ? 100 * random() : null);
      const options = { strategy: strategy(8), perHost: 2, delay: 10, jitter: 1, random, retry };
      return timeline(runToEnd(of(ROOT).pipe(followAll(site, options)))).join('\n');
    };
    const first = run();
    for (let again = 1; again < 100; again++) if (run() !== first) throw new Error(`run ${again}`);
    expect(first.match(/ done /g)).toHaveLength(41);
  });

  it('is a crawl of its own for each subscription', () => {
    const site = family();
    const crawl$ = of(ROOT).pipe(followAll(site, { strategy: strategy(2) }));
    const first = timeline(runToEnd(crawl$));
    expect(timeline(runToEnd(crawl$))).toEqual(first);
    expect(site.requests).toBe(10);
  });
});

describe('queued alone', () => {
  it('does not let a late host hold the others', () => {
    const links = [1, 2, 3, 4].flatMap((i) => [
      `https://late.example/${i}`,
      `https://quick.example/${i}`,
    ]);
    const site = virtualSite((url) => ({
      latency: url.includes('late') ? 100 : 1,
      links: url === ROOT ? links : [],
    }));
    const queuedCrawl = followAll(site, { strategy: STRATEGIES[1]![1](2), perHost: 1 });
    runToEnd(of(ROOT).pipe(queuedCrawl));
    const ended = (host: string) =>
      site.log.filter(({ url }) => url.includes(host)).map(({ endedAt }) => endedAt);
    expect(ended('quick')).toEqual([2, 3, 4, 5]);
    expect(ended('late')).toEqual([101, 201, 301, 401]);
  });
});
