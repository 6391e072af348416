import { lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { trapGuards, type Guard } from 'rxcrawl';
import { crawl, request, type Fetcher } from 'rxcrawl/core';

const instant: Fetcher = ({ url }) =>
  of({ url, status: 200, headers: {}, body: new Uint8Array(), redirects: [], wireBytes: 0 });

/** A crawl on which each page has the same links. */
async function crawlWith(guards: readonly (() => Guard)[], links: readonly string[]) {
  const handle = (page: { url: string; request: { depth: number } }) =>
    links.map((link) => request(new URL(link, page.url), { depth: page.request.depth + 1 }));
  const events$ = crawl({ fetcher: instant, delay: 0, guards, handle })('http://h.test/');
  return lastValueFrom(events$.pipe(toArray()));
}

describe('guards of a crawl', () => {
  it('refuse a link as a trap, with the name of the rule', async () => {
    const events = await crawlWith([trapGuards()], ['a/']);
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(3);
    expect(events.find(({ type }) => type === 'skip')).toMatchObject({
      url: 'http://h.test/a/a/a/',
      reason: 'trap',
      detail: 'repeated-segment',
    });
  });

  it('are asked once about each URL, however often it is found', async () => {
    const asked: string[] = [];
    const guard: Guard = ({ url }) => {
      asked.push(new URL(url).pathname);
      return url.endsWith('/bad') ? 'bad' : undefined;
    };
    const events = await crawlWith([() => guard], ['/1', '/2', '/bad']);
    expect(asked.sort()).toEqual(['/', '/1', '/2', '/bad']);
    expect(events.filter(({ type }) => type === 'skip')).toHaveLength(1);
  });
});
