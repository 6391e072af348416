import { describe, expect, it } from 'vitest';
import { canonicalizer, exactSet, fingerprintSet } from '../src/index.js';

/** Ways in which URLs differ by a little, and yet are different pages. */
const SHAPES: readonly ((n: number) => string)[] = [
  (n) => `/a/${n}`,
  (n) => `/a/${n}/`,
  (n) => `/A/${n}`,
  (n) => `/a/${n}?`,
  (n) => `/a?n=${n}`,
  (n) => `/a?n=${n}&b`,
  (n) => `/a?b&n=${n}`,
  (n) => `/a%2F${n}`,
  (n) => `//a/${n}`,
  (n) => `/a/${n}?x=1+2`,
  (n) => `/a/${n}?x=1%2B2`,
  (n) => `/a/${n}?x=1%202`,
  (n) => `/a;v=${n}`,
  (n) => `/a/${n}/index.html`,
  (n) => `/%C3%A9/${n}`,
  (n) => `/%E9/${n}`,
];
const ORIGINS = ['http://h.test', 'https://h.test', 'http://www.h.test', 'http://h.test:8080'];
const COUNT = 1_000_000;

function* different(): Generator<string> {
  for (let n = 0; n < COUNT; n += 1) {
    const shape = SHAPES[n % SHAPES.length] as (n: number) => string;
    const group = Math.floor(n / SHAPES.length);
    yield `${ORIGINS[group % ORIGINS.length] ?? ''}${shape(Math.floor(group / ORIGINS.length))}`;
  }
}

describe('a million URLs of different pages', () => {
  it.each([
    ['exactSet', exactSet],
    ['fingerprintSet', fingerprintSet],
  ])(
    'are all new to %s',
    (_name, make) => {
      const canonical = canonicalizer();
      const seen = make();
      let duplicates = 0;
      for (const url of different()) if (!seen.add(canonical(url))) duplicates += 1;
      expect(duplicates).toBe(0);
      // The same page in another spelling is none of them.
      expect(seen.add(canonical('HTTP://H.test:80/a/./5#part'))).toBe(false);
    },
    30_000,
  );
});
