import fc from 'fast-check';
import {
  asyncScheduler,
  concat,
  defer,
  EMPTY,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  Subject,
  takeUntil,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  balance,
  CrawlError,
  type Fetcher,
  type Handler,
  RequestRefused,
  type Sink,
} from '../../src/core/index.js';
import { randomSite, type VirtualPage, virtualSite } from '../../src/testing/index.js';
import { STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

/** A number that looks random and is always the same for a text and a salt. */
function numberOf(text: string, salt: number): number {
  let hash = salt;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash >>> 8;
}

const boom = (): never => {
  throw new Error('boom');
};

/** Each URL is fetched in one of the ways in which a fetcher can be wrong, or rightly. */
function wildFetcher(site: Fetcher, salt: number): Fetcher {
  return (request, context) => {
    const answer$ = site(request, context);
    switch (numberOf(request.url, salt) % 9) {
      case 0:
        return concat(answer$, answer$);
      case 1:
        return concat(
          answer$,
          throwError(() => new CrawlError('truncated', 'late')),
        );
      case 2:
        return EMPTY;
      case 3:
        return boom();
      case 4:
        return throwError(() => new RequestRefused('robots'));
      case 5:
        return throwError(() => 'no error');
      case 6:
        return timer(3).pipe(mergeMap(() => answer$));
      default:
        return answer$;
    }
  };
}

function wildHandler(
  salt: number,
): (page: VirtualPage) => ReturnType<Handler<unknown, VirtualPage>> {
  return (page) => {
    const links = page.follow();
    switch (numberOf(page.url, salt) % 9) {
      case 0:
        return boom();
      case 1:
        return concat(links, throwError(boom));
      case 2:
        return timer(4).pipe(mergeMap(() => links));
      case 3:
        return [1, links, 2];
      case 4:
        return (function* () {
          yield links;
          boom();
        })();
      case 5:
        return NEVER;
      case 6:
        return of(1, 2, 3, ...links);
      default:
        return links;
    }
  };
}

const wildSink = (salt: number): Sink<unknown> => {
  const kinds = [of(1), EMPTY, timer(6), throwError(boom)];
  return (item) => kinds[numberOf(String(item), salt) % 5];
};

type Switch = 'pause' | 'resume' | 'flap' | 'stop' | 0 | 1 | 5;

const schedule = fc.record({
  seed: fc.nat(1_000_000),
  salt: fc.nat(1_000_000),
  width: fc.integer({ min: 1, max: 6 }),
  isLive: fc.boolean(),
  isBalanced: fc.boolean(),
  isSynchronous: fc.boolean(),
  /** What happens at which time, ms. */
  switched: fc.array(fc.tuple(fc.nat(60), fc.constantFrom<Switch[]>('pause', 'resume', 0, 1, 5))),
  stopAt: fc.option(fc.tuple(fc.nat(60), fc.constantFrom(0, 3, 20, Infinity))),
  /** What happens within which of the calls of the crawl to its parts. */
  within: fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom<Switch[]>('pause', 'resume', 'flap', 'stop', 0, 1, 5),
    ),
    { maxLength: 5 },
  ),
  maxPages: fc.constantFrom(Infinity, 1, 2, 3, 5, 8),
  delay: fc.constantFrom(0, 0, 5),
  perHost: fc.constantFrom(Infinity, 1, 2),
  retryMs: fc.constantFrom(0, 1, 7),
});

describe.each(STRATEGIES)('%s', (_name, strategy) => {
  it('loses nothing and ends, whatever its parts do and whenever it is switched', () => {
    fc.assert(
      fc.property(schedule, (given) => {
        const { pages, seeds } = randomSite(given.seed, {
          pages: 14,
          hosts: 2,
          synchronous: given.isSynchronous ? 1 : 0.4,
        });
        const site = virtualSite(pages);
        const paused$ = new Subject<boolean>();
        const stopped$ = new Subject<{ readonly drainMs: number }>();
        const width$ = new Subject<number>();
        const act = (what: Switch): void => {
          if (what === 'pause' || what === 'flap') paused$.next(true);
          if (what === 'resume' || what === 'flap') paused$.next(false);
          if (what === 'stop') stopped$.next({ drainMs: 4 });
          if (typeof what === 'number') width$.next(what);
        };
        let calls = 0;
        const called = (): void => {
          calls += 1;
          for (const [call, what] of given.within) if (call === calls) act(what);
        };
        const spied =
          <A extends unknown[], R>(part: (...args: A) => R) =>
          (...args: A): R => {
            called();
            return part(...args);
          };
        const at = <T>(ms: number, value: T): Observable<T> => timer(ms).pipe(map(() => value));
        const atTimes = <T>(pick: (what: Switch) => T | undefined): Observable<T> =>
          merge(
            ...given.switched.flatMap(([ms, what]) => {
              const value = pick(what);
              return value === undefined ? [] : [at(ms, value)];
            }),
          );
        const fetcher = wildFetcher(site.fetcher, given.salt);
        const [ms, drainMs] = given.stopAt ?? [Infinity, 0];

        const crawled = (): ReturnType<typeof virtualCrawl> =>
          virtualCrawl<unknown>(pages, {
            seeds,
            scope: spied(() => true),
            fetcher: given.isBalanced
              ? balance(
                  [
                    { id: 'wild', fetcher },
                    {
                      id: 'unwell',
                      fetcher: () => throwError(() => new CrawlError('proxy-failed', '')),
                    },
                  ],
                  { cooldown: 11, scheduler: asyncScheduler },
                )
              : fetcher,
            decorators: [
              (inner) => spied((request, context) => defer(() => inner(request, context))),
            ],
            handle: spied(wildHandler(given.salt + 1)),
            handlerTimeout: 30,
            sink: spied(wildSink(given.salt + 2)),
            retry: spied((attempt) => (attempt < 3 ? given.retryMs : null)),
            strategy: strategy(
              given.isLive
                ? merge(
                    of(given.width),
                    width$.pipe(takeUntil(timer(200))),
                    atTimes((what) => (typeof what === 'number' ? what : undefined)),
                    at(200, 2),
                  )
                : given.width,
            ),
            pause$: merge(
              paused$.pipe(takeUntil(timer(150))),
              atTimes((what) => (typeof what === 'number' ? undefined : what === 'pause')),
              at(150, false),
            ),
            stop$: given.stopAt ? merge(stopped$, at(ms, { drainMs })) : stopped$,
            maxPages: given.maxPages,
            delay: given.delay,
            perHost: given.perHost,
          });
        let run: ReturnType<typeof crawled>;
        try {
          run = crawled();
        } catch (error) {
          // The TestScheduler of rxjs fails where a timer is cancelled by what it has just run.
          fc.pre(!String(error).includes('Expected a due immediate or interval'));
          throw error;
        }
        const starts = run.timed.filter(({ event }) => event.type === 'start');
        const fetched = new Set(
          run.events.flatMap((event) => (event.type === 'start' ? [event.request.url] : [])),
        );
        for (const event of run.events) if (event.type === 'skip') fetched.delete(event.url);
        // It checks that each request has come to exactly one end.
        expect(run.stats.waiting).toBe(0);
        expect(fetched.size).toBeLessThanOrEqual(given.maxPages);
        expect(starts.filter((start) => start.at > ms)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
