import { take } from 'rxjs';
import { describe, it } from 'vitest';
import { progressLines, type Standing } from '../../src/cli/progress-lines.js';
import { marbles } from '../helpers/marbles.js';

const IDLE: Standing = {
  done: 0,
  failed: 0,
  skipped: 0,
  queued: 0,
  inFlight: 0,
  bytes: 0,
  heldHosts: 0,
};

describe('progressLines', () => {
  it(
    'gives a line each period, with the rates of the window alone',
    marbles((m) => {
      const standing = { ...IDLE };
      m.cold('450ms (a|)').subscribe(() => Object.assign(standing, { done: 10, bytes: 10_000 }));
      m.cold('1350ms (a|)').subscribe(() => Object.assign(standing, { done: 20, bytes: 20_000 }));
      const lines$ = progressLines(() => standing, {
        every: 900,
        window: 1_800,
        scheduler: m.scheduler,
      }).pipe(take(4));
      const line = (text: string): string => {
        const [done, rate, bytes, elapsed] = text.split(' ');
        return (
          `${done} done, 0 queued, 0 in flight, 0 failed, 0 skipped, ` +
          `${rate} pages/s, ${bytes?.replace('_', ' ')}/s, ${elapsed}`
        );
      };
      m.expect(lines$).toBeObservable('900ms a 899ms b 899ms c 899ms (d|)', {
        a: line('10 11.1 11.1_kB 0s'),
        b: line('20 11.1 11.1_kB 1s'),
        c: line('20 5.6 5.6_kB 2s'),
        d: line('20 0.0 0_B 3s'),
      });
    }),
  );

  it(
    'shows everything, and held hosts only if there are any',
    marbles((m) => {
      const standing: Standing = {
        done: 31,
        failed: 2,
        skipped: 14,
        queued: 120,
        inFlight: 16,
        bytes: 4_100_000,
        heldHosts: 1,
      };
      const lines$ = progressLines(() => standing, {
        every: 10_000,
        window: 10_000,
        scheduler: m.scheduler,
      }).pipe(take(1));
      m.expect(lines$).toBeObservable('10s (a|)', {
        a: '31 done, 120 queued, 16 in flight, 2 failed, 14 skipped, 3.1 pages/s, 410.0 kB/s, 1 host held, 10s',
      });
    }),
  );
});
