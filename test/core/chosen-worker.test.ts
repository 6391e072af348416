import fc from 'fast-check';
import { map, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type CrawlWorker,
  type FetcherDecorator,
  type Fetcher,
  memoryFrontier,
  queued,
  type QueuedOptions,
  withRequest,
} from '../../src/core/index.js';
import { virtualSite, type VirtualPage } from '../../src/testing/index.js';
import { ORIGIN, virtualCrawl } from '../helpers/virtual-crawl.js';

const PAGES = {
  '/': ['/a', '/b', '/c', '/d'],
  '/a': ['/e'],
  '/b': [],
  '/c': [],
  '/d': [],
  '/e': [],
};

/** Workers that write down what they fetch. */
function setUp(names: readonly string[], latency: (path: string) => number = () => 10) {
  const fetched: Record<string, string[]> = {};
  const site = virtualSite((url) => {
    const path = new URL(url).pathname;
    const links = PAGES[path as keyof typeof PAGES] as readonly string[] | undefined;
    return links && { links, latency: latency(path) };
  });
  const workers = names.map((id) => {
    const list: string[] = [];
    fetched[id] = list;
    const fetcher: Fetcher = (request, context) => {
      expect(context?.worker?.id).toBe(id);
      list.push(request.url.slice(ORIGIN.length));
      return site.fetcher(request, context);
    };
    return { id, fetcher, isSlow: id.startsWith('slow') };
  });
  const run = (options: QueuedOptions<(typeof workers)[number]> = {}) =>
    virtualCrawl(PAGES, { fetcher: site.fetcher, strategy: queued(workers, options) });
  return { workers, fetched, run };
}

describe('queued with a list of workers', () => {
  it('hands each request to the worker that has waited longest', () => {
    const { fetched, run } = setUp(['x', 'y', 'z']);
    expect(run().stats).toMatchObject({ done: 6, failed: 0 });
    expect(fetched).toEqual({ x: ['/', '/c'], y: ['/a', '/d'], z: ['/b', '/e'] });
  });

  it('hands it to the one that is selected', () => {
    const { fetched, run } = setUp(['x', 'y', 'z']);
    const ready: string[][] = [];
    const { stats } = run({
      selectWorker: ({ url }, workers) => {
        ready.push(workers.map(({ id }) => id));
        return workers.find(({ id }) => id === (url.endsWith('/c') ? 'x' : 'z'));
      },
    });
    expect(stats).toMatchObject({ done: 6 });
    expect(fetched['x']).toContain('/c');
    expect(ready[0]).toEqual(['x', 'y', 'z']);
  });

  it('lets a request wait for a worker that is busy', () => {
    const { fetched, workers, run } = setUp(['x', 'y']);
    const [, second] = workers;
    const { stats, timed } = run({
      selectWorker: (_, ready) => ready.find((each) => each === second),
    });
    expect(stats).toMatchObject({ done: 6 });
    expect(fetched).toEqual({ x: [], y: ['/', '/a', '/b', '/c', '/d', '/e'] });
    expect(timed.at(-1)?.at).toBe(60);
  });

  it('does not wait for a worker if none is busy, nor for one that does not exist', () => {
    const { run } = setUp(['x', 'y']);
    expect(run({ selectWorker: () => undefined }).stats).toMatchObject({ done: 6 });
    const stranger = { id: 'stranger', fetcher: () => of(), isSlow: false };
    expect(run({ selectWorker: () => stranger }).stats).toMatchObject({ done: 6 });
  });

  it('goes on by its own rule if the function throws', () => {
    const { fetched, run } = setUp(['x', 'y', 'z']);
    const selectWorker = () => {
      throw new Error('no idea');
    };
    expect(run({ selectWorker }).stats).toMatchObject({ done: 6, failed: 0 });
    expect(fetched['x']).toHaveLength(2);
  });

  it('puts the decorators of a worker around its own fetcher, or that of the crawl', () => {
    const marked =
      (mark: string): FetcherDecorator =>
      (fetcher) =>
      (request, context) =>
        fetcher(withRequest(request, { headers: { account: mark } }), context).pipe(
          map((response) => ({ ...response, headers: { ...response.headers, account: mark } })),
        );
    const workers: CrawlWorker[] = [
      { id: 'member', decorators: [marked('inner'), marked('member')] },
      { id: 'guest' },
    ];
    const accounts: unknown[] = [];
    virtualCrawl(PAGES, {
      strategy: queued(workers),
      handle: (page: VirtualPage) => {
        accounts.push(page.headers['account']);
        return page.follow();
      },
    });
    expect(accounts.filter((account) => account === 'member')).toHaveLength(3);
    expect(accounts.filter((account) => account === undefined)).toHaveLength(3);
  });

  it('loses and repeats nothing, whatever is selected', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 1 }),
        fc.integer({ min: 0, max: 3 }),
        (width, choices, budget) => {
          const names = Array.from({ length: width }, (_, index) => String(index));
          const { workers, fetched } = setUp(names, (path) => (path.length % 2) * 7);
          let call = 0;
          const strategy = queued(workers, {
            frontier: memoryFrontier(),
            selectWorker: (_, ready) => ready[choices[call++ % choices.length] ?? 0],
          });
          const maxPages = budget === 0 ? Infinity : budget;
          const { stats } = virtualCrawl(PAGES, { strategy, maxPages });
          expect(stats.done).toBe(Math.min(6, maxPages));
          expect(Object.values(fetched).flat()).toHaveLength(stats.done);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    ['an empty list', () => queued([]), 'at least one'],
    ['two of one id', () => queued([{ id: 'a' }, { id: 'a' }]), 'got "a" twice'],
    ['no id', () => queued([{} as CrawlWorker]), 'workers[0]: expected an object with an id'],
    ['a wrong fetcher', () => queued([{ id: 'a', fetcher: 1 as never }]), 'workers[0]: fetcher'],
    [
      'a function for workers that are all alike',
      () => queued(3, { selectWorker: () => undefined }),
      'to be a list',
    ],
    [
      'what is no function',
      () => queued([{ id: 'a' }], { selectWorker: 1 as never }),
      'selectWorker',
    ],
  ])('refuses %s', (_name, make, message) => {
    expect(make).toThrow(message);
  });
});
