import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/core/parse-retry-after.js';
import { describeShared } from '../helpers/shared-cases.js';

const NOW = Date.UTC(2026, 5, 15, 12, 0, 0);

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['007', 7000],
    [' 5\t', 5000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Mon, 15 Jun 2026 12:00:30 GMT', 30_000],
    ['Monday, 15-Jun-26 12:00:30 GMT', 30_000],
    ['Mon Jun 15 12:00:30 2026', 30_000],
    ['Wed Jul  1 00:00:00 2026', 15.5 * 86_400_000],
    ['mon, 15 JUN 2026 12:00:30 gmt', 30_000],
    ['Mon, 15 Jun 2026 11:59:59 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2025 23:59:60 GMT', 0],
    // A year of two digits is never more than 50 years ahead.
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Monday, 15-Jun-76 12:00:00 GMT', Date.UTC(2076, 5, 15, 12) - NOW],
    ['Monday, 15-Jun-77 12:00:00 GMT', 0],
  ])('reads %s', (value, ms) => {
    expect(parseRetryAfter(value, NOW)).toBe(ms);
    expect(parseRetryAfter(value, new Date(NOW))).toBe(ms);
  });

  it.each([
    '',
    ' ',
    '-1',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    '120, 60',
    '120;x',
    '5s',
    '１２',
    'soon',
    'Fri, 99 Foo 1994 08:49:37 GMT',
    'Mon, 31 Jun 2026 12:00:30 GMT',
    'Mon, 15 Jun 2026 24:00:00 GMT',
    'Mon, 15 Jun 2026 12:60:00 GMT',
    'Mon, 15 Jun 2026 12:00:30',
    'Mon, 15 Jun 2026 12:00:30 +0000',
    '2026-06-15T12:00:30Z',
    `Mon, 15 Jun 2026 12:00:30 GMT${' '.repeat(1e6)}`,
    null,
    undefined,
  ])('ignores %j', (value) => {
    expect(parseRetryAfter(value, NOW)).toBeUndefined();
  });

  it('reads every date that a server can write, in each form', () => {
    const date = fc.date({
      min: new Date(NOW),
      max: new Date('2075-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (when) => {
        when.setUTCMilliseconds(0);
        const imf = when.toUTCString();
        const [day, , month, year, time] = imf.split(' ');
        const number = String(when.getUTCDate()).padStart(2, ' ');
        const asctime = `${day?.slice(0, 3) ?? ''} ${month ?? ''} ${number} ${time ?? ''} ${year ?? ''}`;
        const expected = Math.max(0, Number(when) - NOW);
        expect(parseRetryAfter(imf, NOW)).toBe(expected);
        expect(parseRetryAfter(asctime, NOW)).toBe(expected);
      }),
    );
  });
});

describeShared('retry/cases.json', (path) => {
  interface Case {
    id: string;
    header: string;
    now: string;
    seconds: number | 'cap' | null;
  }
  const { retryAfter } = JSON.parse(readFileSync(path, 'utf8')) as { retryAfter: Case[] };

  it.each(retryAfter)('$id: $header', ({ header, now, seconds }) => {
    const ms = parseRetryAfter(header, new Date(now));
    if (seconds === 'cap') expect(ms).toBeGreaterThan(3_600_000);
    else expect(ms).toBe(seconds === null ? undefined : seconds * 1000);
  });
});
