import fc from 'fast-check';
import { EMPTY, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { balanceSinks, type BalanceBy, bufferedSink, type Sink } from '../../src/core/index.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

const page = { links: [] };

/** Crawls one page that yields the numbers from 0 on; tells which sink had which. */
function stored(by: BalanceBy | undefined, count: number, sinks: readonly Sink<number>[]) {
  const had: [string, number][] = [];
  const sink = balanceSinks<number>(
    sinks.map((each, index) => {
      const id = 'abc'.charAt(index);
      return {
        id,
        sink: (item, request) => {
          had.push([id, item]);
          return each(item, request);
        },
      };
    }),
    { by },
  );
  const run = virtualCrawl<number>(
    { [`${ORIGIN}/`]: page },
    { sink, handle: () => Array.from({ length: count }, (_, item) => item) },
  );
  return { had, run, sink };
}

const quick: Sink<number> = () => undefined;

describe('balanceSinks', () => {
  it.each([
    [undefined, 'abcabc'],
    ['round-robin', 'abcabc'],
    ['least-in-flight', 'aaaaaa'],
    [({ id }: { id: string }) => (id === 'b' ? 0 : 1), 'bbbbbb'],
  ] as const)('hands items out by %s', (by, expected) => {
    const { had } = stored(by, 6, [quick, quick, quick]);
    expect(had.map(([id]) => id).join('')).toBe(expected);
  });

  it('holds the worker until the one that was chosen has taken the item, and counts', () => {
    const slow: Sink<number> = () => timer(100);
    const broken: Sink<number> = () => throwError(() => new Error('no'));
    const { run, sink, had } = stored(undefined, 3, [slow, quick, broken]);
    expect(had).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
    expect(run.lines('failure')).toEqual(['fail / sink-failed']);
    expect(run.times('failure')[0]).toMatch(/^100 /);
    const none = { size: 0, held: 0, dropped: 0 };
    const each = { called: 1, accepted: 1, inFlight: 0 };
    expect(sink.counts()).toEqual([
      { id: 'a', ...each, completed: 1, extra: { failed: 0, ...none } },
      { id: 'b', ...each, completed: 1, extra: { failed: 0, ...none } },
      { id: 'c', ...each, completed: 0, extra: { failed: 1, ...none } },
    ]);
  });

  it('counts one that throws, and tells how full their buffers are', () => {
    const throwing: Sink<number> = () => {
      throw new Error('no');
    };
    const { sink } = stored('round-robin', 2, [
      bufferedSink(() => timer(1_000), { capacity: 1 }),
      throwing,
    ]);
    expect(sink.counts()).toMatchObject([
      { called: 1, completed: 1, extra: { size: 0 } },
      { called: 1, accepted: 0, completed: 0, inFlight: 0, extra: { failed: 1 } },
    ]);
    const buffer = bufferedSink(() => timer(10), { capacity: 2, overflow: 'drop-newest' });
    stored(undefined, 5, [buffer]);
    const counted = balanceSinks([{ id: 'x', sink: buffer }]);
    expect(counted.counts()).toMatchObject([{ extra: { size: 0, held: 0, dropped: 2 } }]);
  });

  it.each(STRATEGIES)('loses no item with %s, whichever sinks fail', (_name, makeStrategy) => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.boolean(), { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom<BalanceBy>('score', 'round-robin', 'least-in-flight'),
        (scripts, by) => {
          const sink = balanceSinks<string>(
            scripts.map((script, index) => {
              let call = 0;
              const next = (): boolean => script[call++] ?? false;
              return {
                id: String(index),
                sink: () => (next() ? throwError(() => new Error('no')) : timer(3)),
              };
            }),
            { by },
          );
          const urls = Array.from({ length: 8 }, (_, n) => `${ORIGIN}/${n}`);
          const run = virtualCrawl<string>(Object.fromEntries(urls.map((url) => [url, page])), {
            seeds: urls,
            sink,
            strategy: makeStrategy(3),
            handle: ({ url }) => [url],
          });
          const counts = sink.counts();
          const sum = (of: (each: (typeof counts)[number]) => number) =>
            counts.map(of).reduce((a, b) => a + b, 0);
          expect(sum(({ called }) => called)).toBe(8);
          expect(run.stats.done + run.stats.failed).toBe(8);
          expect(sum(({ completed }) => completed)).toBe(run.stats.done);
          expect(sum(({ extra }) => extra?.['failed'] ?? 0)).toBe(run.stats.failed);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('refuses lists and options that are wrong', () => {
    const one = { id: 'a', sink: () => EMPTY };
    expect(() => balanceSinks([])).toThrow('balanceSinks: sinks: expected a list of at least one');
    expect(() => balanceSinks(undefined as never)).toThrow('got undefined');
    expect(() => balanceSinks([one, one])).toThrow('expected different ids, got "a" twice');
    expect(() => balanceSinks([{ ...one, id: '' }])).toThrow('sinks[0]: id: expected a name');
    expect(() => balanceSinks([{ id: 'a' } as never])).toThrow(
      'sinks[0]: sink: expected a function',
    );
    expect(() => balanceSinks([one], { by: 'luck' as never })).toThrow(
      'balanceSinks: by: expected',
    );
  });
});
