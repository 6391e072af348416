import { concat, from, lastValueFrom, of, take, throwError, timer, toArray } from 'rxjs';
import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlEvent,
  request,
  type SeedInput,
  type Seeds,
} from '../../src/core/index.js';
import { runToEnd, virtualPage, virtualSite } from '../../src/testing/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const URLS = [`${ORIGIN}/a`, `${ORIGIN}/b`];
const ok = () => ({});

describe.each(STRATEGIES)('seeds under %s', (_name, strategy) => {
  const done = (seeds: Seeds) => {
    const { stats, events } = virtualCrawl(ok, { strategy: strategy(2), seeds });
    expect(stats.waiting).toBe(0);
    return events.flatMap((event) => (event.type === 'done' ? [event.url] : []));
  };

  it.each<[string, Seeds]>([
    ['an array', URLS],
    ['a set', new Set(URLS)],
    ['the keys of a map', new Map(URLS.map((url) => [url, 1])).keys()],
    ['an Observable', from(URLS)],
    ['URL objects', URLS.map((url) => new URL(url))],
    ['requests', URLS.map((url) => request(url))],
    ['a mixture', [URLS[0]!, request(URLS[1]!)]],
    [
      'a generator',
      (function* () {
        yield* URLS;
      })(),
    ],
    ['an Observable that is late', concat(of(URLS[0]!), timer(99).pipe(map(() => URLS[1]!)))],
  ])('may be %s', (_what, seeds) => {
    expect(done(seeds)).toEqual(URLS);
  });

  it.each<[string, Seeds]>([
    ['one text', URLS[0]!],
    ['one URL', new URL(URLS[0]!)],
    ['one request', request(URLS[0]!)],
  ])('may be %s', (_what, seeds) => {
    expect(done(seeds)).toEqual([URLS[0]]);
  });

  it.each<[string, () => Seeds]>([
    ['a promise', () => Promise.resolve(URLS[0]!)],
    [
      'an async generator',
      async function* () {
        await Promise.resolve();
        yield* URLS;
      },
    ],
    ['a stream of the web', () => ReadableStream.from(URLS)],
  ])('may be %s', async (_what, seeds) => {
    const site = virtualSite(ok);
    const crawl$ = crawl({ fetcher: site.fetcher, parse: virtualPage, delay: 0 })(seeds());
    await lastValueFrom(crawl$);
    expect(site.started).toEqual(URLS.slice(0, site.requests));
    expect(site.requests).toBeGreaterThan(0);
  });

  it.each<[string, unknown]>([
    ['an empty text', ''],
    ['a text that is no URL', 'not a url'],
    ['a relative URL', '/a'],
    ['null', null],
    ['undefined', undefined],
    ['a number', 42],
    ['an object', { href: URLS[0] }],
    ['a list', [URLS[0]]],
    ['a symbol', Symbol('seed')],
  ])('that are %s are skipped as invalid, and the others run', (_what, bad) => {
    const { events, stats } = virtualCrawl(ok, {
      strategy: strategy(2),
      seeds: [bad, URLS[0]] as SeedInput[],
    });
    expect(events.filter(({ type }) => type === 'skip')).toMatchObject([
      { reason: 'invalid-url', admitted: false, depth: 0, referrer: undefined },
    ]);
    expect(stats).toMatchObject({ done: 1, skipped: 1 });
  });

  it.each([
    ['ftp', 'scheme', 'ftp', 'ftp://a.example/'],
    ['mail', 'scheme', 'mailto', 'mailto:a@b.example'],
    ['scripts', 'scheme', 'javascript', 'javascript:alert(1)'],
    ['very long ones', 'url-too-long', '9018 characters', `${ORIGIN}/${'x'.repeat(9_000)}`],
    ['duplicates', 'duplicate', undefined, `${URLS[0]!}#again`],
  ])('such as %s are skipped as %s', (_what, reason, detail, bad) => {
    const { events, stats } = virtualCrawl(ok, { strategy: strategy(2), seeds: [URLS[0]!, bad] });
    expect(events.filter(({ type }) => type === 'skip')).toMatchObject([{ reason, detail }]);
    expect(stats.done).toBe(1);
  });

  it('out of scope are skipped', () => {
    const { events } = virtualCrawl(ok, {
      strategy: strategy(2),
      seeds: URLS,
      scope: ({ url }) => url.endsWith('/a'),
    });
    expect(events.filter(({ type }) => type === 'skip')).toMatchObject([
      { reason: 'scope', url: URLS[1] },
    ]);
  });

  describe('look-ahead', () => {
    /** Endless seeds, and how many of them were asked for. */
    const counted = (urlOf = (i: number) => `${ORIGIN}/${i}`) => {
      const seen = { asked: 0, closed: false };
      function* seeds() {
        try {
          for (;;) yield urlOf(seen.asked++);
        } finally {
          seen.closed = true;
        }
      }
      return { seen, seeds };
    };

    it.each([undefined, 1, 5])('of %s is kept', (seedLookahead) => {
      const { seen, seeds } = counted();
      let ahead = 0;
      const site = virtualSite(() => ({ latency: 10 }));
      const crawl$ = crawl({
        fetcher: site.fetcher,
        strategy: strategy(2),
        delay: 0,
        perHost: Infinity,
        ...(seedLookahead !== undefined && { seedLookahead }),
      })(seeds()).pipe(
        map((event: CrawlEvent) => {
          const ended = site.requests - site.inFlight;
          ahead = Math.max(ahead, seen.asked - ended);
          return event;
        }),
      );
      runToEnd(crawl$, { until: 500 });
      expect(ahead).toBeLessThanOrEqual((seedLookahead ?? 64) + 1);
      expect(ahead).toBeGreaterThanOrEqual(seedLookahead ?? 64);
      expect(seen.closed).toBe(true);
    });

    it('counts what pages have found', () => {
      const { seen, seeds } = counted();
      const links = Array.from({ length: 100 }, (_, i) => `/link/${i}`);
      const { site } = virtualCrawl(() => ({ latency: 10, links }), {
        strategy: strategy(1),
        seeds: seeds(),
        seedLookahead: 8,
        run: { until: 95 },
      });
      expect(site.requests).toBe(10);
      expect(seen.asked).toBe(8);
    });

    it('lets the crawl go on while seeds that lead to nothing are asked for', () => {
      const { seen, seeds } = counted((i) => (i === 0 ? `${ORIGIN}/first` : `${ORIGIN}/same`));
      const { times } = virtualCrawl(() => ({ latency: 3 }), {
        strategy: strategy(2),
        seeds: seeds(),
        run: { until: 20, maxActions: 1e6 },
      });
      expect(times('done')).toEqual(['3 done /first', '3 done /same']);
      expect(seen.asked).toBeGreaterThan(1_000);
    });

    it('is no limit for an Observable, which pushes as it likes', () => {
      const { stats } = virtualCrawl(ok, {
        strategy: strategy(2),
        seeds: from(Array.from({ length: 300 }, (_, i) => `${ORIGIN}/${i}`)),
        seedLookahead: 1,
      });
      expect(stats.done).toBe(300);
    });

    it('closes the iterator when the crawl is unsubscribed', () => {
      const { seen, seeds } = counted();
      const site = virtualSite(ok);
      runToEnd(
        crawl({ fetcher: site.fetcher, strategy: strategy(2), delay: 0 })(seeds()).pipe(take(9)),
      );
      expect(seen.closed).toBe(true);
      expect(seen.asked).toBeLessThan(80);
    });
  });

  it.each<[string, () => Seeds]>([
    [
      'a generator that throws',
      function* () {
        yield URLS[0]!;
        throw new Error('no more');
      },
    ],
    [
      'an Observable that errors',
      () =>
        concat(
          of(URLS[0]!),
          throwError(() => new Error('no more')),
        ),
    ],
  ])('from %s error the crawl', (_what, seeds) => {
    expect(() => virtualCrawl(ok, { strategy: strategy(2), seeds: seeds() })).toThrow('no more');
  });

  it.each<[string, () => Seeds]>([
    ['a promise that rejects', () => Promise.reject(new Error('no more'))],
    [
      'an async generator that throws',
      async function* () {
        yield URLS[0]!;
        throw new Error('no more');
      },
    ],
    [
      'an async iterator that throws at once',
      () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            throw new Error('no more');
          },
        }),
      }),
    ],
  ])('from %s error the crawl', async (_what, seeds) => {
    const site = virtualSite(ok);
    const crawl$ = crawl({ fetcher: site.fetcher, strategy: strategy(2), delay: 0 })(seeds());
    await expect(lastValueFrom(crawl$.pipe(toArray()))).rejects.toThrow('no more');
  });

  it.each<[string, unknown]>([
    ['an iterator', { [Symbol.iterator]: () => ({ next: () => 5 }) }],
    ['an async iterator', { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(5) }) }],
  ])('from %s that gives no results error the crawl', async (_what, seeds) => {
    const site = virtualSite(ok);
    const options = { fetcher: site.fetcher, strategy: strategy(2), delay: 0 };
    const events = lastValueFrom(crawl(options)(seeds as Seeds).pipe(toArray()));
    await expect(events).rejects.toThrow("expected an iterator's result, got 5");
  });

  it('from an async generator are closed on unsubscribe', async () => {
    let closed = false;
    async function* seeds() {
      try {
        for (let i = 0; ; i++) yield `${ORIGIN}/${i}`;
      } finally {
        closed = true;
      }
    }
    const site = virtualSite(ok);
    const crawl$ = crawl({ fetcher: site.fetcher, strategy: strategy(2), delay: 0 })(seeds());
    await lastValueFrom(crawl$.pipe(take(20)));
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(closed).toBe(true);
  });

  it('are opened anew for each subscription', () => {
    const site = virtualSite(ok);
    const crawl$ = crawl({ fetcher: site.fetcher, strategy: strategy(2), delay: 0 })(URLS);
    runToEnd(crawl$);
    runToEnd(crawl$);
    expect(site.started).toEqual([...URLS, ...URLS]);
  });
});

it.each([5, null, undefined, true, {}, () => URLS])(
  'a crawl refuses to start from %s, when it is called',
  (wrong) => {
    const run = crawl({ fetcher: virtualSite(ok).fetcher });
    expect(() => run(wrong as Seeds)).toThrow(TypeError);
    expect(() => run(wrong as Seeds)).toThrow(/crawl: seeds: expected .*, got /);
  },
);
