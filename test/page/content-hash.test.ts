import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash } from 'rxcrawl';
import { cpuTime } from '../helpers/cpu-time.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hash = (text: string): number => contentHash(bytes(text));

describe('contentHash', () => {
  it.each([
    [
      'links',
      '<p>No entries <a href="?page=31">next</a>',
      '<p>No entries <a href="?page=32">next</a>',
    ],
    ['tags', '<div><b>a</b></div>', '<p>a'],
    ['blanks', 'a  b\n\tc', 'abc'],
    ['comments', 'a<!-- 12:00 > -->b', 'a<!-- 12:01 --> b'],
    ['scripts', 'a<script>t = 1 < 2</script>b', 'a<SCRIPT async>t = 3</ScRiPt >b'],
    ['styles', '<style>p > a {}</style>a', 'a'],
  ])('does not see %s', (_what, one, other) => {
    expect(hash(one)).toBe(hash(other));
  });

  it.each([
    ['text', '<p>31 of 40', '<p>32 of 40'],
    ['the order of words', 'a b', 'b a'],
    ['text after a tag whose name only begins like a script', '<scripts>a', '<scripts>b'],
    ['text after a script', '<script></script>a', '<script></script>b'],
    ['text in an element', '<strong>a</strong>', '<strong>b</strong>'],
  ])('sees %s', (_what, one, other) => {
    expect(hash(one)).not.toBe(hash(other));
  });

  it('takes any bytes, and gives a whole number of 53 bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        const value = contentHash(input);
        expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
        expect(contentHash(Uint8Array.from([0, ...input]).subarray(1))).toBe(value);
      }),
    );
    for (const open of ['<', '<!--', '<!', '<script', '<script>', '<style></styl', '<!-->']) {
      expect(hash(`a${open}`)).toBe(hash('a'));
    }
  });

  it('has no collision among 100,000 texts', () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, n) => hash(`page ${n}`)));
    expect(hashes.size).toBe(100_000);
  });

  it.each(['<', '<!--', '<!-- -', '<script>', '<script></', '<style><', 'a'])(
    'takes linear time for many %j',
    (piece) => {
      const input = bytes(piece.repeat(Math.ceil(4_000_000 / piece.length)));
      expect(cpuTime(() => contentHash(input))).toBeLessThan(500);
    },
  );
});
