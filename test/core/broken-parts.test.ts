import { describe, expect, it } from 'vitest';
import { type Fetcher, fifo, type Order, queued, type Strategy } from '../../src/core/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const SITE = {
  '/': ['/a', '/b', 'https://b.example/', 'https://b.example/c'],
  '/a': ['/d', '/e'],
  'https://b.example/': [],
};
const crawlBy = (options: object) => () => virtualCrawl(SITE, { scope: () => true, ...options });
const broken = (): never => {
  throw new Error('no order');
};

describe('an order that throws', () => {
  it.each<[string, Order]>([
    ['compare', { ...fifo(), name: 'mine', compare: broken }],
    ['compareHosts', { ...fifo(), name: 'mine', compareHosts: broken }],
  ])('ends the crawl with its error: %s', (_name, order) => {
    expect(crawlBy({ strategy: queued(1, { order }) })).toThrow(
      expect.objectContaining({
        code: 'internal',
        message: 'the order mine failed: no order',
        cause: new Error('no order'),
      }) as Error,
    );
  });

  it('is not asked where there is one request at a time', () => {
    const order = { ...fifo(), compare: broken };
    const { stats } = virtualCrawl({ '/': ['/a'], '/a': [] }, { strategy: queued(1, { order }) });
    expect(stats.done).toBe(2);
  });
});

describe.each(STRATEGIES)('under %s, a fetcher that is none', (_name, strategy) => {
  it.each([
    ['a promise', async () => Promise.resolve(5), 'an object'],
    ['nothing', () => undefined, 'undefined'],
  ])('but returns %s fails each request, and says what is expected', (_what, fetcher, given) => {
    const { events } = virtualCrawl(SITE, {
      fetcher: fetcher as unknown as Fetcher,
      strategy: strategy(2),
    });
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([
      {
        request: { url: `${ORIGIN}/` },
        error: {
          code: 'internal',
          message: `the fetcher returned ${given}; a Fetcher returns an Observable: wrap a promise in from()`,
        },
      },
    ]);
  });
});

describe.each(STRATEGIES)('under %s, a fetcher that throws', (_name, strategy) => {
  it('fails each request, and keeps no place at its host', () => {
    const { events } = virtualCrawl(SITE, {
      seeds: ['/', '/a', '/b'].map((path) => `${ORIGIN}${path}`),
      fetcher: broken,
      perHost: 1,
      strategy: strategy(2),
    });
    expect(events.filter(({ type }) => type === 'failure')).toHaveLength(3);
  });
});

describe('a strategy that is none', () => {
  it.each<[string, unknown, string]>([
    ['an operator', () => 5, 'crawl: strategy: what it returns: expected a function, got 5'],
    ['a stream', () => () => 5, 'what its operator returns: expected an Observable, got 5'],
  ])('for want of %s ends the crawl, and says what is expected', (_what, strategy, message) => {
    expect(crawlBy({ strategy: strategy as Strategy })).toThrow(message);
  });
});
