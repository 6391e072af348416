import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactSet, fingerprintSet, hash64 } from '../../src/core/index.js';

describe.each([
  ['exactSet', () => exactSet()],
  ['fingerprintSet', () => fingerprintSet()],
])('%s', (_name, make) => {
  it('says of each key whether it is new, as a Set would', () => {
    fc.assert(
      fc.property(fc.array(fc.webUrl({ withFragments: false })), (urls) => {
        const seen = make();
        const model = new Set<string>();
        for (const url of [...urls, ...urls]) {
          expect(seen.add(url)).toBe(!model.has(url));
          model.add(url);
        }
        expect(seen.size).toBe(model.size);
      }),
    );
  });

  it('takes names of object members for keys like any other', () => {
    const seen = make();
    const keys = ['__proto__', 'constructor', 'toString', ''];
    expect(keys.map((key) => seen.add(key))).toEqual([true, true, true, true]);
    expect(keys.map((key) => seen.add(key))).toEqual([false, false, false, false]);
  });
});

describe('fingerprintSet', () => {
  it('knows a million URLs apart, and each again', () => {
    const seen = fingerprintSet(1_000);
    const url = (n: number): string => `https://example.org/products/item-${n}?page=${n % 7}`;
    let wrong = 0;
    for (let n = 0; n < 1_000_000; n += 1) if (!seen.add(url(n))) wrong += 1;
    for (let n = 0; n < 1_000_000; n += 997) if (seen.add(url(n))) wrong += 1;
    expect(wrong).toBe(0);
    expect(seen.size).toBe(1_000_000);
  });

  it.each([0, -1, NaN, Infinity])('refuses to make room for %s URLs', (expected) => {
    expect(() => fingerprintSet(expected)).toThrow(RangeError);
  });
});

describe('hash64', () => {
  it('uses all 64 bits: texts that differ in one place differ in about half of them', () => {
    const bits = (n: number): number => n.toString(2).replaceAll('0', '').length;
    let changed = 0;
    for (let n = 0; n < 1_000; n += 1) {
      const a = hash64(`https://example.org/${n}`);
      const b = hash64(`https://example.org/${n + 1}`);
      changed += bits((a.high ^ b.high) >>> 0) + bits((a.low ^ b.low) >>> 0);
    }
    expect(changed / 1_000).toBeGreaterThan(30);
    expect(changed / 1_000).toBeLessThan(34);
  });
});
