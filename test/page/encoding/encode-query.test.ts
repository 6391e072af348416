import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAs, encodeQuery } from 'rxcrawl';
import { describeShared } from '../../helpers/shared-cases.js';

describe('encodeQuery', () => {
  it.each([
    ['windows-1252', 'q=é', 'q=%E9'],
    ['utf-8', 'q=é', 'q=%C3%A9'],
    ['cp1251', 'q=Россия', 'q=%D0%EE%F1%F1%E8%FF'],
    ['shift_jis', 'q=ソ', 'q=%83\\'],
    ['gbk', 'q=你&r=%C4', 'q=%C4%E3&r=%C4'],
    ['windows-1252', 'q=你', 'q=%26%2320320%3B'],
    ['windows-1252', 'q=😀', 'q=%26%23128512%3B'],
    ['big5', '\ud800', '%26%2365533%3B'],
    ['utf-16le', 'é', '%C3%A9'],
    ['replacement', 'é', '%C3%A9'],
    ['x-user-defined', '\uf7ff', '%FF'],
    ['utf-8', ' "#<>\'', '%20%22%23%3C%3E%27'],
    ['windows-1252', 'a=b&c=d+e', 'a=b&c=d+e'],
    ['utf-8', '', ''],
  ])('%s: %s', (encoding, query, expected) => {
    expect(encodeQuery(query, encoding)).toBe(expected);
  });

  it('agrees with the URL standard for UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const url = new URL('http://a.test/');
        url.search = `?${query}!`;
        const kept = query.replace(/[\t\n\r]/g, '');
        expect(`?${encodeQuery(`${kept}!`, 'utf-8')}`).toBe(url.search);
      }),
    );
  });

  it('is undone by decoding', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '&', 'あ', 'う', '漢', '字', 'ソ', '表') });
    fc.assert(
      fc.property(text, fc.constantFrom('shift_jis', 'euc-jp', 'gb18030'), (query, encoding) => {
        const escaped = encodeQuery(query, encoding).replace(/%(..)/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        expect(decodeAs(Buffer.from(escaped, 'latin1'), encoding)).toBe(query);
      }),
    );
  });

  it('refuses an encoding that nobody knows', () => {
    expect(() => encodeQuery('x', 'utf-7')).toThrow(RangeError);
    expect(() => encodeQuery('x', 'utf-7')).toThrow(/"utf-7"/);
  });
});

describeShared('url-whatwg/percent-encoding.json', (path) => {
  interface Case {
    readonly input: string;
    readonly output: Readonly<Record<string, string>>;
  }
  const cases = JSON.parse(readFileSync(path, 'utf8')) as (string | Case)[];
  for (const each of cases) {
    if (typeof each === 'string') continue;
    for (const [encoding, expected] of Object.entries(each.output)) {
      it(`${JSON.stringify(each.input)} in ${encoding}`, () => {
        expect(encodeQuery(each.input, encoding)).toBe(expected);
      });
    }
  }
});
