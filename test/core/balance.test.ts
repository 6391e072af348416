import fc from 'fast-check';
import { from, lastValueFrom, mergeMap, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  balance,
  type BalanceBy,
  CrawlError,
  type Fetcher,
  isRequestPutBack,
  request,
  RequestRefused,
  retryPolicy,
} from '../../src/core/index.js';
import { obeyRobots } from '../../src/fetch/index.js';
import { virtualSite } from '../../src/testing/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const answer: Fetcher = ({ url }) =>
  of({ url, status: 200, headers: {}, body: new Uint8Array(), redirects: [], wireBytes: 0 });

const down: Fetcher = () => throwError(() => new CrawlError('proxy-failed', 'it is down'));

async function picks(by: BalanceBy, count: number, width = 1): Promise<string[]> {
  const chosen: string[] = [];
  const named = (id: string): { id: string; fetcher: Fetcher } => ({
    id,
    fetcher: (...args) => {
      chosen.push(id);
      return answer(...args);
    },
  });
  const fetcher = balance(['a', 'b', 'c'].map(named), { by });
  const requests = Array.from({ length: count }, (_, index) => request(`${ORIGIN}/${index}`));
  await lastValueFrom(from(requests).pipe(mergeMap((each) => fetcher(each), width)));
  return chosen;
}

describe('balance', () => {
  it('spreads requests evenly by score; unused fetchers are not passed over', async () => {
    expect((await picks('score', 9)).join('')).toBe('abcabcabc');
  });

  it('takes fetchers in turn', async () => {
    expect((await picks('round-robin', 7)).join('')).toBe('abcabca');
  });

  it('takes the least busy one, the first of several', async () => {
    expect((await picks('least-in-flight', 3)).join('')).toBe('aaa');
    const site = virtualSite(() => ({ latency: 10 }));
    const modules = ['a', 'b'].map((id) => ({ id, fetcher: site.fetcher }));
    const fetcher = balance(modules, { by: 'least-in-flight' });
    const fetches = [1, 2, 3].map((n) => fetcher(request(`${ORIGIN}/${n}`)).subscribe());
    expect(fetcher.counts().map(({ inFlight }) => inFlight)).toEqual([2, 1]);
    fetches[0]?.unsubscribe();
    expect(fetcher.counts().map(({ inFlight }) => inFlight)).toEqual([1, 1]);
    for (const each of fetches) each.unsubscribe();
  });

  it('takes whatever a function says', async () => {
    const chosen = await picks(({ id, called }) => (id === 'c' ? called : called + 2), 6);
    expect(chosen.join('')).toBe('ccabca');
  });

  it('counts what each has done', async () => {
    const broken: Fetcher = () => {
      throw new Error('no');
    };
    const fetcher = balance([
      { id: 'b', fetcher: answer },
      { id: 'a', fetcher: broken },
    ]);
    for (const path of ['1', '2', '3']) {
      await lastValueFrom(fetcher(request(`${ORIGIN}/${path}`)), {
        defaultValue: undefined,
      }).catch(() => undefined);
    }
    expect(fetcher.counts()).toEqual([
      {
        id: 'b',
        called: 2,
        accepted: 2,
        completed: 2,
        inFlight: 0,
        extra: { failed: 0, coolingMs: 0 },
      },
      {
        id: 'a',
        called: 1,
        accepted: 0,
        completed: 0,
        inFlight: 0,
        extra: { failed: 1, coolingMs: expect.any(Number) as number },
      },
    ]);
  });

  it('says on its own what a crawl would be told', async () => {
    const fetcher = balance([{ id: 'a', fetcher: down }], { cooldown: 500 });
    const errors = [1, 2].map((n) =>
      lastValueFrom(fetcher(request(`${ORIGIN}/${n}`))).catch((error: unknown) => error),
    );
    const [first, second] = await Promise.all(errors);
    expect(isRequestPutBack(first) && first.delayMs).toBe(0);
    expect(isRequestPutBack(second) && second.delayMs).toBeGreaterThan(400);
  });

  it('leaves refusals and the failures of pages alone', async () => {
    const errors = [new RequestRefused('robots'), new CrawlError('connection-reset', 'gone')];
    for (const error of errors) {
      const fetcher = balance([{ id: 'a', fetcher: () => throwError(() => error) }]);
      const seen = await lastValueFrom(fetcher(request(ORIGIN))).catch((each: unknown) => each);
      expect(seen).toBe(error);
      expect(fetcher.counts()[0]?.extra?.['failed']).toBe(0);
    }
  });

  it.each([
    ['an empty list', () => balance([]), 'at least one, got none'],
    ['no list', () => balance({} as never), 'got an object'],
    [
      'two of one id',
      () =>
        balance([
          { id: 'a', fetcher: answer },
          { id: 'a', fetcher: answer },
        ]),
      'got "a" twice',
    ],
    ['no id', () => balance([{ id: '', fetcher: answer }]), 'fetchers[0]: id'],
    ['no fetcher', () => balance([{ id: 'a' } as never]), 'fetchers[0]: fetcher'],
    [
      'a wrong cooldown',
      () => balance([{ id: 'a', fetcher: answer }], { cooldown: -1 }),
      'cooldown',
    ],
    [
      'a wrong rule',
      () => balance([{ id: 'a', fetcher: answer }], { by: 'luck' as never }),
      '"luck"',
    ],
  ])('refuses %s', (_name, make, message) => {
    expect(make).toThrow(message);
  });
});

describe.each(STRATEGIES)('balance in a crawl with %s', (_name, makeStrategy) => {
  const pages = { '/': ['/a', '/b', '/c'], '/a': ['/d'], '/b': [], '/c': [], '/d': [] };

  it('loses no request to a fetcher that is down, and counts no attempt for it', () => {
    const site = virtualSite(ORIGIN, pages, { latency: 10 });
    const fetcher = balance([
      { id: 'dead 1', fetcher: down },
      { id: 'well', fetcher: site.fetcher },
      { id: 'dead 2', fetcher: down },
    ]);
    const run = virtualCrawl(pages, { fetcher, strategy: makeStrategy(2) });
    expect(run.stats).toMatchObject({ admitted: 5, done: 5, failed: 0, duplicates: 0 });
    expect(run.events.flatMap((event) => (event.type === 'done' ? [event.attempts] : []))).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect(fetcher.counts().map(({ called }) => called)).toEqual([1, 5, 1]);
  });

  it('waits until one is well again, and asks it again after its cooldown', () => {
    const site = virtualSite(ORIGIN, pages, { latency: 10 });
    const outages = [5, 3];
    const fetcher = balance(
      outages.map((failures, index) => {
        let left = failures;
        return {
          id: `proxy ${index}`,
          fetcher: (...args) => (left-- > 0 ? down(...args) : site.fetcher(...args)),
        };
      }),
      { cooldown: 1_000, maxPutBacks: 100 },
    );
    const run = virtualCrawl(pages, { fetcher, strategy: makeStrategy(4) });
    expect(run.stats).toMatchObject({ done: 5, failed: 0 });
    // The second proxy fails at 0, 1,000 and 2,000; then both share the work.
    expect(run.timed.find(({ event }) => event.type === 'done')?.at).toBe(3_010);
  });

  it('ends also if all are down for good', () => {
    const fetcher = balance(
      ['a', 'b'].map((id) => ({ id, fetcher: down })),
      { cooldown: 1_000, maxPutBacks: 4 },
    );
    const run = virtualCrawl(pages, { fetcher, strategy: makeStrategy(4) });
    expect(run.stats).toMatchObject({ admitted: 1, failed: 1, byError: { 'proxy-failed': 1 } });
  });

  it('puts requests back whose robots.txt no fetcher could get', () => {
    const site = virtualSite(ORIGIN, { ...pages, '/robots.txt': 'User-agent: *\nDisallow: /c' });
    const fetcher = balance([
      { id: 'dead', fetcher: down },
      { id: 'well', fetcher: site.fetcher },
    ]);
    const robots = obeyRobots({ userAgent: 'test' });
    const run = virtualCrawl(pages, { fetcher, decorators: [robots], strategy: makeStrategy(4) });
    expect(run.stats).toMatchObject({ done: 4, failed: 0, byReason: { robots: 1 } });
  });

  it('loses nothing, whichever fetchers fail and whenever', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.boolean(), { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom<BalanceBy>('score', 'round-robin', 'least-in-flight'),
        fc.integer({ min: 1, max: 5 }),
        (scripts, by, width) => {
          const site = virtualSite(ORIGIN, pages, { latency: 7 });
          const fetcher = balance(
            scripts.map((script, index) => {
              let call = 0;
              return {
                id: String(index),
                fetcher: (...args) => (script[call++] ? down(...args) : site.fetcher(...args)),
              };
            }),
            { by, cooldown: 100, maxPutBacks: 1_000 },
          );
          const run = virtualCrawl(pages, {
            fetcher,
            strategy: makeStrategy(width),
            retry: retryPolicy({ retries: 0 }),
          });
          expect(run.stats).toMatchObject({ admitted: 5, done: 5, failed: 0, waiting: 0 });
          const calls = fetcher.counts().reduce((sum, { called }) => sum + called, 0);
          expect(calls).toBe(5 + run.stats.retries - notTried(run.events));
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Put back without a call, because no fetcher was well. */
function notTried(events: ReturnType<typeof virtualCrawl>['events']): number {
  return events.filter((event) => event.type === 'retry' && event.error.message.startsWith('no '))
    .length;
}
