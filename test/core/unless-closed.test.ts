import { EMPTY, finalize, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import type { Context } from 'rxjs-marbles';
import { describe, expect, it } from 'vitest';
import { type CrawlEvent, request, type SkipReason, unlimited } from '../../src/core/index.js';
import { skipRequest } from '../../src/core/skip.js';
import { unlessClosed } from '../../src/core/unless-closed.js';
import { marbles } from '../helpers/marbles.js';

const A = request('https://a.example/');
const VALUES: Record<'a' | 'b' | 'x', CrawlEvent> = {
  a: { type: 'start', request: A, attempt: 1 },
  b: { type: 'start', request: A, attempt: 2 },
  x: skipRequest(A, 'stopped'),
};

function close(m: Context, marble: string): Observable<SkipReason> {
  return m.hot<SkipReason>(marble, { c: 'stopped' });
}

describe('unlessClosed', () => {
  const signal$ = '--s---';
  const goOn = 'ab|';

  it.each([
    ['------', '--ab|', '^-!'],
    ['-c----', '-(x|)', '^!'],
    ['---c--', '--ab|', '^-!'],
  ])('waits for a signal unless the crawl is closed first: %s', (close$, result, subscribed) => {
    marbles((m) => {
      const context = { ...unlimited(m.scheduler), close$: close(m, close$) };
      const source$ = m.hot(signal$);
      const goOn$ = m.cold<CrawlEvent>(goOn, VALUES);
      const result$ = unlessClosed(source$, A, context, () => goOn$);
      m.expect(result$).toBeObservable(result, VALUES);
      m.expect(source$).toHaveSubscriptions(subscribed);
    })();
  });

  it('skips at once if the crawl is closed already, and asks for no signal', () => {
    let asked = false;
    const context = { ...unlimited(), close$: of<SkipReason>('max-pages') };
    const source$ = new Subject<void>();
    const seen: unknown[] = [];
    unlessClosed(source$, A, context, () => {
      asked = true;
      return EMPTY;
    }).subscribe((event) => seen.push(event));
    expect(seen).toEqual([skipRequest(A, 'max-pages')]);
    expect({ asked, observed: source$.observed }).toEqual({ asked: false, observed: false });
  });

  it('goes on once, whatever the signal does while it does', () => {
    const source$ = new Subject<number>();
    const taken: number[] = [];
    unlessClosed(source$, A, unlimited(), (signal) => {
      taken.push(signal);
      if (signal < 3) source$.next(signal + 1);
      return NEVER;
    }).subscribe();
    source$.next(1);
    expect(taken).toEqual([1]);
    expect(source$.observed).toBe(false);
  });

  it('lets go of all that it waits for, or that follows, when it is left', () => {
    const gone: string[] = [];
    const source$ = new Subject<void>();
    const close$ = new Subject<SkipReason>();
    const context = { ...unlimited(), close$ };
    const waiting = unlessClosed(source$, A, context, () => NEVER).subscribe();
    waiting.unsubscribe();
    expect([source$.observed, close$.observed]).toEqual([false, false]);
    const following = unlessClosed(of(1), A, context, () =>
      NEVER.pipe(finalize(() => gone.push('followed'))),
    ).subscribe();
    expect(close$.observed).toBe(false);
    following.unsubscribe();
    expect(gone).toEqual(['followed']);
  });

  it('hands on errors of the signal, of the end and of what follows', () => {
    const fail = new Error('broken');
    const broken$ = throwError(() => fail);
    const outcome = (result$: Observable<CrawlEvent>): unknown => {
      let seen: unknown;
      result$.subscribe({ error: (error: unknown) => (seen = error) });
      return seen;
    };
    expect(outcome(unlessClosed(broken$, A, unlimited(), () => EMPTY))).toBe(fail);
    expect(outcome(unlessClosed(NEVER, A, { ...unlimited(), close$: broken$ }, () => EMPTY))).toBe(
      fail,
    );
    expect(outcome(unlessClosed(of(1), A, unlimited(), () => broken$))).toBe(fail);
    expect(
      outcome(
        unlessClosed(of(1), A, unlimited(), () => {
          throw fail;
        }),
      ),
    ).toBe(fail);
  });

  it('completes if neither a signal nor the end can come any more', () => {
    let completed = false;
    unlessClosed(EMPTY, A, { ...unlimited(), close$: EMPTY }, () => NEVER).subscribe({
      complete: () => (completed = true),
    });
    expect(completed).toBe(true);
  });
});
