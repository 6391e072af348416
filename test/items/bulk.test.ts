import {
  catchError,
  concat,
  finalize,
  ignoreElements,
  NEVER,
  of,
  take,
  throwError,
  timer,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { CrawlError } from '../../src/core/index.js';
import { bulk, bulkSink } from '../../src/items/index.js';
import { marbles } from '../helpers/marbles.js';

describe('bulk', () => {
  it(
    'saves by size and by time, and passes items on when they are stored',
    marbles((m) => {
      const items = ' a-b---c-------|';
      const stored = '---(ab)----c--|';
      const saves: [number, ...string[]][] = [];
      const result$ = m.cold(items).pipe(
        bulk(2, 4, (batch: readonly string[]) => {
          saves.push([m.scheduler.now(), ...batch]);
          return timer(1);
        }),
        finalize(() => {
          expect(saves).toEqual([
            [2, 'a', 'b'],
            [10, 'c'],
          ]);
        }),
      );
      m.expect(result$).toBeObservable(stored);
    }),
  );

  it(
    'saves one batch at a time, and what is left when the stream ends',
    marbles((m) => {
      const items = ' (abcde|)';
      const stored = '-----(ab)-(cd)-(e|)';
      const result$ = m.cold(items).pipe(bulk(2, 100, () => timer(5)));
      m.expect(result$).toBeObservable(stored);
    }),
  );

  it(
    'tries a batch again, then fails its items',
    marbles((m) => {
      const tries: number[] = [];
      const failing = () => {
        tries.push(m.scheduler.now());
        return throwError(() => new Error('down'));
      };
      const result$ = m.cold('a|').pipe(
        bulk(1, 10, failing, { retry: (attempt) => (attempt < 3 ? attempt * 5 : null) }),
        catchError((error: unknown) => of((error as Error).message)),
        finalize(() => expect(tries).toEqual([0, 5, 15])),
      );
      m.expect(result$).toBeObservable(`15ms (x|)`, { x: 'a batch of 1 was not saved' });
    }),
  );

  it('saves what is there when the stream errors, and on unsubscribe', () => {
    const saved: (readonly number[])[] = [];
    const save = (batch: readonly number[]) => {
      saved.push(batch);
      return of(null);
    };
    const errors: unknown[] = [];
    concat(
      of(1, 2),
      throwError(() => 'mine'),
    )
      .pipe(bulk(10, 1000, save))
      .subscribe({ error: (error: unknown) => errors.push(error) });
    concat(of(3), NEVER)
      .pipe(bulk(10, 1000, save))
      .subscribe()
      .unsubscribe();
    expect(saved).toEqual([[1, 2], [3]]);
    expect(errors).toEqual(['mine']);
  });

  it('leaves no clock behind', () => {
    const scheduler = new TestScheduler(() => undefined);
    const saved: (readonly number[])[] = [];
    scheduler.run(() => {
      const save = (batch: readonly number[]) => {
        saved.push([scheduler.now(), ...batch]);
        return of(null);
      };
      timer(0, 3)
        .pipe(take(5), bulk(2, 100, save))
        .subscribe();
    });
    expect(saved).toEqual([
      [3, 0, 1],
      [9, 2, 3],
      [12, 4],
    ]);
    expect(scheduler.now()).toBeLessThan(100);
  });

  it.each([undefined, -1, NaN, 'soon', 2 ** 31])('gives up where retry returns %s', (wait) => {
    let tries = 0;
    let error: unknown;
    const failing = () => {
      tries += 1;
      return throwError(() => new Error('down'));
    };
    of('a')
      .pipe(bulk(1, 10, failing, { retry: () => wait as number }))
      .subscribe({ error: (thrown: unknown) => (error = thrown) });
    expect(tries).toBe(1);
    expect(error).toMatchObject({
      code: 'sink-failed',
      cause: { message: expect.stringContaining('bulk: what retry returned') as string },
    });
  });

  it('gives up where the next try would never come', () => {
    let error: unknown;
    of('a')
      .pipe(bulk(1, 10, () => throwError(() => new Error('down')), { retry: () => Infinity }))
      .subscribe({ error: (thrown: unknown) => (error = thrown) });
    expect(error).toMatchObject({ code: 'sink-failed', cause: { message: 'down' } });
  });

  it(
    'saves by size alone where there is no time',
    marbles((m) => {
      const result$ = m.cold('ab---------c--|').pipe(bulk(2, Infinity, () => timer(1)));
      m.expect(result$).toBeObservable('--(ab)---------(c|)');
    }),
  );

  it('refuses wrong arguments', () => {
    expect(() => bulk(0, 1, () => of(1))).toThrow('bulk: size: expected');
    expect(() => bulk(1, -1, () => of(1))).toThrow('bulk: ms: expected');
    expect(() => bulkSink(1, 1, null as never)).toThrow('bulkSink: save: expected a function');
    expect(() => bulk(1, 1, () => of(1), { tries: 2 } as never)).toThrow('unknown option "tries"');
  });
});

describe('bulkSink', () => {
  it(
    'holds each item until its batch is stored, and refuses items when it is closed',
    marbles((m) => {
      const sink = bulkSink<string>(2, 5, () => timer(2));
      m.expect(sink('a')).toBeObservable('-------(a|)');
      const late$ = concat(timer(20), sink.close(), sink('b')).pipe(ignoreElements());
      const closed = new CrawlError('sink-failed', 'the output is closed');
      m.expect(late$).toBeObservable('20ms #', undefined, closed);
    }),
  );
});
