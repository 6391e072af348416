import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fifo } from '../../src/core/fifo.js';

describe('Fifo', () => {
  it('behaves as an array with push, shift and removal by value', () => {
    const operation = fc.oneof(
      fc.integer().map((value) => ({ push: value })),
      fc.constant({ shift: true as const }),
      fc.integer({ min: 0, max: 5 }).map((nth) => ({ remove: nth })),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const fifo = new Fifo<{ value: number }>();
        const model: { value: number }[] = [];
        for (const each of operations) {
          if ('push' in each) {
            const entry = { value: each.push };
            fifo.push(entry);
            model.push(entry);
          } else if ('shift' in each) {
            expect(fifo.shift()).toBe(model.shift());
          } else {
            const entry = model[each.remove] ?? { value: 0 };
            expect(fifo.remove(entry)).toBe(model.includes(entry));
            if (model.includes(entry)) model.splice(model.indexOf(entry), 1);
          }
          expect(fifo.size).toBe(model.length);
        }
        expect(fifo.find(() => true)).toBe(model[0]);
      }),
    );
  });

  it('keeps its order past the point where it compacts', () => {
    const fifo = new Fifo<number>();
    const out: (number | undefined)[] = [];
    for (let n = 0; n < 10_000; n += 1) fifo.push(n);
    for (let n = 0; n < 10_000; n += 1) out.push(fifo.shift());
    expect(out).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
    expect(fifo.shift()).toBeUndefined();
  });
});
