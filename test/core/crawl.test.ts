import { lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlEvent,
  type Fetcher,
  queued,
  request,
  simple,
  type Strategy,
} from '../../src/core/index.js';

/** Every URL answers at once: as from a cache. */
const instant: Fetcher = ({ url }) =>
  of({ url, status: 200, headers: {}, body: new Uint8Array(), redirects: [], wireBytes: 0 });

const strategies: [string, Strategy][] = [
  ['simple', simple(4)],
  ['queued', queued(4)],
];

describe.each(strategies)('crawl with %s', (_name, strategy) => {
  it('visits what is linked, once', async () => {
    const links: Record<string, string[]> = { '/': ['/a', '/b'], '/a': ['/b', '/c'], '/c': ['/'] };
    const events: CrawlEvent[] = await lastValueFrom(
      crawl({
        strategy,
        fetcher: instant,
        delay: 0,
        handle: ({ url }) =>
          (links[new URL(url).pathname] ?? []).map((path) =>
            request(new URL(path, url), { depth: 1 }),
          ),
      })('https://a.example/').pipe(toArray()),
    );
    const done = events.filter((event) => event.type === 'done').map((event) => event.url);
    expect(done).toEqual(['/', '/a', '/b', '/c'].map((path) => `https://a.example${path}`));
  });
});
