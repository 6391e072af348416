import { concatMap, delay, EMPTY, from, mergeMap, of, toArray, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { drop, passed, pipeline, type PipelineEvent } from '../../src/items/index.js';
import { marbles } from '../helpers/marbles.js';

/** What comes out, where all is synchronous. */
function collect<T>(source$: Observable<T>): T[] {
  const values: T[] = [];
  source$.subscribe((value) => values.push(value));
  return values;
}

describe('pipeline', () => {
  it('gives each step what the one before returned', () => {
    const run = pipeline(
      (n: number) => n + 1,
      (n) => `${n}!`,
      (text) => ({ text }),
    );
    expect(collect(run(1))).toEqual([{ type: 'item', source: 1, item: { text: '2!' } }]);
  });

  it('keeps the item where a step returns nothing', () => {
    const seen: unknown[] = [];
    const run = pipeline(
      (item: { n: number }) => void seen.push(item.n),
      () => EMPTY,
      ({ n }) => n * 2,
    );
    expect(collect(run({ n: 4 }))).toMatchObject([{ type: 'item', item: 8 }]);
    expect(seen).toEqual([4]);
  });

  it('takes null, false, 0, arrays and texts for items', () => {
    for (const item of [null, false, 0, '', 'ab', [1, 2]]) {
      expect(collect(pipeline(() => item)(1))).toEqual([{ type: 'item', source: 1, item }]);
    }
  });

  it('ends the way of an item that is dropped, and says why', () => {
    const seen: number[] = [];
    const run = pipeline(
      (n: number) => (n % 2 === 0 ? n : drop('odd')),
      (n) => void seen.push(n),
    );
    expect(collect(from([1, 2]).pipe(concatMap(run)))).toEqual([
      { type: 'drop', source: 1, step: 0, reason: 'odd' },
      { type: 'item', source: 2, item: 2 },
    ]);
    expect(seen).toEqual([2]);
  });

  it('stops at the first error, of that item alone', () => {
    const error = new Error('bad');
    const seen: number[] = [];
    const run = pipeline(
      (n: number) => {
        if (n === 1) throw error;
      },
      (n) => void seen.push(n),
    );
    expect(collect(from([1, 2]).pipe(concatMap(run)))).toEqual([
      { type: 'error', source: 1, errors: [{ step: 0, error }] },
      { type: 'item', source: 2, item: 2 },
    ]);
    expect(seen).toEqual([2]);
  });

  it('goes on behind an error if told so, and reports all', () => {
    const run = pipeline(
      (_n: number) => {
        throw new Error('one');
      },
      (n) => n,
      async () => Promise.reject(new Error('three')),
      { failFast: false },
    );
    const events: PipelineEvent<number, unknown>[] = [];
    return new Promise<void>((resolve) => {
      run(1).subscribe({ next: (event) => events.push(event), complete: resolve });
    }).then(() => {
      expect(events).toEqual([
        {
          type: 'error',
          source: 1,
          errors: [
            { step: 0, error: new Error('one') },
            { step: 2, error: new Error('three') },
          ],
        },
      ]);
    });
  });

  it('waits for promises and for the last value of Observables', async () => {
    const run = pipeline(
      async (n: number) => Promise.resolve(n + 1),
      (n) => of(n, n * 10),
      (n) => Promise.resolve(n === 20 ? undefined : drop('?')),
    );
    const events = await new Promise((resolve) => run(1).pipe(toArray()).subscribe(resolve));
    expect(events).toEqual([{ type: 'item', source: 1, item: 20 }]);
  });

  it('is cold', () => {
    let calls = 0;
    const run$ = pipeline((n: number) => n + ++calls)(1);
    expect(calls).toBe(0);
    expect(collect(run$)).toMatchObject([{ item: 2 }]);
    expect(collect(run$)).toMatchObject([{ item: 3 }]);
  });

  it(
    'ends each item as one event',
    marbles((m) => {
      const input = ' a--b--c|';
      const output = 'i--d--e|';
      const run = pipeline((name: string) => {
        if (name === 'c') throw new Error('c');
        return name === 'b' ? drop('b') : name;
      });
      m.expect(m.cold(input).pipe(concatMap(run))).toBeObservable(output, {
        i: { type: 'item', source: 'a', item: 'a' },
        d: { type: 'drop', source: 'b', step: 0, reason: 'b' },
        e: { type: 'error', source: 'c', errors: [{ step: 0, error: new Error('c') }] },
      });
    }),
  );

  it(
    'lets the caller choose how many run at once',
    marbles((m) => {
      const slow = pipeline((name: string) => of(name).pipe(delay(3)));
      const ended = (name: string) => ({ type: 'item', source: name, item: name }) as const;
      const values = { x: ended('a'), y: ended('b') };
      m.expect(m.cold('(ab|)').pipe(concatMap(slow))).toBeObservable('---x--(y|)', values);
      m.expect(m.cold('(ab|)').pipe(mergeMap(slow))).toBeObservable('---(xy|)', values);
    }),
  );

  it('takes no drop without a reason', () => {
    expect(() => drop(undefined as never)).toThrow('drop: reason: expected a string');
  });

  it('refuses what is no step', () => {
    expect(() => pipeline('trim' as never)).toThrow('pipeline: step 0: expected a function');
    expect(() => (pipeline as () => unknown)()).toThrow('expected at least one step, got none');
    const step = (item: number) => item;
    expect(() => pipeline(step, { failFast: true } as never, step)).toThrow(
      'pipeline: step 1: expected a function',
    );
  });
});

describe('passed', () => {
  it(
    'gives the items that came through',
    marbles((m) => {
      const events = '-i-d-e-i|';
      const items = ' -i-----i|';
      const values = {
        i: { type: 'item', source: 1, item: 2 },
        d: { type: 'drop', source: 1, step: 0, reason: '' },
        e: { type: 'error', source: 1, errors: [] },
      } as const;
      m.expect(m.cold(events, values).pipe(passed())).toBeObservable(items, { i: 2 });
    }),
  );
});
