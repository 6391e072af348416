import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLastmod } from 'rxcrawl';
import { describeShared } from '../helpers/shared-cases.js';

const iso = (text: string) => parseLastmod(text)?.toISOString();

describe('parseLastmod', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    [' \n2024-02-29\t', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T12:30Z', '2024-02-29T12:30:00.000Z'],
    ['2024-02-29T12:30+01:00', '2024-02-29T11:30:00.000Z'],
    ['2024-02-29T12:30:59-05:30', '2024-02-29T18:00:59.000Z'],
    ['2024-02-29T12:30:59.5Z', '2024-02-29T12:30:59.500Z'],
    ['2024-02-29T12:30:59.123456789Z', '2024-02-29T12:30:59.123Z'],
    ['2024-02-29T12:30:59.1239999999999999999Z', '2024-02-29T12:30:59.123Z'],
    ['2024-02-29 12:30:59 +01:00', '2024-02-29T11:30:59.000Z'],
    ['2024-02-29T12:30:59+0000', '2024-02-29T12:30:59.000Z'],
    ['2024-02-29T12:30:59', '2024-02-29T12:30:59.000Z'],
    ['2024-02-29 12:30:59', '2024-02-29T12:30:59.000Z'],
    ['2024-02-29T12:30:59&#43;01:00', '2024-02-29T11:30:59.000Z'],
    ['Thu, 29 Feb 2024 12:30:00 GMT', '2024-02-29T12:30:00.000Z'],
    ['29 Feb 2024 12:30:00 -0100', '2024-02-29T13:30:00.000Z'],
    ['29 February 2024 12:30 EST', '2024-02-29T17:30:00.000Z'],
    ['1 Mar 69 00:00 UT', '2069-03-01T00:00:00.000Z'],
    ['1 Mar 70 00:00 Z', '1970-03-01T00:00:00.000Z'],
  ])('reads %j', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '-1',
    '20240229',
    '2024/02/29',
    '2024-2-9',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '0000-00-00',
    '2024-02-29T24:00Z',
    '2024-02-29T12:60Z',
    '2024-02-29T12:30:60Z',
    '2024-02-29T12:30+25:00',
    '2024-02-29T12:30 Mars',
    '2024-02-29T',
    '1709209800',
    '29 Feb 2024 12:30:00',
    '29 Foo 2024 12:30:00 GMT',
    '29 Feb 2023 12:30:00 GMT',
    '2'.repeat(100_000),
    `${' '.repeat(100_000)}2024`,
  ])('refuses %j', (text) => {
    expect(iso(text)).toBeUndefined();
  });

  it('reads back every date', () => {
    const dates = fc.date({
      min: new Date('0100-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(iso(date.toISOString())).toBe(date.toISOString());
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        if (date.getUTCFullYear() >= 1000) {
          expect(parseLastmod(date.toUTCString())?.getTime()).toBe(seconds);
        }
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseLastmod(text)).not.toThrow();
      }),
    );
  });
});

describeShared('sitemaps/expected.json', (path) => {
  interface Case {
    readonly id: string;
    readonly text: string;
    readonly utc: string | null;
  }
  const { lastmod } = JSON.parse(readFileSync(path, 'utf8')) as { readonly lastmod: Case[] };
  for (const { id, text, utc } of lastmod) {
    it(`${id}: ${text}`, () => {
      expect(iso(text)).toBe(utc === null ? undefined : new Date(utc).toISOString());
    });
  }
});
