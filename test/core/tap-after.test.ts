import { Observable, of, Subject, take, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { tapAfter } from '../../src/core/tap-after.js';

describe('tapAfter', () => {
  it('acts on a value when it has gone out', () => {
    const seen: string[] = [];
    of('a', 'b')
      .pipe(tapAfter((value) => seen.push(`after ${value}`)))
      .subscribe({ next: (value) => seen.push(value), complete: () => seen.push('|') });
    expect(seen).toEqual(['a', 'after a', 'b', 'after b', '|']);
  });

  it('does not act on a value that made the consumer unsubscribe', () => {
    const acted: string[] = [];
    of('a', 'b', 'c')
      .pipe(
        tapAfter((value) => acted.push(value)),
        take(2),
      )
      .subscribe();
    expect(acted).toEqual(['a']);
  });

  it('hands on errors and unsubscribes from its source', () => {
    const error = new Error('mine');
    const seen: unknown[] = [];
    throwError(() => error)
      .pipe(tapAfter(() => {}))
      .subscribe({ error: (each: unknown) => seen.push(each) });
    expect(seen).toEqual([error]);
    const source$ = new Subject<number>();
    source$
      .pipe(tapAfter(() => {}))
      .subscribe()
      .unsubscribe();
    expect(source$.observed).toBe(false);
  });

  it('lets a consumer leave an endless synchronous source', () => {
    const endless$ = new Observable<number>((subscriber) => {
      for (let n = 0; !subscriber.closed; n++) subscriber.next(n);
    });
    const seen: number[] = [];
    endless$
      .pipe(
        tapAfter(() => {}),
        take(3),
      )
      .subscribe((n) => seen.push(n));
    expect(seen).toEqual([0, 1, 2]);
  });

  it('errors with what `act` throws', () => {
    const error = new Error('mine');
    const seen: unknown[] = [];
    of('a', 'b')
      .pipe(
        tapAfter(() => {
          throw error;
        }),
      )
      .subscribe({ next: (each) => seen.push(each), error: (each: unknown) => seen.push(each) });
    expect(seen).toEqual(['a', error]);
  });
});
