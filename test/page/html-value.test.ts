import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { attributeValue } from '../../src/page/html-value.js';

const NAMES = ['divide', 'gt', 'lt', 'times', 'GT', 'LT', 'amp', 'not', 'copy', 'para', 'sup1'];
const NEXT = ['', ...Array.from('abcdeilmnopqrstxAZ019=;& ')];

function byParse5(raw: string): string | undefined {
  const [node] = parseFragment(`<b a="${raw}">`).childNodes;
  return node !== undefined && 'attrs' in node ? node.attrs[0]?.value : undefined;
}

describe('attributeValue', () => {
  it('has what browsers have, whatever follows a name', () => {
    const wrong: string[] = [];
    for (const name of NAMES) {
      for (const first of NEXT) {
        for (const second of NEXT) {
          const raw = `x&${name}${first}${second}y&amp;`;
          if (attributeValue(raw) !== byParse5(raw)) wrong.push(raw);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['&ltle', '&ltle'],
    ['&ltcc;&gtlPar;&divideontimes;', '\u2aa6\u2995\u22c7'],
    ['a=1&lt=2&lt;b', 'a=1&lt=2<b'],
    ['\0&#0;', '\ufffd\ufffd'],
  ])('%j', (raw, value) => {
    expect(attributeValue(raw)).toBe(value);
  });
});
