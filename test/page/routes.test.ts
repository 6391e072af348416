import { of, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { retryPolicy } from '../../src/core/index.js';
import { on, otherwise, routePattern, routes } from '../../src/page/index.js';
import { crawl } from '../../src/core/index.js';
import { runToEnd, virtualPage, virtualSite, type VirtualPage } from '../../src/testing/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const SITE = {
  '/': ['/city/oslo', '/city/bergen', '/about'],
  '/city/oslo': ['/user/1', '/user/2'],
  '/city/bergen': ['/user/3'],
  '/user/1': [],
  '/user/2': [],
  '/user/3': [],
  '/about': [],
};

const follow = (page: VirtualPage) => page.follow();

describe('routes', () => {
  it('sends each page to the handler of its first rule', () => {
    const handle = routes(
      on('/city/:name', function* (page: VirtualPage, { params }) {
        yield `city ${params.name}`;
        yield page.follow(page.links, { label: 'user', context: params.name });
      }),
      on({ label: 'user' }, ({ request }: VirtualPage) => [`user of ${String(request.context)}`]),
      on('/user/*', (_page: VirtualPage) => ['never']),
      otherwise(follow),
    );
    const run = virtualCrawl<string>(SITE, { handle });
    expect(run.items).toEqual([
      'city oslo',
      'city bergen',
      'user of oslo',
      'user of oslo',
      'user of bergen',
    ]);
    expect(handle.counts().map(({ id, called, completed }) => [id, called, completed])).toEqual([
      ['/city/:name', 2, 2],
      ['label user', 3, 3],
      ['/user/*', 0, 0],
      ['otherwise', 2, 2],
      ['unmatched', 0, 0],
    ]);
  });

  it('takes patterns, labels, tests and prepared patterns', () => {
    const handle = routes(
      on(routePattern('/city/*'), (_page: VirtualPage) => of('pattern')),
      on(
        ({ url }: VirtualPage) => url.endsWith('/about'),
        () => Promise.resolve(['unused']),
      ),
      on('https://*.example/', follow, { id: 'root' }),
    );
    const run = virtualCrawl<unknown>(SITE, { handle, maxDepth: 1, run: { until: 1 } });
    expect(run.items).toEqual(['pattern', 'pattern']);
    expect(handle.counts().map(({ id }) => id)).toEqual(['/city/*', 'rule 2', 'root', 'unmatched']);
  });

  it('counts pages that no rule is for', () => {
    const handle = routes(on('/', follow), on('/city/*', follow));
    virtualCrawl(SITE, { handle });
    expect(handle.counts().at(-1)).toMatchObject({ id: 'unmatched', called: 4 });
  });

  it('sends a page to all of its rules if it is told to, in their order', () => {
    const handle = routes(
      on('/city/**', (_page: VirtualPage) => ['first']),
      on('/**', function* (page: VirtualPage) {
        yield 'second';
        yield* page.follow();
      }),
      on('/city/oslo', (_page: VirtualPage) => of('third')),
      otherwise((_page: VirtualPage) => ['never']),
      { match: 'all' },
    );
    const run = virtualCrawl(
      { '/': ['/city/oslo', '/city/x'], '/city/oslo': [], '/city/x': [] },
      { handle },
    );
    expect(run.items).toEqual(['second', 'first', 'second', 'third', 'first', 'second']);
  });

  it('pulls the values of several rules only as they are used', () => {
    const made: number[] = [];
    const numbers = function* (_page: VirtualPage) {
      for (let value = 0; ; value += 1) {
        made.push(value);
        yield value;
      }
    };
    const handle = routes(
      on('/', (_page: VirtualPage) => [-1]),
      on('/*', numbers),
      { match: 'all' },
    );
    virtualCrawl<number>({ '/': [] }, { handle, sink: () => timer(10), run: { until: 35 } });
    expect(made).toEqual([0, 1, 2]);
  });

  it('fails a page whose test or handler throws, and no other', () => {
    const handle = routes(
      on(
        ({ url }: VirtualPage) => {
          if (url.endsWith('/about')) throw new Error('bad test');
          return false;
        },
        (_page: VirtualPage) => [],
      ),
      on('/city/oslo', (_page: VirtualPage) => {
        throw new Error('bad handler');
      }),
      otherwise(follow),
    );
    const run = virtualCrawl(SITE, { handle });
    expect(run.lines('failure')).toEqual([
      'fail /city/oslo handler-failed',
      'fail /about handler-failed',
    ]);
    expect(run.stats).toMatchObject({ done: 3, failed: 2 });
    expect(handle.counts().map(({ completed, inFlight }) => [completed, inFlight])).toEqual([
      [0, 0],
      [0, 0],
      [3, 0],
      [0, 0],
    ]);
  });

  it('tells what requests its rules are for', () => {
    const { accepts } = routes(on('/city/*', follow), on({ label: 'user' }, follow));
    const handle = routes(on('/', follow), on('/city/*', follow), on('/user/*', follow));
    expect(accepts({ url: `${ORIGIN}/city/x` } as never)).toBe(true);
    expect(accepts({ url: `${ORIGIN}/x`, label: 'user' } as never)).toBe(true);
    expect(accepts({ url: `${ORIGIN}/x` } as never)).toBe(false);
    const run = virtualCrawl(SITE, { handle, scope: handle.accepts });
    expect(run.stats).toMatchObject({ done: 6, byReason: { scope: 1 } });
  });

  it.each([
    ['no rules', () => routes(), 'at least one rule'],
    ['two rules of one id', () => routes(on('/a', follow), on('/a', follow)), '"/a" twice'],
    [
      'two last rules',
      () => routes(otherwise(follow), otherwise(follow, { id: 'b' })),
      'at most one',
    ],
    ['a pattern that cannot be read', () => on('city', follow), 'got "city"'],
    ['no rule', () => on(7 as never, follow), 'got 7'],
    ['no handler', () => on('/a', undefined as never), 'on: handler'],
    ['a wrong width', () => on('/a', follow, { concurrency: 0 }), 'on: concurrency'],
    ['a wrong key', () => on('/a', follow, { dedupe: 'x' as never }), 'on: dedupe'],
    ['a wrong option', () => routes(on('/a', follow), { match: 'some' as never }), '"some"'],
  ])('refuses %s', (_name, make, message) => {
    expect(make).toThrow(message);
  });
});

describe.each(STRATEGIES)('routes in a crawl with %s', (_name, makeStrategy) => {
  const strategy = makeStrategy(8);

  it('handles no more pages at a time than a rule allows, and the time to wait is not theirs', () => {
    let running = 0;
    let most = 0;
    const slow = (_page: VirtualPage) => {
      running += 1;
      most = Math.max(most, running);
      return timer(100).pipe(
        map(() => {
          running -= 1;
          return 'user';
        }),
      );
    };
    const handle = routes(on('/user/*', slow, { concurrency: 1 }), otherwise(follow));
    const run = virtualCrawl(SITE, { handle, strategy, handlerTimeout: 150 });
    expect(most).toBe(1);
    expect(run.items).toHaveLength(3);
    expect(run.timed.at(-1)?.at).toBe(300);
    expect(run.stats).toMatchObject({ done: 7, failed: 0 });
  });

  it('counts the sink as part of the turn of a page', () => {
    let running = 0;
    let most = 0;
    const handle = routes(
      on('/user/*', (_page: VirtualPage) => ['user'], { concurrency: 2 }),
      otherwise(follow),
    );
    const run = virtualCrawl<string>(SITE, {
      handle,
      strategy,
      sink: () => {
        running += 1;
        most = Math.max(most, running);
        return timer(50).pipe(map(() => (running -= 1)));
      },
    });
    expect(most).toBe(2);
    expect(run.stats).toMatchObject({ done: 7, items: 3 });
  });

  it('does not lock up where a page has several rules with a width', () => {
    const wait = (_page: VirtualPage) => timer(10).pipe(map(() => 'x'));
    const handle = routes(
      on('/user/**', wait, { concurrency: 1 }),
      on('/**', wait, { concurrency: 1 }),
      on('/city/**', wait, { concurrency: 1 }),
      on((_page: VirtualPage) => true, follow),
      { match: 'all' },
    );
    const run = virtualCrawl(SITE, { handle, strategy });
    expect(run.stats).toMatchObject({ done: 7, items: 12 });
  });

  it('handles no page twice by a key of its own', () => {
    const seen: string[] = [];
    const handle = routes(
      on(
        '/item/:id',
        ({ url }: VirtualPage) => {
          seen.push(url);
          return ['item'];
        },
        { dedupe: ({ url }: VirtualPage) => new URL(url).pathname },
      ),
      otherwise(follow),
    );
    const pages = {
      '/': ['/item/1?a', '/item/1?b', '/item/2'],
      '/item/1?a': [],
      '/item/1?b': [],
      '/item/2': [],
    };
    const run = virtualCrawl(pages, { handle, strategy });
    expect(seen).toEqual([`${ORIGIN}/item/1?a`, `${ORIGIN}/item/2`]);
    expect(run.stats).toMatchObject({ done: 4, items: 2 });
    expect(handle.counts()[0]).toMatchObject({ called: 3, completed: 2, extra: { duplicates: 1 } });
  });

  it('handles a page again whose handler failed', () => {
    let calls = 0;
    const handle = routes(
      on(
        '/**',
        (_page: VirtualPage) => {
          calls += 1;
          if (calls === 1) throw new Error('not yet');
          return ['item'];
        },
        { dedupe: true },
      ),
    );
    const retry = retryPolicy({ base: 10, random: () => 0.5, codes: ['handler-failed'] });
    const run = virtualCrawl<string>({ '/': [] }, { handle, strategy, retry });
    expect(run.items).toEqual(['item']);
  });

  it('keeps nothing from one crawl to the next', () => {
    const handle = routes(on('/**', follow, { dedupe: true, concurrency: 1 }));
    const site = virtualSite(ORIGIN, SITE);
    const both = crawl({ fetcher: site.fetcher, parse: virtualPage, handle, delay: 0, strategy });
    for (let time = 0; time < 2; time += 1) {
      runToEnd(both(`${ORIGIN}/`));
      expect(handle.counts()[0]).toMatchObject({ called: 7, extra: { duplicates: 0 } });
    }
  });
});
