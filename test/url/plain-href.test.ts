import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainHref } from '../../src/url/plain-href.js';
import { urlText } from './arbitrary-url.js';

function parsed(text: string): string | undefined {
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
}

/** What the match claims: the text without its fragment is what the parser would give back. */
function holds(text: string): boolean {
  if (!isPlainHref(text)) return true;
  const head = text.split('#', 1)[0] ?? '';
  return (
    parsed(head) === head && parsed(text)?.split('#')[0] === head && new URL(head).username === ''
  );
}

describe('isPlainHref', () => {
  it('knows the usual links without parsing them', () => {
    const links = [
      'http://h.test/',
      'https://docs.h-1.test/a_b/c.d/e-f~g/(x);y=1/$&+,=:',
      'https://h.test:8443/a//b?q=1&r=/./?#fragment with blanks',
      'https://web.dev/@user/a',
      'http://127.0.0.1:3000/a/b.html?x=a.b',
      'http://localhost/%C3%A9%20?%zz',
      'http://h.test:49152/?',
    ];
    expect(links.filter((link) => !isPlainHref(link))).toEqual([]);
  });

  it.each([
    'http://h.test',
    'http://h.test?',
    'HTTP://h.test/',
    'http://u@h.test/',
    'http://h.test:80/',
    'https://h.test:443/',
    'http://h.test:080/',
    'http://h.test:00/',
    'http://h.test:/',
    'http://h.test:65536/',
    'http://h.test:123456/',
    'http://1.2.3/',
    'http://1.2.3.04/',
    'http://1.2.3.256/',
    'http://1.2.3.4./',
    'http://0x7f000001/',
    'http://h.test/./a',
    'http://h.test/a/../b',
    'http://h.test/a/.b',
    'http://h.test/%2e%2E/b',
    'http://h.test/a\\b',
    'http://h.test/a b',
    'http://h.test/é',
    'http://xn--bcher-kva.test/',
    'http://.test/',
    'http:///a',
    'http://',
    '',
  ])('leaves %j to the parser', (text) => {
    expect(isPlainHref(text)).toBe(false);
  });

  it('never takes a text that the parser would change: each character in each place', () => {
    for (let code = 0; code < 160; code += 1) {
      const char = String.fromCharCode(code);
      for (const text of [
        `http://h${char}t/`,
        `http://h.t${char}/`,
        `http://${char}h.t/`,
        `http://1.2.3.4${char}/`,
        `http://h.t:8${char}1/`,
        `http://h.t/a${char}b`,
        `http://h.t/${char}`,
        `http://h.t/${char}/b`,
        `http://h.t/?a${char}b`,
        `http://h.t/?a${char}`,
        `http://h.t/#a${char}b`,
      ]) {
        expect(holds(text), JSON.stringify(text)).toBe(true);
      }
    }
  });

  it('never takes a text that the parser would change: random URLs', () => {
    let taken = 0;
    fc.assert(
      fc.property(urlText, (text) => {
        for (const candidate of [text, parsed(text) ?? '']) {
          if (isPlainHref(candidate)) taken += 1;
          expect(holds(candidate)).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
