import { describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlErrorCode,
  type CrawlEvent,
  type CrawlOptions,
  queued,
  simple,
  type Strategy,
} from '../../src/core/index.js';
import {
  briefFrom,
  type PageSpec,
  runToEnd,
  type SiteSpec,
  timeline,
  virtualPage,
  type VirtualPage,
  virtualSite,
  type VirtualSite,
} from '../../src/testing/index.js';

const BASE = 'https://a.example/';

interface Run {
  readonly site: VirtualSite;
  readonly events: { at: number; event: CrawlEvent }[];
}

function run(
  spec: SiteSpec,
  seeds: string[],
  options: Partial<CrawlOptions<never, VirtualPage>> = {},
): Run {
  const site = virtualSite(spec);
  const crawl$ = crawl<never, VirtualPage>({
    fetcher: site.fetcher,
    parse: virtualPage,
    handle: (page) => page.follow(),
    scope: () => true,
    delay: 0,
    perHost: Infinity,
    jitter: 0,
    ...options,
  })(seeds);
  return { site, events: runToEnd(crawl$) };
}

const lines = ({ events }: Run, ...types: string[]): string[] =>
  timeline(
    events.filter(({ event }) => types.includes(event.type)),
    briefFrom(BASE),
  );
const startsOf = ({ site }: Run, url: string): number[] =>
  site.log.filter((visit) => visit.url === url).map(({ at }) => at);

const throttled = (times: number, retryAfter?: string): PageSpec => ({
  status: [...Array.from({ length: times }, () => 429), 200],
  latency: 10,
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
});

const strategies: [string, Strategy][] = [
  ['simple', simple(8)],
  ['queued', queued(8)],
];

describe.each(strategies)('holdHosts under %s', (_name, strategy) => {
  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Thu, 01 Jan 1970 00:00:08 GMT', 7_990],
    ['nothing', undefined, 2_000],
    ['0, which counts as nothing', '0', 2_000],
    ['rubbish, which counts as nothing', 'soon', 2_000],
  ])('holds a host that answers 429 with %s', (_what, retryAfter, ms) => {
    const result = run({ [BASE]: throttled(1, retryAfter) }, [BASE], { strategy });
    expect(startsOf(result, BASE)).toEqual([0, 10 + ms]);
    expect(lines(result, 'hold', 'done', 'failure')).toEqual([
      `10 hold a.example ${ms}ms`,
      `${20 + ms} done /`,
    ]);
  });

  it('holds that host alone', () => {
    const result = run(
      {
        [BASE]: throttled(1, '60'),
        'https://b.example/': { links: ['/1'], latency: 10 },
        'https://b.example/1': [],
      },
      [BASE, 'https://b.example/'],
      { strategy },
    );
    expect(startsOf(result, 'https://b.example/1')).toEqual([10]);
  });

  it('takes a burst for one incident, and doubles with the next', () => {
    const urls = Array.from({ length: 8 }, (_, n) => `${BASE}${n}`);
    const result = run(Object.fromEntries(urls.map((url) => [url, throttled(2)])), urls, {
      strategy,
    });
    expect(lines(result, 'hold')).toEqual([
      '10 hold a.example 2000ms',
      '2020 hold a.example 4000ms',
    ]);
    for (const url of urls) expect(startsOf(result, url)).toEqual([0, 2010, 6020]);
  });

  it('begins anew after a good answer', () => {
    const result = run(
      { [BASE]: { ...throttled(1), links: ['/next'] }, [`${BASE}next`]: throttled(1) },
      [BASE],
      { strategy },
    );
    expect(lines(result, 'hold').map((line) => line.split(' ').at(-1))).toEqual([
      '2000ms',
      '2000ms',
    ]);
  });

  it('lets one page that always refuses keep its host from nothing', () => {
    const good = Array.from({ length: 200 }, (_, n): [string, PageSpec] => [
      `${BASE}${n}`,
      { latency: 20 },
    ]);
    for (const perHost of [1, 2, 8]) {
      const pages = Object.fromEntries([[BASE, { status: 503 }], ...good]);
      const { site, events } = run(pages, Object.keys(pages), { strategy, perHost });
      expect(events.at(-1)?.at).toBeLessThan(30_000);
      expect(site.log.filter(({ url }) => url === BASE)).toHaveLength(3);
    }
  });

  it('does not use up retries, but has a bound of its own', () => {
    const result = run({ [BASE]: throttled(99, '1') }, [BASE], {
      strategy,
      maxHolds: 4,
      retry: () => null,
    });
    expect(startsOf(result, BASE)).toHaveLength(5);
    const retries = result.events.flatMap(({ event }) => (event.type === 'retry' ? [event] : []));
    expect(retries.map(({ attempt, held }) => [attempt, held])).toEqual(Array(4).fill([1, true]));
    expect(lines(result, 'failure').join()).toMatch(/fail \/ http-status/);
  });

  it('gives up a host that asks for more than the cap, and ends its requests as deferred', () => {
    const result = run(
      {
        [BASE]: ['/slow', '/other'],
        [`${BASE}slow`]: throttled(9, '301'),
        [`${BASE}other`]: { latency: 500 },
      },
      [BASE, `${BASE}late`],
      { strategy, perHost: 1 },
    );
    expect(lines(result, 'skip')).toEqual(
      expect.arrayContaining([expect.stringMatching(/skip \/slow deferred/)]),
    );
    expect(startsOf(result, `${BASE}slow`)).toHaveLength(1);
  });

  it('ends a crawl of nothing but a stalled host after the stall limit', () => {
    const urls = [BASE, `${BASE}1`, `${BASE}2`];
    const result = run(Object.fromEntries(urls.map((url) => [url, throttled(999, '4')])), urls, {
      strategy,
      stallLimit: 30_000,
      maxHolds: 999,
    });
    expect(
      lines(result, 'skip')
        .map((line) => line.replace(/^\d+ /, ''))
        .sort(),
    ).toEqual(['skip / deferred', 'skip /1 deferred', 'skip /2 deferred']);
    expect(result.events.at(-1)?.at).toBeLessThanOrEqual(34_100);
  });

  it.each<[CrawlErrorCode, number]>([
    ['connection-refused', 10],
    ['dns-not-found', 10],
    ['timeout-tls', 10],
    ['tls-expired', 10],
    ['connection-reset', 12],
    ['proxy-failed', 12],
  ])('%s: after %i failures of 12', (fail, failures) => {
    const urls = Array.from({ length: 12 }, (_, n) => `${BASE}${n}`);
    const result = run(Object.fromEntries(urls.map((url) => [url, { fail }])), urls, {
      strategy: strategy === strategies[0]?.[1] ? simple(1) : queued(1),
      retry: () => null,
      maxHostFailures: 10,
    });
    expect(lines(result, 'failure')).toHaveLength(failures);
    expect(lines(result, 'skip')).toHaveLength(12 - failures);
    expect(result.site.requests).toBe(failures);
  });

  it('waits for a redirect that says so', () => {
    const result = run(
      { [BASE]: { redirect: '/there', headers: { 'retry-after': '3' } }, [`${BASE}there`]: [] },
      [BASE],
      { strategy },
    );
    expect(startsOf(result, `${BASE}there`)).toEqual([3_000]);
  });
});

describe('rate', () => {
  it('spreads starts evenly, so that no window holds more', () => {
    const urls = Array.from({ length: 10 }, (_, n) => `${BASE}${n}`);
    const result = run(Object.fromEntries(urls.map((url) => [url, []])), urls, {
      delay: undefined,
      rate: '120/m',
    });
    expect(result.site.log.map(({ at }) => at)).toEqual(urls.map((_, n) => n * 500));
  });

  it.each(['', '60', '60/x', '0/m', '-1/m', '1.5/s', '60 / m'])('refuses %j', (rate) => {
    expect(() => run({}, [], { rate })).toThrow(/rate: expected a number per s, m or h.*got "/);
  });
});

describe('adaptiveDelay', () => {
  it('goes halfway to the latency, doubles on trouble, and tells', () => {
    const spec: SiteSpec = {
      [BASE]: { links: ['/1'], latency: 400 },
      [`${BASE}1`]: { links: ['/2'], latency: 400 },
      [`${BASE}2`]: { links: ['/3'], latency: 400, status: 500 },
    };
    const result = run(spec, [BASE], { adaptiveDelay: true, retry: () => null });
    expect(lines(result, 'pace')).toEqual([
      '400 pace a.example 200ms',
      '800 pace a.example 300ms',
      '1200 pace a.example 600ms',
    ]);
  });

  it('keeps the delay of the crawl as its floor', () => {
    const result = run({ [BASE]: ['/1'], [`${BASE}1`]: [] }, [BASE], {
      adaptiveDelay: true,
      delay: 1_000,
    });
    expect(startsOf(result, `${BASE}1`)).toEqual([1_000]);
  });
});
