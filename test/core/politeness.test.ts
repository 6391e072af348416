import fc from 'fast-check';
import {
  asyncScheduler,
  defer,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  Observable,
  tap,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawl,
  CrawlError,
  type CrawlOptions,
  HostGate,
  holdHosts,
  pipeFetcher,
  polite,
  queued,
  request,
  roundRobinByHost,
  simple,
  type Strategy,
} from '../../src/core/index.js';
import { obeyRobots } from '../../src/fetch/index.js';
import {
  type PageSpec,
  randomSite,
  runToEnd,
  type SiteVisit,
  virtualPage,
  type VirtualPage,
  type VirtualSite,
  virtualSite,
} from '../../src/testing/index.js';

const hostOf = ({ url }: SiteVisit): string => new URL(url).host;

/** Crawls everything that is linked, and gives the time of the last event, ms. */
function crawlAll(
  site: VirtualSite,
  seeds: Iterable<string>,
  options: Partial<CrawlOptions<never, VirtualPage>>,
): number {
  const events = runToEnd(
    crawl<never, VirtualPage>({
      fetcher: site.fetcher,
      parse: virtualPage,
      handle: (page) => page.follow(),
      scope: () => true,
      maxLinksPerPage: Infinity,
      jitter: 0,
      ...options,
    })(seeds).pipe(filter(({ type }) => type === 'done' || type === 'failure')),
    { maxActions: 10_000_000 },
  );
  return events.at(-1)?.at ?? 0;
}

/** Breaks of the limits, as a site has seen them. */
function breaksOf(log: readonly SiteVisit[], delay: number, perHost: number): string[] {
  const breaks: string[] = [];
  for (const host of new Set(log.map(hostOf))) {
    const each = log.filter((visit) => hostOf(visit) === host).sort((a, b) => a.at - b.at);
    for (const [index, { at }] of each.entries()) {
      const before = each[index - 1];
      if (before && at - before.at < delay) breaks.push(`${host}: ${at - before.at} ms apart`);
      const open = each.filter((one) => one.at <= at && (one.endedAt ?? Infinity) > at).length;
      if (open > perHost) breaks.push(`${host}: ${open} at once`);
    }
  }
  return breaks;
}

const strategies: [string, (width: number) => Strategy][] = [
  ['simple', (width) => simple(width)],
  ['queued', (width) => queued(width)],
  ['queued in turn', (width) => queued(width, { order: roundRobinByHost() })],
];

describe.each(strategies)('politeness under %s', (_name, strategy) => {
  it('keeps gap and width at each host, with retries, redirects and robots.txt counted', () => {
    const shape = fc.record({
      seed: fc.integer({ min: 0, max: 1_000_000 }),
      width: fc.integer({ min: 1, max: 12 }),
      delay: fc.integer({ min: 0, max: 20 }),
      perHost: fc.integer({ min: 1, max: 3 }),
      robots: fc.boolean(),
    });
    fc.assert(
      fc.property(shape, ({ seed, width, delay, perHost, robots }) => {
        const { pages, seeds } = randomSite(seed, { pages: 25, hosts: 3, maxLatency: 30 });
        const site = virtualSite(pages);
        crawlAll(site, seeds, {
          strategy: strategy(width),
          delay,
          perHost,
          decorators: robots ? [obeyRobots({ userAgent: 'bot/1.0' })] : [],
        });
        expect(breaksOf(site.log, delay, perHost)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps gap and width for all hosts of one politeness key together', () => {
    const urls = Array.from(
      { length: 30 },
      (_, n) => `https://h${n % 3}.${n % 2 ? 'a' : 'b'}.test/${n}`,
    );
    const site = virtualSite(() => ({ latency: 25 }));
    crawlAll(site, urls, {
      strategy: strategy(8),
      delay: 10,
      perHost: 2,
      hostKey: (url) => new URL(url).host.slice(3),
    });
    const byKey = site.log.map((visit) => ({ ...visit, url: visit.url.replace(/h\d\./, '') }));
    expect(new Set(byKey.map(hostOf))).toEqual(new Set(['a.test', 'b.test']));
    expect(breaksOf(byKey, 10, 2)).toEqual([]);
    // One key does not wait for the other: 15 requests of each, two of them in 25 ms.
    expect(Math.max(...site.log.map(({ at }) => at))).toBeLessThan(200);
  });

  it('keeps the Crawl-delay of a host from its robots.txt on', () => {
    const urls = [1, 2, 3].map((n) => `https://a.example/${n}`);
    const site = virtualSite({
      ...Object.fromEntries(urls.map((url): [string, PageSpec] => [url, { latency: 10 }])),
      'https://a.example/robots.txt': { body: 'User-agent: *\nCrawl-delay: 2', latency: 10 },
    });
    crawlAll(site, urls, {
      strategy: strategy(16),
      delay: 100,
      perHost: 16,
      decorators: [obeyRobots({ userAgent: 'bot/1.0' })],
    });
    expect(site.log.map(({ at }) => at)).toEqual([0, 2_000, 4_000, 6_000]);
  });

  it.each([0, 100])(
    'counts a Crawl-delay from when robots.txt went out, with a delay of %i',
    (delay) => {
      const urls = [1, 2, 3].map((n) => `https://a.example/${n}`);
      const site = virtualSite({
        ...Object.fromEntries(urls.map((url): [string, PageSpec] => [url, { latency: 10 }])),
        'https://a.example/robots.txt': { body: 'User-agent: *\nCrawl-delay: 2', latency: 10 },
      });
      crawlAll(site, urls, {
        fetcher: (sent, context) =>
          defer(() => {
            context?.opening?.();
            // Its connection takes 300 ms to open, those of the pages none.
            return timer(sent.url.endsWith('/robots.txt') ? 300 : 0).pipe(
              mergeMap(() => {
                context?.sent?.();
                return site.fetcher(sent, context);
              }),
            );
          }),
        strategy: strategy(16),
        delay,
        perHost: 16,
        decorators: [obeyRobots({ userAgent: 'bot/1.0' })],
      });
      expect(site.log.map(({ at }) => at)).toEqual([300, 2_300, 4_300, 6_300]);
    },
  );

  it('keeps delay and Crawl-delay through pauses, redirects, slow robots.txt and slow connections', () => {
    const times = fc.array(fc.constantFrom(undefined, 0, 30, 1_500), { minLength: 1 });
    fc.assert(
      fc.property(
        fc.record({
          width: fc.integer({ min: 1, max: 6 }),
          delay: fc.constantFrom(0, 20, 500),
          perHost: fc.integer({ min: 1, max: 4 }),
          asked: fc.integer({ min: 0, max: 3 }),
          connect: times,
          latency: times,
          redirected: fc.array(fc.boolean(), { minLength: 1 }),
          pauses: fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 4 }),
        }),
        ({ width, delay, perHost, asked, connect, latency, redirected, pauses }) => {
          const urls = Array.from({ length: 6 }, (_, n) => `https://h${n % 2}.example/${n}`);
          const nth = <T>(list: readonly T[], url: string): T | undefined =>
            list[(url.endsWith('.txt') ? 0 : Number(url.at(-1)) + 1) % list.length];
          const site = virtualSite((url) => ({
            latency: nth(latency, url) ?? 0,
            body: asked === 0 ? '' : `User-agent: *\nCrawl-delay: ${asked}`,
            ...(/\/\d$/.test(url) &&
              nth(redirected, url) && { redirect: `${url}/to/${url.at(-1)}` }),
          }));
          crawlAll(site, urls, {
            fetcher: (sent, context) =>
              defer(() => {
                const ms = nth(connect, sent.url);
                if (ms === undefined) return site.fetcher(sent, context);
                context?.opening?.();
                return timer(ms).pipe(
                  tap(() => context?.sent?.()),
                  mergeMap(() => site.fetcher(sent, context)),
                );
              }),
            pause$: merge(
              ...pauses.map((at) => timer(at).pipe(map(() => true))),
              timer(3_000).pipe(map(() => false)),
              timer(6_000).pipe(map(() => false)),
            ),
            strategy: strategy(width),
            delay,
            perHost,
            decorators: [obeyRobots({ userAgent: 'bot/1.0' })],
          });
          expect(site.log.length).toBeGreaterThanOrEqual(8);
          expect(breaksOf(site.log, Math.max(delay, asked * 1_000), perHost)).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([1, 2, 3, 4])('keeps the gap behind a slow robots.txt, %i at a time', (perHost) => {
    const urls = Array.from({ length: 5 }, (_, n) => `https://a.example/${n}`);
    const site = virtualSite((url) => ({
      latency: url.endsWith('/robots.txt') ? 3_000 : 10,
      body: '',
    }));
    crawlAll(site, urls, {
      strategy: strategy(8),
      delay: 500,
      perHost,
      decorators: [obeyRobots({ userAgent: 'bot/1.0' })],
    });
    expect(site.log.map(({ at }) => at)).toEqual([0, 3_000, 3_500, 4_000, 4_500, 5_000]);
  });

  it('asks a new host for robots.txt once, before any of 100 pages', () => {
    const urls = Array.from({ length: 100 }, (_, n) => `https://a.example/${n}`);
    const site = virtualSite({
      ...Object.fromEntries(urls.map((url): [string, PageSpec] => [url, { latency: 1 }])),
      'https://a.example/robots.txt': { body: 'User-agent: *\nDisallow: /5', latency: 50 },
    });
    crawlAll(site, urls, {
      strategy: strategy(16),
      delay: 0,
      perHost: 16,
      decorators: [obeyRobots({ userAgent: 'bot/1.0' })],
    });
    const asked = site.log.map(({ url }) => new URL(url).pathname);
    expect(asked[0]).toBe('/robots.txt');
    expect(asked.filter((path) => path === '/robots.txt')).toHaveLength(1);
    expect(asked.filter((path) => path.startsWith('/5'))).toEqual([]);
    expect(Math.min(...site.log.slice(1).map(({ at }) => at))).toBeGreaterThanOrEqual(50);
  });
});

describe('fairness under queued', () => {
  it('lets no worker be taken by a host that is held', () => {
    const held = Array.from({ length: 50 }, (_, n) => `https://held.example/${n}`);
    const free = Array.from({ length: 50 }, (_, n) => `https://free.example/${n}`);
    const spec = (url: string): PageSpec =>
      url.includes('held')
        ? { status: [429, 200], headers: { 'retry-after': '100' } }
        : { latency: 10 };
    const site = virtualSite(spec);
    crawlAll(site, [...held, ...free], {
      strategy: queued(2),
      delay: 0,
      perHost: 2,
      seedLookahead: 1_000,
    });
    const lastFree = Math.max(
      ...site.log.filter(({ url }) => url.includes('free')).map(({ at }) => at),
    );
    expect(lastFree).toBeLessThan(300);
  });

  it('lets one worker alone wait for a host whose connections do not open', () => {
    const dead = Array.from({ length: 20 }, (_, n) => `https://dead.example/${n}`);
    const free = Array.from({ length: 50 }, (_, n) => `https://free.example/${n}`);
    const site = virtualSite(() => ({ latency: 10 }));
    let waiting = 0;
    let most = 0;
    crawlAll(site, [...dead, ...free], {
      fetcher: (sent, context) => {
        if (!sent.url.includes('dead')) return site.fetcher(sent, context);
        return defer(() => {
          context?.opening?.();
          most = Math.max(most, (waiting += 1));
          return timer(10_000).pipe(
            map(() => {
              throw new CrawlError('timeout-connect', 'too late');
            }),
            finalize(() => (waiting -= 1)),
          );
        });
      },
      strategy: queued(2),
      delay: 10,
      perHost: 2,
      retry: () => null,
      seedLookahead: 1_000,
    });
    expect(most).toBe(1);
    expect(Math.max(...site.log.map(({ at }) => at))).toBeLessThan(1_500);
  });

  it('costs others under 10 % that one host of 10,000 is slow', () => {
    const time = (slow: boolean): number => {
      const site = virtualSite((url) => ({ latency: slow && url.includes('h7.') ? 60_000 : 20 }));
      const urls = Array.from({ length: 10_000 }, (_, n) => `https://h${n}.example/`);
      crawlAll(site, urls, { strategy: queued(16), delay: 500, perHost: 2, seedLookahead: 20_000 });
      const others = site.log.filter(({ url }) => !url.includes('h7.'));
      return Math.max(...others.map(({ endedAt }) => endedAt ?? Infinity));
    };
    expect(time(true)).toBeLessThan(time(false) * 1.1);
  });

  it('ends 99 small hosts in time beside one of 10,000 URLs', () => {
    const big = Array.from({ length: 10_000 }, (_, n) => `https://big.example/${n}`);
    const small = Array.from({ length: 990 }, (_, n) => `https://s${n % 99}.example/${n}`);
    const time = (urls: string[]): number => {
      const site = virtualSite(() => ({ latency: 20 }));
      crawlAll(site, urls, { strategy: queued(16), delay: 50, perHost: 2, seedLookahead: 20_000 });
      const ends = site.log
        .filter(({ url }) => !url.includes('big'))
        .map(({ endedAt }) => endedAt ?? Infinity);
      return Math.max(...ends);
    };
    expect(time([...big, ...small])).toBeLessThan(time(small) * 3);
  });
});

describe('a soak over 100,000 hosts', () => {
  it('leaves little behind at gate, holds and robots', () => {
    const site = virtualSite(
      (url) => {
        const bad = Number(/h(\d+)/.exec(url)?.[1]) % 10;
        if (bad === 1) return { status: 503 };
        return bad === 2 ? { fail: 'connection-refused' } : {};
      },
      { log: false },
    );
    let size = 0;
    const events = runToEnd(
      new Observable<number>((subscriber) => {
        const gate = new HostGate({ delay: 10, perHost: 2, scheduler: asyncScheduler });
        const fetcher = pipeFetcher(
          site.fetcher,
          holdHosts(gate, { stallLimit: 1_000 }),
          polite(gate),
          obeyRobots({ userAgent: 'bot/1.0', maxOrigins: 1_000 }),
        );
        let n = 0;
        const next = (): void => {
          if (n === 100_000) {
            size = gate.size;
            subscriber.complete();
            return;
          }
          fetcher(request(`https://h${n}.example/`)).subscribe({ error: () => undefined });
          n += 1;
          subscriber.add(asyncScheduler.schedule(next, 1));
        };
        next();
      }),
      { maxActions: 10_000_000 },
    );
    expect(events).toEqual([]);
    expect(size).toBeLessThan(5_000);
  });
});
