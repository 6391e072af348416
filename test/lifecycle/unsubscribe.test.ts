import {
  EMPTY,
  filter,
  firstValueFrom,
  lastValueFrom,
  of,
  Subject,
  switchMap,
  take,
  takeUntil,
} from 'rxjs';
import { catchError, timeout, timer } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawl, type CrawlEvent, queued, simple } from '../../src/index.js';
import { seededRandom } from '../../src/testing/index.js';
import { type SiteServer, startSite } from '../servers/site-server.js';

/** An endless site: each page links to three more, and takes up to 20 ms. */
let site: SiteServer;
beforeAll(async () => {
  site = await startSite((path) => {
    if (path === '/robots.txt') return undefined;
    const at = Number(path.slice(1));
    const links = [1, 2, 3].map((i) => `<a href="/${at * 3 + i}">x</a>`).join('');
    return { body: `<title>${at}</title>${links}`, delayMs: (at * 7) % 20 };
  });
});
afterAll(() => site.close());

const endless = (strategy = queued(8)) =>
  crawl({ strategy, delay: 0, perHost: 8, maxDepth: Infinity })(site.url('/0'));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Expects all connections to be closed, and nothing to be asked for after that. What was on its
 * way when the crawl was left (a connection that the server has not accepted yet, a request that
 * it has not read) may still come in.
 *
 * @returns how long the closing took, ms
 */
async function expectSilence(): Promise<number> {
  const { log } = site;
  const left = performance.now();
  let took = 0;
  for (let opened = -1; opened !== log.opened; await pause(10)) {
    opened = log.opened;
    await site.until(() => log.closed === log.opened, 2_000);
    took = performance.now() - left;
  }
  const asked = log.requests.length;
  await pause(10);
  expect([log.opened, log.requests.length]).toEqual([log.closed, asked]);
  return took;
}

describe.each([
  ['simple', simple(8)],
  ['queued', queued(8)],
])('a crawl over loopback under %s', (_name, strategy) => {
  it('closes its sockets within 50 ms of 50 random moments, and emits nothing after', async () => {
    const random = seededRandom(7);
    const times: number[] = [];
    for (let round = 0; round < 50; round++) {
      let left = false;
      const late: CrawlEvent[] = [];
      const subscription = endless(strategy).subscribe((event) => {
        if (left) late.push(event);
      });
      await pause(random() * 60);
      left = true;
      subscription.unsubscribe();
      times.push(await expectSilence());
      expect(late).toEqual([]);
    }
    // Server and crawl share a thread here, and that of a busy machine may stand still for a while.
    expect(times.sort((a, b) => a - b)[25]).toBeLessThan(50);
  });

  it('is cancelled by take', async () => {
    await lastValueFrom(endless(strategy).pipe(take(25)));
    await expectSilence();
  });

  it('is cancelled by takeUntil', async () => {
    await lastValueFrom(endless(strategy).pipe(takeUntil(timer(40))), { defaultValue: undefined });
    await expectSilence();
  });

  it('is cancelled by timeout', async () => {
    const slow$ = endless(strategy).pipe(
      filter(() => false),
      timeout(40),
      catchError(() => EMPTY),
    );
    await lastValueFrom(slow$, { defaultValue: undefined });
    await expectSilence();
  });

  it('is cancelled by switchMap', async () => {
    const typed$ = new Subject<number>();
    const result = firstValueFrom(
      typed$
        .pipe(switchMap((what) => (what === 0 ? endless(strategy) : of('next'))))
        .pipe(filter((event) => event === 'next')),
    );
    typed$.next(0);
    await pause(40);
    typed$.next(1);
    expect(await result).toBe('next');
    await expectSilence();
  });
});

it('crawls share nothing: each has its own connections, and visits all', async () => {
  const small = await startSite(
    new Map([
      ['/', '<a href="/a">a</a><a href="/b">b</a>'],
      ['/a', 'a'],
      ['/b', 'b'],
    ]),
  );
  try {
    const run = async (): Promise<number> => {
      let done = 0;
      await lastValueFrom(
        crawl({ delay: 0 })(small.url('/')).pipe(
          filter((event) => event.type === 'done' && ++done > 0),
        ),
      );
      return done;
    };
    expect(await Promise.all([run(), run(), run()])).toEqual([3, 3, 3]);
    const connections = new Set(small.log.requests.map(({ connection }) => connection));
    expect(connections.size).toBeGreaterThanOrEqual(3);
    await small.until(() => small.log.closed === small.log.opened, 200);
  } finally {
    await small.close();
  }
});

it('adds no listener to the process', async () => {
  const names = [
    'exit',
    'beforeExit',
    'SIGINT',
    'SIGTERM',
    'uncaughtException',
    'unhandledRejection',
    'warning',
  ];
  const counts = () => names.map((name) => process.listenerCount(name));
  const before = counts();
  const subscription = endless().subscribe();
  await pause(30);
  expect(counts()).toEqual(before);
  subscription.unsubscribe();
  expect(counts()).toEqual(before);
});
