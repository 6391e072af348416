import { filter, map, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawlerOf,
  type ControlOptions,
  monitor,
  type MonitorOptions,
  type MonitorRecord,
} from '../../src/control/index.js';
import { crawl } from '../../src/core/index.js';
import { crawlMarbles, virtualPage, virtualSite } from '../../src/testing/index.js';
import { VirtualClock } from './virtual-clock.js';

const SEED = 'https://x.example/';

function setUp(options: MonitorOptions = {}) {
  const clock = new VirtualClock();
  const site = virtualSite(
    'https://x.example',
    { '/': ['/a', '/gone'], '/a': [] },
    { latency: 100, scheduler: clock },
  );
  const crawler = crawlerOf(
    (given: ControlOptions) =>
      crawl({
        fetcher: site.fetcher,
        parse: virtualPage,
        handle: (page) => page.follow(),
        scheduler: clock,
        delay: 0,
        ...given,
      }),
    {},
  );
  const records: MonitorRecord[] = [];
  let completed = false;
  const watching = monitor(crawler, { scheduler: clock, ...options }).subscribe({
    next: (record) => records.push(record),
    complete: () => (completed = true),
  });
  const lines = () => records.map(({ at, level, type }) => `${at} ${level} ${type}`);
  return { clock, crawler, records, lines, watching, isCompleted: () => completed };
}

describe('monitor', () => {
  it('waits for the start, tells what happens, and ends with the run', () => {
    const { clock, crawler, records, lines, isCompleted } = setUp();
    clock.pass(500);
    expect(records).toEqual([]);
    crawler.start(SEED);
    clock.pass(5_000);
    expect(lines()).toEqual(['0 info summary', '200 error error', '200 info end']);
    expect(isCompleted()).toBe(true);
    expect(records[1]).toMatchObject({ problem: { stage: 'downloader', error: { status: 404 } } });
    expect(records[2]).toMatchObject({ summary: { stats: { done: 2, failed: 1 } } });
  });

  it('stops a crawler that has been idle without a break', () => {
    const { clock, crawler, lines, records, isCompleted } = setUp({ autoStop: true });
    const seeds$ = new Subject<string>();
    crawler.start(seeds$);
    clock.pass(999);
    seeds$.next(SEED);
    clock.pass(1_000);
    seeds$.next('https://x.example/a2');
    clock.pass(5_000);
    expect(crawler.status).toBe('stopped');
    expect(isCompleted()).toBe(true);
    // Busy from 999 to 1,199 and from 1,999 to 2,099: idle for one second at 3,099.
    expect(lines().slice(-2)).toEqual(['3099 info idle', '3099 info end']);
    expect(records.at(-2)).toMatchObject({ idleMs: 1_000, stopping: true });
  });

  it('tells of idleness each time it begins, and stops nothing unless it is asked to', () => {
    const { clock, crawler, lines, isCompleted, watching } = setUp({ idleMs: 10 });
    const seeds$ = new Subject<string>();
    crawler.start(seeds$);
    seeds$.next(SEED);
    clock.pass(1_000);
    seeds$.next('https://x.example/a2');
    clock.pass(1_000);
    expect(lines().filter((line) => line.endsWith('idle'))).toEqual([
      '210 info idle',
      '1110 info idle',
    ]);
    expect(crawler.status).toBe('started');
    expect(isCompleted()).toBe(false);
    watching.unsubscribe();
    seeds$.next('https://x.example/a3');
    clock.pass(1_000);
    expect(lines().at(-1)).toMatch(/summary|idle|error/);
    expect(crawler.status).toBe('started');
  });

  it('tells summaries only when they have changed, and not too often', () => {
    const { clock, crawler, records } = setUp({ summaryMs: 150, idleMs: Infinity });
    const seeds$ = new Subject<string>();
    crawler.start(seeds$);
    seeds$.next(SEED);
    clock.pass(60_000);
    const summaries = records.filter((record) => record.type === 'summary');
    expect(summaries.map(({ at, number }) => [at, number])).toEqual([
      [0, 1],
      [150, 2],
      [300, 3],
    ]);
    expect(summaries.at(-1)?.summary.stats).toMatchObject({ done: 2, failed: 1, inFlight: 0 });
  });

  it('tells the first summary alone if no time is long enough for another', () => {
    const { clock, crawler, lines } = setUp({ summaryMs: Infinity });
    crawler.start(SEED);
    clock.pass(5_000);
    expect(lines()).toEqual(['0 info summary', '200 error error', '200 info end']);
  });

  it('watches a run that is under way', () => {
    const { clock, crawler } = setUp();
    crawler.start(SEED);
    clock.pass(100);
    const types: string[] = [];
    monitor(crawler, { scheduler: clock }).subscribe(({ type }) => types.push(type));
    clock.pass(1_000);
    expect(types).toEqual(['summary', 'error', 'end']);
  });

  it(
    'is what its diagram says',
    crawlMarbles((m) => {
      const site = virtualSite(() => ({ latency: 2 }));
      const crawler = crawlerOf(
        (given: ControlOptions) => crawl({ fetcher: site.fetcher, delay: 0, ...given }),
        {},
      );
      const names = { idle: 'i', end: 'e', error: 'x', summary: 's' };
      const records$ = monitor(crawler, { idleMs: 3, autoStop: true }).pipe(
        filter(({ type }) => type !== 'summary'),
        map(({ type }) => names[type]),
      );
      m.expectObservable(records$).toBe('----------(ie|)');
      const seeds$ = m.hot('-a---b-------', { a: SEED, b: `${SEED}b` });
      m.scheduler.schedule(() => crawler.start(seeds$));
    }),
  );

  it('refuses wrong times', () => {
    const { crawler } = setUp();
    expect(() => monitor(crawler, { idleMs: -1 })).toThrow('monitor: idleMs');
    expect(() => monitor(crawler, { summaryMs: NaN })).toThrow('monitor: summaryMs');
  });
});
