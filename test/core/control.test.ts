import { BehaviorSubject, concat, NEVER, of, Subject, throwError, timer } from 'rxjs';
import { delay, map, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { crawl, type CrawlEvent, type Fetcher, RequestRefused } from '../../src/core/index.js';
import { runToEnd, virtualPage, virtualSite } from '../../src/testing/index.js';
import { expectConservation } from '../helpers/conservation.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

/** A root with ten children; each page takes 10 ms. */
const wide = (url: string) => {
  const links = Array.from({ length: 10 }, (_, i) => `/${i}`);
  return url === `${ORIGIN}/` ? { links, latency: 10 } : { latency: 10 };
};
const reasons = (events: readonly CrawlEvent[]) =>
  events.flatMap((event) => (event.type === 'skip' ? [event.reason] : []));
const startTimes = (lines: readonly string[]) => lines.map((line) => Number(line.split(' ')[0]));

describe.each(STRATEGIES)('control of %s', (_name, strategy) => {
  describe('pause$', () => {
    it('starts nothing while its last value is true, and lets what runs finish', () => {
      const pause$ = concat(
        of(false),
        timer(15).pipe(map(() => true)),
        timer(100).pipe(map(() => false)),
      );
      const { times, stats } = virtualCrawl(wide, { strategy: strategy(2), pause$ });
      const starts = startTimes(times('start'));
      expect(starts.filter((at) => at > 15 && at < 115)).toEqual([]);
      expect(times('done').filter((line) => line.startsWith('20 '))).toHaveLength(2);
      expect(starts.filter((at) => at === 115)).toHaveLength(2);
      expect(stats.done).toBe(11);
    });

    it('begins only when it is resumed, if it is paused from the start', () => {
      const pause$ = concat(of(true), timer(50).pipe(map(() => false)));
      const { times, stats } = virtualCrawl(wide, { strategy: strategy(2), pause$ });
      expect(startTimes(times('start'))[0]).toBe(50);
      expect(stats.done).toBe(11);
    });

    it('holds retries as well', () => {
      const pause$ = concat(
        of(false),
        timer(5).pipe(map(() => true)),
        timer(100).pipe(map(() => false)),
      );
      const { times } = virtualCrawl(
        { '/': { latency: 4, fail: ['connection-reset', null] } },
        { strategy: strategy(2), pause$, retry: (attempt) => (attempt === 1 ? 10 : null) },
      );
      const second = startTimes(times('start'))[1]!;
      expect(second).toBe(105);
    });

    it('holds what has waited for its host meanwhile', () => {
      const pause$ = concat(
        of(false),
        timer(15).pipe(map(() => true)),
        timer(100).pipe(map(() => false)),
      );
      const { times, stats } = virtualCrawl(wide, { strategy: strategy(4), pause$, delay: 12 });
      expect(startTimes(times('start')).filter((at) => at > 15 && at < 115)).toEqual([]);
      expect(stats.done).toBe(11);
    });

    it('ends a paused crawl on unsubscribe', () => {
      const { site, events } = virtualCrawl(wide, {
        strategy: strategy(2),
        pause$: concat(of(true), NEVER),
        run: { until: 50 },
      });
      expect(site.requests).toBe(0);
      expect(events.map(({ type }) => type)).toEqual(['found']);
    });

    it('errors the crawl if it errors itself', () => {
      const error = new Error('switch broken');
      const pause$ = concat(
        timer(15).pipe(map(() => false)),
        throwError(() => error),
      );
      expect(() => virtualCrawl(wide, { strategy: strategy(2), pause$ })).toThrow('switch broken');
    });
  });

  describe('stop$', () => {
    it('starts nothing new, skips what waits, and lets what runs finish', () => {
      const { times, events, stats, site } = virtualCrawl(wide, {
        strategy: strategy(2),
        stop$: timer(15),
      });
      expect(site.requests).toBe(3);
      expect(times('done')).toEqual(['10 done /', '20 done /0', '20 done /1']);
      expect(reasons(events)).toEqual(Array<string>(8).fill('stopped'));
      expect(stats).toMatchObject({ done: 3, skipped: 8, admitted: 11 });
    });

    it('skips what running pages still find', () => {
      const { events, stats } = virtualCrawl(wide, { strategy: strategy(2), stop$: timer(5) });
      expect(stats).toMatchObject({ done: 1, skipped: 10 });
      expect(new Set(reasons(events))).toEqual(new Set(['stopped']));
    });

    it('aborts what still runs when the time to drain is over', () => {
      const { times, stats, site } = virtualCrawl(
        (url) => (url.endsWith('/slow') ? { latency: 60_000 } : { links: ['/slow'] }),
        { strategy: strategy(2), stop$: timer(5), drain: 100 },
      );
      expect(times('failure')).toEqual(['105 fail /slow aborted']);
      expect(site.aborted).toBe(1);
      expect(stats).toMatchObject({ done: 1, failed: 1 });
    });

    it('aborts after 10 s by default, and fires the signal of handlers', () => {
      let fired = -1;
      const { times } = virtualCrawl(
        { '/': {} },
        {
          strategy: strategy(2),
          stop$: timer(5),
          handle: (_page, { signal }) => {
            signal.addEventListener('abort', () => (fired = 1));
            return NEVER;
          },
        },
      );
      expect(times('failure')).toEqual(['10005 fail / aborted']);
      expect(fired).toBe(1);
    });

    it('waits for ever with a drain of Infinity', () => {
      const { times } = virtualCrawl(
        { '/': { latency: 9e7 } },
        { strategy: strategy(2), stop$: timer(5), drain: Infinity },
      );
      expect(times('done')).toEqual(['90000000 done /']);
    });

    it('aborts at once with a drain of 0', () => {
      const { times } = virtualCrawl(wide, { strategy: strategy(2), stop$: timer(15), drain: 0 });
      expect(times('failure')).toEqual(['15 fail /0 aborted', '15 fail /1 aborted']);
    });

    it('skips a request that waits for its retry', () => {
      const { times, stats } = virtualCrawl(
        { '/': { fail: 'connection-reset' } },
        { strategy: strategy(2), retry: () => 1_000, stop$: timer(500) },
      );
      expect(times('retry', 'skip', 'failure')).toEqual([
        '0 retry / #1 connection-reset 1000ms',
        '500 skip / stopped',
      ]);
      expect(stats.skipped).toBe(1);
    });

    it.each([0, 1, 1_000])(
      'skips what fails while it drains and would be tried again in %i ms',
      (ms) => {
        const { site, times, stats } = virtualCrawl(
          { '/': { fail: 'connection-reset', latency: 10 } },
          { strategy: strategy(2), retry: () => ms, stop$: timer(5), drain: Infinity },
        );
        expect(times('start', 'retry', 'skip', 'failure')).toEqual([
          '0 start /',
          `10 retry / #1 connection-reset ${ms}ms`,
          '10 skip / stopped',
        ]);
        expect(site.requests).toBe(1);
        expect(stats.skipped).toBe(1);
      },
    );

    it('asks a host that is in its gap for nothing more', () => {
      const { site, stats } = virtualCrawl(
        (url) => (url === `${ORIGIN}/` ? { links: ['/1', '/2', '/3', '/4'] } : {}),
        { strategy: strategy(4), delay: 1_000, jitter: 0, perHost: 4, stop$: timer(500) },
      );
      expect(site.started).toEqual([`${ORIGIN}/`]);
      expect(stats).toMatchObject({ done: 1, skipped: 4 });
    });

    it('fetches nothing if it emits at once, and completes', () => {
      const { site, events } = virtualCrawl(wide, { strategy: strategy(2), stop$: of('now') });
      expect(site.requests).toBe(0);
      expect(events).toEqual([]);
    });

    it('cuts seeds off, also those that never end', () => {
      let closed = false;
      function* endless() {
        try {
          for (let i = 0; ; i++) yield `${ORIGIN}/${i}`;
        } finally {
          closed = true;
        }
      }
      const { stats } = virtualCrawl(wide, {
        strategy: strategy(2),
        seeds: endless(),
        stop$: timer(25),
      });
      expect(stats.done).toBe(6);
      expect(closed).toBe(true);
    });

    it('loses nothing if an event sets it off', () => {
      for (const type of ['found', 'start', 'page', 'done'] as const) {
        const stop$ = new Subject<void>();
        const events: CrawlEvent[] = [];
        const site = virtualSite(wide);
        const crawl$ = crawl({
          fetcher: site.fetcher,
          parse: virtualPage,
          handle: (page) => page.follow(),
          strategy: strategy(2),
          delay: 0,
          stop$,
        })(`${ORIGIN}/`).pipe(
          tap((event) => {
            events.push(event);
            if (event.type === type) stop$.next();
          }),
        );
        runToEnd(crawl$);
        expectConservation(events);
      }
    });

    it('is taken into account while paused', () => {
      const { stats } = virtualCrawl(wide, {
        strategy: strategy(2),
        pause$: concat(of(true), NEVER),
        stop$: timer(20),
      });
      expect(stats).toMatchObject({ done: 0, skipped: 1 });
    });
  });

  describe('a live width', () => {
    const widths = (...steps: [at: number, width: number][]) =>
      concat(
        ...steps.map(([at, width], i) => of(width).pipe(delay(at - (steps[i - 1]?.[0] ?? 0)))),
      );
    const many = (url: string) =>
      url === `${ORIGIN}/`
        ? { links: Array.from({ length: 60 }, (_, i) => `/${i}`) }
        : { latency: 10 };
    const widthAt = (lines: readonly string[]) => (at: number) => {
      let running = 0;
      for (const line of lines) {
        if (Number(line.split(' ')[0]) > at) break;
        running += line.includes(' start ') ? 1 : -1;
      }
      return running;
    };

    it('goes up at once, and down as soon as what runs is done', () => {
      const { times, stats } = virtualCrawl(many, {
        strategy: strategy(widths([0, 2], [35, 6], [72, 1])),
      });
      const running = widthAt(times('start', 'done'));
      expect([5, 34, 36, 70, 74].map(running)).toEqual([2, 2, 6, 6, 6]);
      expect([86, 120, 300].map(running)).toEqual([1, 1, 1]);
      expect(stats.done).toBe(61);
    });

    it('may be 0 for a while', () => {
      const { times, stats } = virtualCrawl(many, {
        strategy: strategy(widths([0, 2], [15, 0], [100, 2])),
      });
      const running = widthAt(times('start', 'done'));
      expect([5, 25, 99, 101].map(running)).toEqual([2, 0, 0, 2]);
      expect(stats.done).toBe(61);
    });

    it('may come late, and from a subject that lives longer', () => {
      const width$ = new BehaviorSubject(3);
      const { stats, site } = virtualCrawl(many, { strategy: strategy(width$) });
      expect(stats.done).toBe(61);
      expect(site.maxInFlight).toBe(3);
      expect(width$.observed).toBe(false);
    });

    it.each([-1, 1.5, NaN, Infinity, '4'])('of %s errors the crawl', (wrong) => {
      const width$ = concat(of(2), timer(15).pipe(map(() => wrong as number)));
      expect(() => virtualCrawl(many, { strategy: strategy(width$) })).toThrow(
        /(workers|concurrency): expected a whole number of at least 0, got/,
      );
    });
  });

  describe('a stop', () => {
    it.each([
      [[{ drainMs: 1_000 }, { drainMs: 0 }], 50],
      [[undefined, { drainMs: 5 }], 55],
      [[undefined, undefined], 115],
    ])('with the values %j aborts at %d', (wishes, at) => {
      const [first, second] = wishes;
      const stop$ = concat(timer(15).pipe(map(() => first)), timer(35).pipe(map(() => second)));
      const slow = { '/': { links: ['/a', '/b', '/c'], latency: 10 }, '/a': { latency: 500 } };
      const { times } = virtualCrawl(slow, { strategy: strategy(1), stop$, drain: 100 });
      expect(times('failure')).toEqual([`${at} fail /a aborted`]);
    });
  });

  describe('maxPages', () => {
    const endless = (url: string) => {
      const at = Number(url.split('/').at(-1));
      return { latency: 1 + (at % 5), links: [1, 2, 3].map((i) => `/${at * 3 + i}`) };
    };
    const seeds = `${ORIGIN}/0`;

    it.each([1, 2, 3, 8, 50])('is exact with a width of %i', (width) => {
      for (const maxPages of [1, 2, 10, 57]) {
        const { stats, site } = virtualCrawl(endless, {
          strategy: strategy(width),
          seeds,
          maxPages,
          maxDepth: Infinity,
        });
        expect(site.requests).toBe(maxPages);
        expect(stats.done).toBe(maxPages);
        expect(stats.byReason['max-pages']).toBe(stats.admitted - maxPages);
      }
    });

    it('counts failures, and not the retries of a page', () => {
      const { stats } = virtualCrawl(
        (url) => ({ ...endless(url), fail: ['connection-reset', null] }),
        {
          strategy: strategy(4),
          seeds,
          maxPages: 10,
          retry: (attempt) => (attempt < 3 ? 5 : null),
        },
      );
      expect(stats).toMatchObject({ done: 10, retries: 10 });
      const failing = virtualCrawl(
        (url) => (url.endsWith('/0') ? endless(url) : { ...endless(url), fail: 'truncated' }),
        { strategy: strategy(4), seeds, maxPages: 3 },
      );
      expect(failing.stats).toMatchObject({ done: 1, failed: 2 });
    });

    it('gives the start of a refused request to another', () => {
      const site = virtualSite(endless);
      const refusing: Fetcher = (request, context) =>
        Number(request.url.split('/').at(-1)) % 2 === 1
          ? timer(2).pipe(
              map(() => {
                throw new RequestRefused('robots', 'denied');
              }),
            )
          : site.fetcher(request, context);
      for (const width of [1, 2, 3, 8]) {
        const { stats } = virtualCrawl(endless, {
          strategy: strategy(width),
          fetcher: refusing,
          seeds,
          maxPages: 10,
          maxDepth: Infinity,
        });
        expect(stats.done).toBe(10);
        expect(stats.byReason.robots).toBeGreaterThan(0);
      }
    });

    it('loses no start where requests that wait for one are refused at once', () => {
      const site = virtualSite(() => ({ latency: 1 }));
      const refuse = (): never => {
        throw new RequestRefused('robots', 'denied');
      };
      for (const width of [2, 3, 5, 8]) {
        const refusing: Fetcher = (request, context) => {
          const at = Number(request.url.split('/').at(-1));
          if (at === 0) return timer(5).pipe(map(refuse));
          return at < 4 ? refuse() : site.fetcher(request, context);
        };
        const { stats } = virtualCrawl(() => ({}), {
          strategy: strategy(width),
          fetcher: refusing,
          seeds: Array.from({ length: 6 }, (_, i) => `${ORIGIN}/${i}`),
          maxPages: 1,
        });
        expect(stats, String(width)).toMatchObject({ done: 1, skipped: 5 });
      }
    });

    it('ends a crawl that has fewer pages', () => {
      const { stats } = virtualCrawl(wide, { strategy: strategy(4), maxPages: 100 });
      expect(stats).toMatchObject({ done: 11, skipped: 0 });
    });

    it('counts a page with its redirects once', () => {
      const { stats } = virtualCrawl(
        (url) => (url.includes('/to/') ? {} : { redirect: url.replace('example/', 'example/to/') }),
        {
          strategy: strategy(2),
          seeds: Array.from({ length: 9 }, (_, i) => `${ORIGIN}/${i}`),
          maxPages: 4,
        },
      );
      expect(stats).toMatchObject({ done: 4, redirects: 4 });
    });

    it('cuts endless seeds off, and closes them', () => {
      let closed = false;
      function* numbers() {
        try {
          for (let i = 0; ; i++) yield `${ORIGIN}/${i}`;
        } finally {
          closed = true;
        }
      }
      const { stats } = virtualCrawl(() => ({ latency: 1 }), {
        strategy: strategy(4),
        seeds: numbers(),
        maxPages: 7,
      });
      expect(stats.done).toBe(7);
      expect(closed).toBe(true);
    });
  });
});
