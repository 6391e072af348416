import { decodeHTML, encodeHTML } from 'entities';
import { parseFragment } from 'parse5';
import { createPage, extractLinks, request } from 'rxcrawl';
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

/** HTML §13.5: the names that count without a semicolon. */
const SHORT = new Set(
  (
    'AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT ' +
    'Iacute Icirc Igrave Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN ' +
    'Uacute Ucirc Ugrave Uuml Yacute aacute acirc acute aelig agrave amp aring atilde auml brvbar ' +
    'ccedil cedil cent copy curren deg divide eacute ecirc egrave eth euml frac12 frac14 frac34 gt ' +
    'iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp not ntilde oacute ocirc ' +
    'ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 sup3 ' +
    'szlig thorn times uacute ucirc ugrave uml uuml yacute yen yuml'
  ).split(' '),
);

/** Names with what each stands for. */
function names(): Map<string, string> {
  const found = new Map<string, string>();
  for (let code = 0x21; code < 0x1d700; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const char = String.fromCodePoint(code);
    const name = /^&([a-z]\w*);$/i.exec(encodeHTML(char))?.[1];
    if (name !== undefined) found.set(name, char);
  }
  for (const name of SHORT) found.set(name, decodeHTML(`&${name};`));
  return found;
}

/** HTML §13.2.5.73, word for word, for one reference at the start of a text. */
function byStandard(text: string, inAttribute: boolean, table: Map<string, string>): string {
  for (let end = text.length; end > 1; end -= 1) {
    const name = text.slice(1, end);
    const whole = name.endsWith(';');
    const char = table.get(whole ? name.slice(0, -1) : name);
    if (char === undefined || (!whole && !SHORT.has(name))) continue;
    if (inAttribute && !whole && /^[=a-z0-9]/i.test(text.slice(end))) return text;
    return char + text.slice(end);
  }
  return text;
}

describe('references', () => {
  const table = names();
  const texts: string[] = [];
  for (const name of table.keys()) {
    for (const next of '=;-_.,/?#!x7') texts.push(`&${name}${next}5`);
  }

  it('are what the standard says in attributes, whatever follows a name', () => {
    const wrong = texts.filter((text) => attributeValue(text) !== byStandard(text, true, table));
    expect(wrong).toEqual([]);
    expect(texts.length).toBeGreaterThan(15_000);
  });

  it('are what the standard says in texts of links, and in documents', () => {
    const html = texts.map((text) => `<a href="${text}">${text}</a>`).join('');
    const url = 'http://h.test/';
    const links = extractLinks(html, { url, maxLinks: texts.length });
    const words = texts.map((text) => byStandard(text, false, table).trim());
    const read = links.map((link) => link.text);
    expect(read.filter((text, index) => text !== words[index])).toEqual([]);

    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const body = Buffer.from(html);
    const page = createPage(
      { url, status: 200, headers, body, redirects: [], wireBytes: body.length },
      request(url),
    );
    const hrefs = page.$('a').map((_, element) => page.$(element).attr('href'));
    expect(hrefs.get()).toEqual(texts.map((text) => byStandard(text, true, table)));
  });
});
