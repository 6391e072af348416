import {
  asyncScheduler,
  concatAll,
  delay,
  finalize,
  map,
  mergeMap,
  NEVER,
  Observable,
  of,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import fc from 'fast-check';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import {
  HostGate,
  type HostGateOptions,
  type HostPass,
  polite,
  request,
  type WireProgress,
} from '../../src/core/index.js';
import { virtualSite } from '../../src/testing/index.js';
import { marbles } from '../helpers/marbles.js';

const A = 'https://a.example/';
const B = 'https://b.example/';

function gateWith(options: Omit<HostGateOptions, 'scheduler'>): HostGate {
  return new HostGate({ ...options, scheduler: asyncScheduler });
}

describe('HostGate', () => {
  it(
    'keeps the gap between two starts on a host, and none between hosts',
    marbles((m) => {
      const gate = gateWith({ delay: 5 });
      const exchange = (url: string, value: string): Observable<string> =>
        gate.exchange(url, undefined, of(value));
      m.expect(exchange(A, 'a')).toBeObservable('(a|)');
      m.expect(exchange(B, 'b')).toBeObservable('(b|)');
      m.expect(exchange(A, 'c')).toBeObservable('-----(c|)');
      m.expect(exchange(A, 'd')).toBeObservable('----------(d|)');
    }),
  );

  it(
    'never lets more exchanges run on a host than it may',
    marbles((m) => {
      const gate = gateWith({ perHost: 2 });
      const fetched = m.cold<string>('---(r|)');
      const exchange = (url: string): Observable<string> => gate.exchange(url, undefined, fetched);
      m.expect(exchange(A)).toBeObservable('---(r|)');
      m.expect(exchange(A)).toBeObservable('---(r|)');
      m.expect(exchange(A)).toBeObservable('------(r|)');
      m.expect(exchange(B)).toBeObservable('---(r|)');
      m.expect(fetched).toHaveSubscriptions(['^--!', '^--!', '^--!', '---^--!']);
    }),
  );

  it(
    'lets the next one in when a running exchange is given up',
    marbles((m) => {
      const gate = gateWith({ perHost: 1 });
      m.expect(gate.exchange(A, undefined, NEVER), '^--!').toBeObservable('----');
      m.expect(gate.exchange(A, undefined, of('r'))).toBeObservable('---(r|)');
    }),
  );

  it(
    'forgets an exchange that is given up while it waits',
    marbles((m) => {
      const gate = gateWith({ delay: 3 });
      m.expect(gate.exchange(A, undefined, of('a'))).toBeObservable('(a|)');
      m.expect(gate.exchange(A, undefined, of('b')), '^-!').toBeObservable('---');
      m.expect(gate.exchange(A, undefined, of('c'))).toBeObservable('---(c|)');
    }),
  );

  it(
    'holds a host back, and never shortens a hold',
    marbles((m) => {
      const gate = gateWith({});
      gate.hold(A, 6);
      gate.hold(A, 2);
      m.expect(gate.exchange(A, undefined, of('a'))).toBeObservable('------(a|)');
      m.expect(gate.exchange(B, undefined, of('b'))).toBeObservable('(b|)');
      expect(gate.heldHosts()).toEqual(['a.example']);
    }),
  );

  it(
    'takes a longer gap that a host asks for, and not a shorter one',
    marbles((m) => {
      const gate = gateWith({ delay: 2 });
      gate.setDelay(A, 4);
      gate.setDelay(B, 1);
      for (const url of [A, B])
        m.expect(gate.exchange(url, undefined, of('1'))).toBeObservable('(1|)');
      m.expect(gate.exchange(A, undefined, of('2'))).toBeObservable('----(2|)');
      m.expect(gate.exchange(B, undefined, of('2'))).toBeObservable('--(2|)');
    }),
  );

  it('lets a reserved place be used once, and given back once', () => {
    const gate = gateWith({ perHost: 1 });
    const pass = gate.reserve('a.example');
    expect(gate.readyAt('a.example')).toBe(Infinity);
    let started = 0;
    const running = gate
      .exchange(
        A,
        pass,
        timerless(() => (started += 1)),
      )
      .subscribe();
    expect(started).toBe(1);
    running.unsubscribe();
    gate.release(pass);
    gate.release(pass);
    expect(gate.readyAt('a.example')).toBeLessThanOrEqual(asyncScheduler.now());
    expect(gate.reserve('a.example').spent).toBe(false);
    expect(gate.readyAt('a.example')).toBe(Infinity);
  });

  it(
    'does not lock up when two requests are redirected to each other’s host',
    marbles((m) => {
      const gate = gateWith({ perHost: 1 });
      const visit = (from: string, to: string): Observable<string> => {
        const pass = gate.reserve(new URL(from).host);
        return gate
          .exchange(
            from,
            pass,
            m.cold('--(x|)', { x: gate.exchange(to, pass, m.cold<string>('-(r|)')) }),
          )
          .pipe(concatAll());
      };
      m.expect(visit(A, B)).toBeObservable('---(r|)');
      m.expect(visit(B, A)).toBeObservable('---(r|)');
    }),
  );

  it(
    'counts the gap from when a request goes out, and lets none start while one waits for its connection',
    marbles((m) => {
      const gate = gateWith({ delay: 2, perHost: 3 });
      const slowToOpen = (wire?: WireProgress): Observable<string> => {
        wire?.opening();
        return timer(4).pipe(
          tap(() => wire?.sent()),
          map(() => 'a'),
        );
      };
      m.expect(gate.exchange(A, undefined, slowToOpen)).toBeObservable('----(a|)');
      m.expect(gate.exchange(A, undefined, of('b'))).toBeObservable('------(b|)');
      m.expect(gate.exchange(B, undefined, of('c'))).toBeObservable('(c|)');
      const readyAt$ = timer(1).pipe(map(() => gate.readyAt(gate.hostOf(A))));
      m.expect(readyAt$).toBeObservable('-(x|)', { x: Infinity });
    }),
  );

  it(
    'does not wait for a connection that is given up, nor where there is no gap',
    marbles((m) => {
      const never = (wire?: WireProgress): Observable<never> => {
        wire?.opening();
        return NEVER;
      };
      const gate = gateWith({ delay: 2, perHost: 2 });
      m.expect(gate.exchange(A, undefined, never), '^---!').toBeObservable('-----');
      m.expect(gate.exchange(A, undefined, of('b'))).toBeObservable('----(b|)');
      const gapless = gateWith({ perHost: 2 });
      m.expect(gapless.exchange(A, undefined, never), '^---!').toBeObservable('-----');
      m.expect(gapless.exchange(A, undefined, of('b'))).toBeObservable('(b|)');
    }),
  );

  it(
    'keeps the gap also where something comes between a turn and its exchange',
    marbles((m) => {
      const gate = gateWith({ delay: 2, perHost: 3 });
      const visit = (lookup: number): Observable<string> =>
        gate.turn(A).pipe(
          delay(lookup),
          mergeMap((pass) => gate.exchange(A, pass, of('x'))),
        );
      m.expect(visit(3)).toBeObservable('----(x|)');
      m.expect(visit(0)).toBeObservable('--(x|)');
    }),
  );

  it(
    'counts a gap that a host asks for late from its last start',
    marbles((m) => {
      const gate = gateWith({ delay: 1 });
      m.expect(gate.exchange(A, undefined, of('1'))).toBeObservable('(1|)');
      timer(2).subscribe(() => gate.setDelay(A, 5));
      const later = timer(3).pipe(mergeMap(() => gate.exchange(A, undefined, of('2'))));
      m.expect(later).toBeObservable('-----(2|)');
    }),
  );

  it('hands out no place that somebody waits for already', () => {
    const ready: number[] = [];
    const changes: number[] = [];
    new TestScheduler(() => undefined).run(() => {
      const gate = gateWith({ perHost: 1, delay: 4 });
      gate.onChange(() => changes.push(asyncScheduler.now()));
      const visit = (from: number, to: number): void => {
        const exchange$ = gate.exchange(A, undefined, timer(1));
        timer(from)
          .pipe(
            mergeMap(() => exchange$),
            takeUntil(timer(to)),
          )
          .subscribe();
      };
      visit(0, 99);
      visit(2, 99);
      visit(3, 6);
      for (const at of [1.5, 2.5, 4.5, 5.5, 6.5]) {
        timer(at).subscribe(() => ready.push(gate.readyAt('a.example')));
      }
    });
    expect(ready).toEqual([4, Infinity, Infinity, Infinity, 8]);
    // Two exchanges end, and one has waited in vain.
    expect(changes).toEqual([1, 5, 6]);
  });

  it('keeps no place of an exchange that cannot be made', () => {
    const gate = gateWith({ perHost: 1 });
    const errors: unknown[] = [];
    const broken = (): never => {
      throw new Error('broken');
    };
    for (let n = 0; n < 3; n += 1) {
      gate
        .exchange(A, undefined, broken)
        .subscribe({ error: (error: unknown) => errors.push(error) });
    }
    expect(errors).toHaveLength(3);
    expect(gate.readyAt('a.example')).toBeLessThan(Infinity);
  });

  it('forgets hosts that are idle: 100,000 of them leave little behind', () => {
    const gate = gateWith({ perHost: 2 });
    for (let n = 0; n < 100_000; n += 1) {
      gate.exchange(`https://h${n}.example/`, undefined, of(n)).subscribe();
    }
    expect(gate.size).toBeLessThan(3_000);
  });

  it('remembers the gaps that hosts have asked for, but not of endless hosts', () => {
    const gate = gateWith({});
    const host = (n: number): string => `https://h${n}.example/`;
    for (let n = 0; n < 30_000; n += 1) gate.setDelay(host(n), 5);
    expect(gate.size).toBeLessThan(12_100);
    expect([gate.delayOf(host(29_999)), gate.delayOf(host(21_000))]).toEqual([5, 5]);
    expect(gate.delayOf(host(0))).toBe(0);
  });

  it('runs 10,000 synchronous exchanges of one host without a deep stack', () => {
    const gate = gateWith({ perHost: 1 });
    const first = gate.exchange(A, undefined, NEVER).subscribe();
    let done = 0;
    for (let n = 0; n < 10_000; n += 1) {
      gate.exchange(A, undefined, of(n)).subscribe(() => (done += 1));
    }
    first.unsubscribe();
    expect(done).toBe(10_000);
  });

  it('gets every place back, whenever those who asked for it are gone', () => {
    const visit = fc.record({
      at: fc.nat(20),
      goneAfter: fc.nat(30),
      opens: fc.nat(6),
      takes: fc.nat(6),
      how: fc.constantFrom('alone', 'reserved', 'in turn'),
    });
    const limits = fc.record({
      perHost: fc.integer({ min: 1, max: 3 }),
      delay: fc.nat(3),
      gap: fc.nat(5),
      hold: fc.nat(8),
    });
    fc.assert(
      fc.property(
        limits,
        fc.array(visit, { maxLength: 12 }),
        ({ gap, hold, ...options }, visits) => {
          let isFree = false;
          let ended = 0;
          new TestScheduler(() => undefined).run(() => {
            const gate = gateWith(options);
            timer(5).subscribe(() => {
              gate.setDelay(A, gap);
              gate.hold(A, hold);
            });
            for (const { at, goneAfter, opens, takes, how } of visits) {
              const run = (pass?: HostPass): Observable<unknown> =>
                gate.exchange(A, pass, (wire) => {
                  wire?.opening();
                  return timer(opens).pipe(
                    tap(() => wire?.sent()),
                    delay(takes),
                  );
                });
              const begin = (): Observable<unknown> => {
                if (how === 'in turn') {
                  return gate
                    .turn(A)
                    .pipe(mergeMap((pass) => run(pass).pipe(finalize(() => gate.release(pass)))));
                }
                if (how === 'alone' || gate.readyAt('a.example') > asyncScheduler.now())
                  return run();
                const pass = gate.reserve('a.example');
                return run(pass).pipe(finalize(() => gate.release(pass)));
              };
              timer(at)
                .pipe(mergeMap(begin), takeUntil(timer(at + goneAfter)))
                .subscribe({ complete: () => (ended += 1) });
            }
            // Longer than all of them can take.
            timer(1_000).subscribe(() => {
              isFree = gate.readyAt('a.example') <= asyncScheduler.now();
              gate.close();
            });
          });
          expect([ended, isFree]).toEqual([visits.length, true]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps gap and width for any mix of hosts, moments, and times to open and to end', () => {
    const wish = fc.record({
      host: fc.integer({ min: 0, max: 2 }),
      at: fc.integer({ min: 0, max: 40 }),
      opens: fc.integer({ min: 0, max: 20 }),
      takes: fc.integer({ min: 0, max: 20 }),
    });
    const limits = fc.record({
      perHost: fc.integer({ min: 1, max: 3 }),
      delay: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 30 }), limits, (wishes, options) => {
        marbles(() => {
          const gate = gateWith(options);
          const starts = new Map<number, number[]>();
          const running = new Map<number, number>();
          for (const { host, at, opens, takes } of wishes) {
            asyncScheduler.schedule(() => {
              gate
                .exchange(`https://h${host}.example/`, undefined, (wire) => {
                  running.set(host, (running.get(host) ?? 0) + 1);
                  expect(running.get(host)).toBeLessThanOrEqual(options.perHost);
                  if (opens > 0) wire?.opening();
                  const opened$ = opens > 0 ? timer(opens).pipe(tap(() => wire?.sent())) : of(0);
                  return opened$.pipe(
                    mergeMap(() => {
                      const now = asyncScheduler.now();
                      const before = starts.get(host) ?? [];
                      expect(now - (before.at(-1) ?? -Infinity)).toBeGreaterThanOrEqual(
                        options.delay,
                      );
                      starts.set(host, [...before, now]);
                      return timer(takes);
                    }),
                    finalize(() => running.set(host, (running.get(host) ?? 0) - 1)),
                  );
                })
                .subscribe();
            }, at);
          }
          asyncScheduler.schedule(() => {
            const total = [...starts.values()].flat().length;
            expect(total).toBe(wishes.length);
          }, 5_000);
        })();
      }),
      { numRuns: 200 },
    );
  });
});

describe('polite', () => {
  it(
    'lets exchanges of a fetcher pass as the limits allow',
    marbles((m) => {
      const site = virtualSite(A, { '/1': { latency: 2 }, '/2': { latency: 2 } });
      const fetcher = polite({ perHost: 1 })(site.fetcher);
      const fetched = m.cold('(ab|)', { a: `${A}1`, b: `${A}2` }).pipe(
        mergeMap((url) => fetcher(request(url))),
        map(({ url }) => url.slice(-1)),
      );
      m.expect(fetched).toBeObservable('--1-(2|)');
    }),
  );

  it('tells its fetcher how to say when a request goes out, and those around it', () => {
    const told: string[] = [];
    const fetcher = polite({})((_request, context) => {
      context?.opening?.();
      context?.sent?.();
      return NEVER;
    });
    fetcher(request(A), {
      attempt: 1,
      opening: () => told.push('opening'),
      sent: () => told.push('sent'),
    }).subscribe();
    fetcher(request(B)).subscribe();
    expect(told).toEqual(['opening', 'sent']);
  });
});

function timerless(act: () => void): Observable<never> {
  return new Observable(() => {
    act();
  });
}
