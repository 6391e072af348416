// A marble test of one's own crawl: the site is in memory, the time virtual. In a test suite,
// the body of `marbleTest` is that of an `it(…)`.

import { map, of, type OperatorFunction, pipe } from 'rxjs';
import { crawl, type Fetcher, items, queued, type SeedInput } from 'rxcrawl';
import { crawlMarbles, virtualSite } from 'rxcrawl/testing';
import { main } from './support/main.js';

/** The crawl under test. Its fetcher comes from outside, and is undici's in production. */
export function titles(fetcher?: Fetcher): OperatorFunction<SeedInput, string> {
  return pipe(
    crawl({
      fetcher,
      strategy: queued(2),
      delay: 0,
      robots: false,
      *handle(page) {
        yield page.follow('a');
        if (page.title !== undefined) yield { title: page.title };
      },
    }),
    items(),
    map(({ title }) => title),
  );
}

export const marbleTest: () => void = crawlMarbles((m) => {
  const site = virtualSite('https://shop.example', {
    '/': { latency: 2, links: ['/dune', '/emma', '/kim'] },
    '/dune': { latency: 5, title: 'Dune' },
    '/emma': { latency: 1, title: 'Emma' },
    '/kim': { latency: 3, title: 'Kim' },
  });
  const titles$ = of('https://shop.example/').pipe(titles(site.fetcher));
  m.expectObservable(titles$).toBe('---e--k(d|)', { d: 'Dune', e: 'Emma', k: 'Kim' });
});

await main(import.meta.url, async () => {
  marbleTest();
  return 'the marbles are as they should be';
});
