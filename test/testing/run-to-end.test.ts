import {
  concatMap,
  delay,
  from,
  interval,
  map,
  mergeMap,
  NEVER,
  of,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { runToEnd, timeline, virtualSite } from '../../src/testing/index.js';

describe('runToEnd', () => {
  it('gives what came and when', () => {
    const source$ = from(['a', 'b']).pipe(concatMap((value) => of(value).pipe(delay(1000))));
    expect(runToEnd(source$)).toEqual([
      { at: 1000, event: 'a' },
      { at: 2000, event: 'b' },
    ]);
  });

  it('stops where it is told', () => {
    expect(runToEnd(interval(10), { until: 25 }).map(({ at }) => at)).toEqual([10, 20]);
  });

  it('throws the error of the source', () => {
    const error = new Error('mine');
    expect(() => runToEnd(timer(5).pipe(mergeMap(() => throwError(() => error))))).toThrow(error);
  });

  it('throws if the source never completes, or never ends', () => {
    expect(() => runToEnd(NEVER)).toThrow(/has not completed/);
    expect(() => runToEnd(from(Promise.resolve(1)))).toThrow(/0 events.*outside of virtual time/);
    expect(() => runToEnd(interval(1), { maxActions: 100 })).toThrow(
      /still busy after 100 actions/,
    );
    expect(() => runToEnd(interval(1), { maxFrames: 100 })).toThrow(/at virtual time 100 ms/);
  });

  it('runs 1,000 pages of 1 s each in a moment, the same every time', () => {
    const run = () => {
      const site = virtualSite(() => ({ latency: 1000, links: ['/'] }));
      const urls$ = from(Array.from({ length: 1000 }, (_, i) => `https://a.example/${i}`));
      const pages$ = urls$.pipe(
        mergeMap((url) => site.fetcher(request(url)).pipe(map((response) => response.url)), 16),
      );
      return JSON.stringify(runToEnd(pages$));
    };
    const before = performance.now();
    const first = run();
    expect(performance.now() - before).toBeLessThan(200);
    expect(first).toContain('{"at":63000,');
    for (let again = 0; again < 20; again++) expect(run()).toBe(first);
  });
});

describe('timeline', () => {
  it('lists time and event in brief', () => {
    const start$ = timer(3).pipe(
      map(() => ({ type: 'start', request: request('https://a.example/b'), attempt: 1 }) as const),
    );
    expect(timeline(runToEnd(start$))).toEqual(['3 start /b']);
    expect(timeline(runToEnd(start$), (event) => event.type)).toEqual(['3 start']);
  });
});
