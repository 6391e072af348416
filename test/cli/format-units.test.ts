import { describe, expect, it } from 'vitest';
import { formatBytes, formatElapsed, formatMs, plural } from '../../src/cli/format-units.js';

describe('units for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [1_234_567, '1.2 MB'],
    [5e18, '5000000.0 TB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0, '0s'],
    [59_999, '59s'],
    [95_000, '1m 35s'],
    [3_600_000, '1h 0m'],
  ])('%d ms have taken %s', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });

  it('has short times and plurals', () => {
    expect([formatMs(12.6), formatMs(1_250)]).toEqual(['13 ms', '1.3 s']);
    expect([plural(1, 'page'), plural(2, 'page')]).toEqual(['1 page', '2 pages']);
  });
});
