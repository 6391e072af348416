import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexOf } from '../../../src/fetch/robots/index-of.js';

it('finds what String.indexOf finds', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
  fc.assert(
    fc.property(
      letters(0, 40),
      letters(1, 3),
      fc.nat({ max: 100 }),
      fc.nat({ max: 30 }),
      (before, period, times, from) => {
        const part = period.repeat(times);
        const text = `${before}${part}${before}${part}ab`;
        expect(indexOf(text, part, from)).toBe(text.indexOf(part, from));
        expect(indexOf(before + part, `${part}b`, from)).toBe(
          (before + part).indexOf(`${part}b`, from),
        );
      },
    ),
  );
});

it('finds a long part only at or behind the start', () => {
  const part = 'ab'.repeat(50);
  expect(indexOf(`${part}${part}`, part, 1)).toBe(2);
  expect(indexOf(part, part, 1)).toBe(-1);
});
