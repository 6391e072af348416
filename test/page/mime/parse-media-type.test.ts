import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodingFromLabel, parseMediaType, serializeMediaType } from 'rxcrawl';
import { cpuTime } from '../../helpers/cpu-time.js';
import { describeShared } from '../../helpers/shared-cases.js';

function roundTrip(value: string): string | null {
  const parsed = parseMediaType(value);
  return parsed ? serializeMediaType(parsed) : null;
}

describe('parseMediaType', () => {
  it('takes a media type apart', () => {
    expect(parseMediaType(' Text/HTML ;Charset=GBK; a="b\\"c" ')).toStrictEqual({
      essence: 'text/html',
      type: 'text',
      subtype: 'html',
      parameters: new Map([
        ['charset', 'GBK'],
        ['a', 'b"c'],
      ]),
    });
  });

  it.each([
    ['the first of two equal parameters counts', 'a/b;x=1;X=2', 'a/b;x=1'],
    ['a name with a blank is none', 'a/b;x =1;y=2', 'a/b;y=2'],
    ['an empty value counts only in quotes', 'a/b;x=;y=""', 'a/b;y=""'],
    ['single quotes are characters', "a/b;x='1;2'", "a/b;x='1"],
    ['a quoted value may hold a semicolon', 'a/b;x="1;2";y=3', 'a/b;x="1;2";y=3'],
    ['what follows a quoted value is passed over', 'a/b;x="1"2;y=3', 'a/b;x=1;y=3'],
    ['an unclosed quote ends with the text', 'a/b;x="1', 'a/b;x=1'],
    ['a backslash at the very end is one', 'a/b;x="1\\', 'a/b;x="1\\\\"'],
    ['control characters are no value', 'a/b;x="\x01";x=2', 'a/b;x=2'],
    ['nothing but Latin-1 is a value', 'a/b;x=\u0100;x=\u00ff', 'a/b;x="\u00ff"'],
    ['empty parts do not matter', 'a/b;;; ;x=1;', 'a/b;x=1'],
  ])('%s', (_rule, value, expected) => {
    expect(roundTrip(value)).toBe(expected);
  });

  it.each(['', ' ', '/', 'a', 'a/', '/b', 'a/b/c', 'a b/c', 'a/b c', '\u00e4/b', 'a/b\f'])(
    'refuses %j',
    (value) => {
      expect(parseMediaType(value)).toBeUndefined();
    },
  );

  it('takes a missing field for none', () => {
    expect(parseMediaType(undefined)).toBeUndefined();
    expect(parseMediaType(null)).toBeUndefined();
  });

  it.each([
    ['semicolons', `text/html;${';'.repeat(100_000)}`],
    ['blanks', `text/html${' '.repeat(100_000)}x`],
    ['backslashes', `text/html;a="${'\\'.repeat(100_000)}`],
    ['quotes', `text/html;a=${'"'.repeat(100_000)}`],
    ['parameters', `text/html;${'a=b;'.repeat(100_000)}`],
  ])('is quick on 100,000 %s', (_name, value) => {
    expect(cpuTime(() => parseMediaType(value))).toBeLessThan(50);
  });

  it('never throws, and what it gives survives a round trip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        for (const value of [a, `text/html;${a}`, `a/b;x="${a}";y=${b}`]) {
          const once = roundTrip(value);
          if (once !== null) expect(roundTrip(once)).toBe(once);
        }
      }),
    );
  });
});

describeShared('mime/mime-types.json', (path) => {
  interface Case {
    readonly input: string;
    readonly output: string | null;
    readonly encoding?: string | null;
  }
  const cases = JSON.parse(readFileSync(path, 'utf8')) as (string | Case)[];
  for (const each of cases) {
    if (typeof each === 'string') continue;
    it(JSON.stringify(each.input).slice(0, 80), () => {
      expect(roundTrip(each.input)).toBe(each.output);
      if (each.encoding === undefined) return;
      const label = parseMediaType(each.input)?.parameters.get('charset') ?? '';
      expect(encodingFromLabel(label) ?? null).toBe(each.encoding);
    });
  }
});
