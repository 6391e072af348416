import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCount } from '../../src/cli/parse-count.js';
import { parseDuration } from '../../src/cli/parse-duration.js';
import { parseSize } from '../../src/cli/parse-size.js';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2_000],
    ['1.5s', 1_500],
    ['1m', 60_000],
    ['1h', 3_600_000],
    ['0', 0],
    ['0s', 0],
    ['596h', 2_145_600_000],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '5',
    '',
    's',
    '-1s',
    '+1s',
    '1 s',
    '1S',
    '1d',
    '1.s',
    '.5s',
    '1e3ms',
    '597h',
    '٥s',
    '1s ',
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('reads what it can show', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (ms) => {
        expect(parseDuration(`${ms}ms`)).toBe(ms);
      }),
    );
  });
});

describe('parseSize', () => {
  it.each([
    ['0B', 0],
    ['512B', 512],
    ['10MB', 10_000_000],
    ['10mb', 10_000_000],
    ['512KiB', 524_288],
    ['1.5MiB', 1_572_864],
    ['2GB', 2_000_000_000],
    ['1GiB', 1_073_741_824],
  ])('reads %s', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['10', '', 'MB', '-1MB', '1 MB', '1TB', '1K', '1e3B', '999999999999999GB'])(
    'refuses %j',
    (text) => {
      expect(parseSize(text)).toBeUndefined();
    },
  );
});

describe('parseCount', () => {
  it('reads digits alone, from the least on', () => {
    expect(parseCount('16', 1)).toBe(16);
    expect(parseCount('0', 0)).toBe(0);
    expect(parseCount('8', 1, 8)).toBe(8);
    expect(parseCount('9', 1, 8)).toBeUndefined();
    for (const text of ['0', '-1', '', '1.0', '0x10', '1_000', ' 1', '9'.repeat(16)]) {
      expect(parseCount(text, 1)).toBeUndefined();
    }
  });
});
