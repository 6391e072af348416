import { describe, expect, it } from 'vitest';
import { type CrawlEvent, fingerprintSet, type SeenSet } from '../../src/core/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const skips = (events: readonly CrawlEvent[]) =>
  events.flatMap((event) =>
    event.type === 'skip' ? [`${event.reason} ${event.url} x${event.count}`] : [],
  );
const boom = (): never => {
  throw new Error('boom');
};
const isA = ({ url }: { readonly url: string }) => url === `${ORIGIN}/a`;

describe.each(STRATEGIES)('admission under %s', (_name, strategy) => {
  const chain = (url: string) => [`/${Number(url.split('/').at(-1)) + 1}`];

  it.each([
    [0, 1],
    [1, 2],
    [5, 6],
  ])('with a maxDepth of %i fetches %i pages of a chain', (maxDepth, pages) => {
    const { stats, events } = virtualCrawl(chain, {
      strategy: strategy(2),
      seeds: `${ORIGIN}/0`,
      maxDepth,
    });
    expect(stats.done).toBe(pages);
    expect(skips(events)).toEqual([`depth ${ORIGIN}/${pages} x1`]);
  });

  it('takes as many links of a page as maxLinksPerPage, and tells of the rest in one event', () => {
    const links = Array.from({ length: 12 }, (_, i) => `/${i}`);
    const { stats, events } = virtualCrawl(
      { '/': links },
      { strategy: strategy(2), maxLinksPerPage: 5, acceptStatus: () => true },
    );
    expect(stats).toMatchObject({ admitted: 6, skipped: 7, byReason: { 'max-links': 7 } });
    expect(skips(events)).toEqual([`max-links ${ORIGIN}/ x7`]);
  });

  it('counts links across several yields of one handler', () => {
    const { stats } = virtualCrawl(
      { '/': ['/1', '/2', '/3', '/4'] },
      {
        strategy: strategy(2),
        maxLinksPerPage: 3,
        acceptStatus: () => true,
        *handle(page) {
          for (const request of page.follow()) yield [request];
        },
      },
    );
    expect(stats).toMatchObject({ admitted: 4, skipped: 1 });
  });

  it('refuses other schemes and long URLs with a reason, cut to what an event can hold', () => {
    const long = `/${'x'.repeat(10_000)}`;
    const { events, stats } = virtualCrawl(
      { '/': ['mailto:a@b.example', 'ftp://a.example/', long] },
      { strategy: strategy(2) },
    );
    expect(stats.byReason).toEqual({ scheme: 2, 'url-too-long': 1 });
    const cut = events.find((event) => event.type === 'skip' && event.reason === 'url-too-long');
    expect(cut?.type === 'skip' && cut.url.length).toBe(2_049);
  });

  it.each<[string, (() => SeenSet) | undefined]>([
    ['the exact set', undefined],
    ['fingerprints', () => fingerprintSet()],
  ])('counts duplicates, with %s', (_what, seen) => {
    const { stats } = virtualCrawl(
      { '/': ['/a', '/a', '/a#x', '/'], '/a': ['/'] },
      { strategy: strategy(2), seen },
    );
    expect(stats).toMatchObject({ done: 2, duplicates: 4, skipped: 0 });
  });

  it('asks guards about new requests only, once each, and gives their rule as the detail', () => {
    const asked: string[] = [];
    const { events, stats } = virtualCrawl(
      { '/': ['/a', '/trap', '/a'], '/a': ['/trap', '/'] },
      {
        strategy: strategy(1),
        guards: [
          () =>
            ({ url }) => {
              asked.push(new URL(url).pathname);
              return url.endsWith('/trap') ? 'my-rule' : undefined;
            },
        ],
      },
    );
    expect(asked).toEqual(['/', '/a', '/trap']);
    expect(events.find(({ type }) => type === 'skip')).toMatchObject({
      reason: 'trap',
      detail: 'my-rule',
    });
    expect(stats.done).toBe(2);
  });

  describe('a callback that throws makes one request fail, with the cause:', () => {
    it.each<[string, Parameters<typeof virtualCrawl>[1], string]>([
      ['scope', { scope: (request) => (isA(request) ? boom() : true) }, 'internal'],
      ['a guard', { guards: [() => (request) => (isA(request) ? boom() : undefined)] }, 'internal'],
      ['key', { key: (request) => (isA(request) ? boom() : request.url) }, 'internal'],
      ['hostKey', { hostKey: (url) => (isA({ url }) ? boom() : 'host') }, 'internal'],
      ['parse', { parse: undefined }, 'parse-failed'],
      ['acceptStatus', { acceptStatus: (status) => (status === 203 ? boom() : true) }, 'internal'],
    ])('%s', (what, options, code) => {
      const pages = { '/': ['/a', '/b'], '/a': { status: 203 }, '/b': {} };
      const { events, stats } = virtualCrawl(pages, {
        strategy: strategy(2),
        ...options,
        ...(what === 'parse' && {
          parse: (response, request) => {
            if (isA(request)) boom();
            const { url, status, headers, body: bytes, redirects } = response;
            const follow = () => [];
            return { request, url, status, headers, bytes, redirects, links: [], follow };
          },
          seeds: [`${ORIGIN}/`, `${ORIGIN}/a`, `${ORIGIN}/b`],
        }),
      });
      const failed = events.flatMap((event) => (event.type === 'failure' ? [event] : []));
      expect(failed).toMatchObject([
        { request: { url: `${ORIGIN}/a` }, error: { code, cause: { message: 'boom' } } },
      ]);
      expect(stats).toMatchObject({ done: 2, failed: 1 });
    });

    it('scope, for a seed', () => {
      const { stats } = virtualCrawl(
        { '/': {}, '/a': {} },
        {
          strategy: strategy(2),
          seeds: [`${ORIGIN}/a`, `${ORIGIN}/`],
          scope: (request) => (isA(request) ? boom() : true),
        },
      );
      expect(stats).toMatchObject({ done: 1, failed: 1, byError: { internal: 1 } });
    });

    it('scope, for the target of a redirect', () => {
      const { stats, site } = virtualCrawl(
        { '/': { redirect: '/a' }, '/a': {} },
        { strategy: strategy(2), scope: (request) => (isA(request) ? boom() : true) },
      );
      expect(stats).toMatchObject({ done: 0, failed: 1 });
      expect(site.requests).toBe(1);
    });

    it('the seen set', () => {
      const broken = (): SeenSet => ({
        add: (key) => (isA({ url: key }) ? boom() : true),
        size: 0,
      });
      const { stats } = virtualCrawl(
        { '/': ['/a', '/b'], '/a': {}, '/b': {} },
        { strategy: strategy(2), seen: broken },
      );
      expect(stats).toMatchObject({ done: 2, failed: 1 });
    });

    it('delay, for its host', () => {
      const { stats } = virtualCrawl(
        { '/': ['https://b.example/'] },
        {
          strategy: strategy(2),
          scope: () => true,
          delay: (host) => (host === 'b.example' ? boom() : 0),
        },
      );
      expect(stats).toMatchObject({ done: 1, failed: 1, byError: { internal: 1 } });
    });

    it.each([boom, () => NaN, () => -1, () => Infinity, () => 'soon', () => undefined])(
      'retry, also if it gives nonsense (%#)',
      (retry) => {
        const { stats } = virtualCrawl(
          { '/': { fail: 'truncated' } },
          { strategy: strategy(2), retry: retry as () => number },
        );
        expect(stats).toMatchObject({ failed: 1, byError: { internal: 1 } });
      },
    );
  });

  it('fails the same broken link once, on however many pages it stands', () => {
    const { stats } = virtualCrawl(
      { '/': ['/a', '/b'], '/b': ['/a', '/c'], '/c': ['/a'] },
      { strategy: strategy(2), scope: (request) => (isA(request) ? boom() : true) },
    );
    expect(stats).toMatchObject({ done: 3, failed: 1, duplicates: 2 });
  });
});
