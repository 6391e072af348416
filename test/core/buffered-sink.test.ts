import fc from 'fast-check';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  mergeMap,
  of,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { bufferedSink, crawl, type Overflow } from '../../src/core/index.js';
import { crawlMarbles, runToEnd, virtualSite } from '../../src/testing/index.js';

describe('bufferedSink', () => {
  it(
    'holds the worker while it is full, as its diagram says',
    crawlMarbles((m) => {
      const saved: [string, number][] = [];
      const sink = bufferedSink(
        (item: string) =>
          timer(3).pipe(
            map(() => {
              saved.push([item, m.scheduler.now()]);
            }),
          ),
        { capacity: 1 },
      );
      const free$ = m.cold('abc------|').pipe(
        concatMap((item) =>
          concat(
            sink(item),
            defer(() => of(item)),
          ),
        ),
      );
      m.expectObservable(free$).toBe('ab-c-----|');
      m.scheduler.schedule(() => {
        expect(saved).toEqual([
          ['a', 3],
          ['b', 6],
          ['c', 9],
        ]);
      }, 20);
    }),
  );

  it('holds the workers of a crawl, and loses nothing', () => {
    const saved: number[] = [];
    let most = 0;
    const sink = bufferedSink(
      (item: number) => {
        // The item itself has just left its place.
        most = Math.max(most, 1 + sink.bufferCounts().size);
        return timer(100).pipe(map(() => saved.push(item)));
      },
      { capacity: 5 },
    );
    const site = virtualSite(() => ({}), { latency: 1 });
    const events = runToEnd(
      concat(
        crawl({
          fetcher: site.fetcher,
          delay: 0,
          sink,
          *handle() {
            for (let item = 0; item < 50; item += 1) yield item;
          },
        })('https://x.example/'),
        defer(() => sink.close('drain')).pipe(ignoreElements()),
      ),
    );
    expect(saved).toEqual(Array.from({ length: 50 }, (_, item) => item));
    expect(most).toBe(5);
    expect(events.findLast(({ event }) => event.type === 'done')?.at).toBe(1 + 44 * 100);
    expect(sink.bufferCounts()).toEqual({
      capacity: 5,
      overflow: 'hold',
      size: 0,
      held: 0,
      saving: 0,
      saved: 50,
      failed: 0,
      dropped: 0,
      closed: 'drain',
    });
  });

  it('keeps the number of items that exist at a time bounded, over 100,000 of them', () => {
    let made = 0;
    let saved = 0;
    let most = 0;
    const sink = bufferedSink(() => timer(100).pipe(map(() => (saved += 1))), { capacity: 10 });
    const site = virtualSite(() => ({ body: '' }));
    runToEnd(
      crawl({
        fetcher: site.fetcher,
        delay: 0,
        sink,
        *handle() {
          for (; made < 100_000; made += 1) {
            most = Math.max(most, made - saved);
            yield made;
          }
        },
      })('https://x.example/'),
    );
    expect(made).toBe(100_000);
    // 10 in the buffer and one being saved, besides the one that is about to be made.
    expect(most).toBe(11);
  });

  it('accounts for every item, under any policy and at any widths', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Overflow>('hold', 'drop-newest', 'drop-oldest'),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(
          fc.record({
            gap: fc.integer({ min: 0, max: 3 }),
            ms: fc.integer({ min: 0, max: 9 }),
            ok: fc.boolean(),
          }),
        ),
        fc.constantFrom<'drain' | 'drop'>('drain', 'drop'),
        (overflow, capacity, concurrency, items, mode) => {
          const order: number[] = [];
          let running = 0;
          const sink = bufferedSink(
            (index: number) => {
              order.push(index);
              running += 1;
              expect(running).toBeLessThanOrEqual(concurrency);
              expect(sink.bufferCounts().size).toBeLessThanOrEqual(capacity);
              const { ms, ok } = items[index]!;
              const end$ = defer(() => {
                running -= 1;
                return ok ? EMPTY : throwError(() => new Error('no'));
              });
              return ms === 0
                ? end$
                : timer(ms).pipe(ignoreElements(), (wait$) => concat(wait$, end$));
            },
            { overflow, capacity, concurrency },
          );
          let failures = 0;
          sink.failures$.subscribe(() => (failures += 1));
          const put$ = from(items).pipe(
            concatMap(({ gap }, index) => concat(timer(gap).pipe(ignoreElements()), sink(index))),
          );
          const ends = runToEnd(
            concat(
              put$,
              defer(() => sink.close(mode)),
            ),
          );
          const counts = ends[0]!.event;
          expect(counts.saved + counts.failed + counts.dropped).toBe(items.length);
          expect(counts).toMatchObject({ size: 0, held: 0, saving: 0, failed: failures });
          expect(counts.closed).toBe(mode);
          if (overflow === 'hold' && mode === 'drain') expect(counts.dropped).toBe(0);
          expect(order).toEqual([...order].sort((a, b) => a - b));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('drops what it is told to drop, and refuses what comes later', () => {
    const saved: string[] = [];
    const sink = bufferedSink((item: string) => timer(10).pipe(map(() => saved.push(item))));
    const errors: unknown[] = [];
    const ends = runToEnd(
      defer(() => {
        for (const item of ['a', 'b', 'c']) sink(item).subscribe();
        const closed$ = sink.close('drop');
        sink('d').subscribe({ error: (error: unknown) => errors.push(error) });
        return closed$;
      }),
    );
    expect(ends).toMatchObject([{ at: 10, event: { saved: 1, dropped: 2, size: 0 } }]);
    expect(saved).toEqual(['a']);
    // A buffer that is dropped cannot be drained any more.
    sink.close('drain');
    expect(sink.bufferCounts()).toMatchObject({ closed: 'drop', dropped: 2 });
    expect(errors).toEqual([new Error('bufferedSink: it is closed and takes no more items')]);
  });

  it('tells once how it was closed, also to who closes it again when told', () => {
    const sink = bufferedSink(() => timer(10));
    const told = runToEnd(
      defer(() => {
        sink('a').subscribe();
        return sink.close('drain').pipe(mergeMap(() => sink.close('drop')));
      }),
    );
    expect(told.map(({ event }) => event.closed)).toEqual(['drain']);
    expect(sink.bufferCounts()).toMatchObject({ closed: 'drain', saved: 1, dropped: 0 });
  });

  it('refuses the items that wait for a place when it is closed', () => {
    const sink = bufferedSink(() => timer(10), { capacity: 1 });
    const outcomes: string[] = [];
    runToEnd(
      defer(() => {
        for (const item of ['a', 'b', 'c']) {
          sink(item).subscribe({
            complete: () => outcomes.push(`${item} taken`),
            error: () => outcomes.push(`${item} refused`),
          });
        }
        return sink.close('drain');
      }),
    );
    expect(outcomes).toEqual(['a taken', 'b taken', 'c refused']);
  });

  it('forgets an item whose worker gave up', () => {
    const saved: string[] = [];
    const sink = bufferedSink((item: string) => timer(10).pipe(map(() => saved.push(item))), {
      capacity: 1,
    });
    runToEnd(
      defer(() => {
        sink('a').subscribe();
        sink('b').subscribe();
        sink('c').subscribe().unsubscribe();
        expect(sink.bufferCounts()).toMatchObject({ held: 0, size: 1, saving: 1 });
        return sink.close('drain');
      }),
    );
    expect(saved).toEqual(['a', 'b']);
  });

  it('refuses wrong options', () => {
    const save = () => EMPTY;
    expect(() => bufferedSink(save, { capacity: 0 })).toThrow('bufferedSink: capacity');
    expect(() => bufferedSink(save, { concurrency: 1.5 })).toThrow('bufferedSink: concurrency');
    expect(() => bufferedSink(save, { overflow: 'panic' as Overflow })).toThrow('got "panic"');
    expect(() => bufferedSink('x' as never)).toThrow('bufferedSink: save');
    const sink = bufferedSink(save);
    expect(() => sink.close('later' as never)).toThrow('close: mode: expected "drain" or "drop"');
    expect(sink.bufferCounts().closed).toBeUndefined();
  });
});
