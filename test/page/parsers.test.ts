import { describe, expect, it } from 'vitest';
import {
  parseLinkHeader,
  parseRefresh,
  parseSrcset,
  robotsDirectives,
} from '../../src/page/index.js';
import { cssUrls } from '../../src/page/css-urls.js';
import { feedLinks } from '../../src/page/feed-links.js';
import { jsonLdUrls, parseJsonLd } from '../../src/page/json-ld.js';

describe('parseSrcset', () => {
  it.each([
    ['', []],
    [' , ,', []],
    ['a', ['a']],
    ['a 1x,b 2x', ['a', 'b']],
    ['a,b', ['a,b']],
    ['a, b', ['a', 'b']],
    ['a,, b', ['a', 'b']],
    ['a 100w, b 200w 50h', ['a', 'b']],
    ['data:image/png;base64,AA== 1x, b 2x', ['data:image/png;base64,AA==', 'b']],
    ['a 1x 2x, b', ['b']],
    ['a 1w 2x, b', ['b']],
    ['a 0w, b', ['b']],
    ['a -1x, b', ['b']],
    ['a 1y, b', ['b']],
    ['a 50h, b', ['b']],
    ['a +1x, b', ['b']],
    ['a 1.5x, b .5x, c 1e2x, d 1.x', ['a', 'b', 'c']],
    ['a (1x, 2x), b', ['b']],
    ['a (', []],
    ['\ta\n1x\f,\rb ', ['a', 'b']],
  ])('%j', (srcset, expected) => {
    expect(parseSrcset(srcset).map(({ url }) => url)).toEqual(expected);
  });

  it('tells what each candidate is for', () => {
    expect(parseSrcset('a 2x, b 100w 50h, c')).toEqual([
      { url: 'a', density: 2 },
      { url: 'b', width: 100, height: 50 },
      { url: 'c' },
    ]);
  });
});

describe('parseRefresh', () => {
  it.each<[string, number | undefined, string?]>([
    ['', undefined],
    ['x', undefined],
    ['-1', undefined],
    ['+1; url=x', undefined],
    ['1x; url=x', undefined],
    ['1url=x', undefined],
    ['1', 1],
    [' 1 ;', 1],
    ['1.9', 1],
    ['.5; x', 0, 'x'],
    ['1 2', 1, '2'],
    ['0; url=x', 0, 'x'],
    ['0, URL = x ', 0, 'x '],
    ['0; url="x y" z', 0, 'x y'],
    ['0; \'x"y', 0, 'x"y'],
    ['0; url', 0, 'url'],
    ['0; ur=x', 0, 'ur=x'],
    ['0; url=', 0, ''],
    ['0; url=url=x', 0, 'url=x'],
  ])('%j', (value, seconds, url) => {
    expect(parseRefresh(value)).toEqual(
      seconds === undefined ? undefined : { seconds, url: url ?? undefined },
    );
  });
});

describe('parseLinkHeader', () => {
  const brief = (value: string) => parseLinkHeader(value).map(({ url, rel }) => [url, ...rel]);

  it.each<[string, string[][]]>([
    ['', []],
    ['<a>', [['a']]],
    ['<a>; rel=next', [['a', 'next']]],
    ['<a>; REL="Next  prefetch"', [['a', 'next', 'prefetch']]],
    [
      '<a>; rel=next, <b>;rel=prev',
      [
        ['a', 'next'],
        ['b', 'prev'],
      ],
    ],
    ['<a,b>; title="x, <y>; rel=z"; rel=next', [['a,b', 'next']]],
    ['<a>; title="x\\"y"; rel=next', [['a', 'next']]],
    ['<a>; rel=next; rel=prev', [['a', 'next']]],
    ['junk; rel=next, <b>; rel=prev', [['b', 'prev']]],
    ['<a', []],
    ['<a>; rel="next', [['a', 'next']]],
    [', ,<a> ; ; rel = next ,', [['a', 'next']]],
  ])('%j', (value, expected) => {
    expect(brief(value)).toEqual(expected);
  });

  it('gives all parameters, and pollutes nothing', () => {
    const [link] = parseLinkHeader('<a>; hreflang=de; __proto__=x; type="text/html"; crossorigin');
    expect({ ...link?.parameters, __proto__: null }).toMatchObject({
      hreflang: 'de',
      type: 'text/html',
      crossorigin: '',
    });
    expect(Object.getPrototypeOf(link?.parameters)).toBeNull();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('robotsDirectives', () => {
  const meta = (content: string, name = 'robots') => [{ name, content }];

  it.each([
    ['', false, false],
    ['index, follow', false, false],
    ['NOINDEX', true, false],
    ['index,NoFollow', false, true],
    [' none ', true, true],
    ['all, noindex', true, false],
    ['noindex nofollow', false, false],
    ['noindex;nofollow', false, false],
    ['max-snippet:-1, nofollow', false, true],
  ])('meta %j', (content, noindex, nofollow) => {
    expect(robotsDirectives({ metas: meta(content) })).toEqual({ noindex, nofollow });
  });

  it.each([
    ['noindex', true, false],
    ['nofollow, noindex', true, true],
    ['otherbot: none', false, false],
    ['MyBot: none', true, true],
    ['otherbot: noindex, mybot: nofollow', false, true],
    ['otherbot: noindex, nofollow', false, false],
    ['*: noindex', true, false],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow', false, true],
    ['unavailable_after: Friday, 25 Jun 2030 15:00:00 GMT', false, false],
    ['unavailable_after: 2030-06-25T15:00:00Z, noindex', true, false],
    ['max-new-thing: 3, noindex', true, false],
    ['expires-new: -1, none', true, true],
    ['otherbot: max-new-thing: 3, noindex', false, false],
    ['otherbot: noindex, max-new-thing: 3, nofollow', false, false],
  ])('header %j', (headers, noindex, nofollow) => {
    const userAgent = 'mybot/1.0 (compatible)';
    expect(robotsDirectives({ headers, userAgent })).toEqual({ noindex, nofollow });
  });

  it('takes the stricter of all sources, and only those that are meant', () => {
    const metas = [...meta('noindex'), ...meta('nofollow', 'MYBOT'), ...meta('none', 'otherbot')];
    expect(robotsDirectives({ metas })).toEqual({ noindex: true, nofollow: false });
    expect(robotsDirectives({ metas, userAgent: 'mybot' })).toEqual({
      noindex: true,
      nofollow: true,
    });
    expect(robotsDirectives({ metas: meta('none', '') })).toEqual({
      noindex: false,
      nofollow: false,
    });
    expect(robotsDirectives({ headers: ['otherbot: noindex', 'nofollow'] })).toEqual({
      noindex: false,
      nofollow: true,
    });
  });
});

describe('cssUrls', () => {
  it.each<[string, string[]]>([
    ['a{background:url(x)}', ['url x']],
    ['URL( "x y" ) url(\' z \')', ['url x y', 'url z']],
    ['@import "a"; @import url(b) screen; c{}', ['import a', 'import b']],
    ['/* url(n) */ "url(n)" url(y)', ['url y']],
    ['my-url(n) url (n)', []],
    ['url(a\\)b) url(\\26 x)', ['url a)b', 'url &x']],
    ['url(a"b) url(y)', ['url y']],
    ['url("never closed', ['url never closed']],
    ['url(never-closed', ['url never-closed']],
    ['url(never-closed \n', ['url never-closed']],
    ['url(never closed', []],
    ['url(x y) url(z)', ['url z']],
    ['url( x\n) url(\tz )', ['url x', 'url z']],
    ['url(a(b "c) url(d)', ['url d']],
    ['url(a\\\nb) url(d)', ['url d']],
    ['url(a\x01b) url(d)', ['url d']],
    ['url(a\\)b"c) url(d)', ['url d']],
    ['url("a\nb") url(n) "; url(d)', ['url d']],
    ['url("a\\\nb\\\r\nc")', ['url abc']],
    ['url("a\rb") url(n) "; url(d)', ['url d']],
    ['url() url("") url(#a) url( "#b" ) url(c)', ['url c']],
    ['url("x" crossorigin(anonymous)) url(y)', ['url x', 'url y']],
    ['url(/*n*/a)', ['url /*n*/a']],
    ['éurl(n) _url(n) 1url(n)', []],
    ['@import/**/"a";@IMPORT\n"b" screen;', ['import a', 'import b']],
    ['@importx "n"; @import-y "n"; \\@import "n"; @media "n"', []],
    ['@import "n\n;"n"; url(b)', ['url b']],
    ['@import url(a) supports(url(b))', ['import a', 'url b']],
    ['@namespace url(http://n); @namespace svg "n"; @namespace x url("n"); url(y)', ['url y']],
    ['@font-face{src:local("n"),url(a.woff)format("woff")}', ['url a.woff']],
    [
      'url(\\61\r\nb) url(\\000041 c) url(\\110000) url(a\\',
      ['url ab', 'url Ac', 'url \ufffd', 'url a'],
    ],
  ])('%j', (css, expected) => {
    expect(cssUrls(css).map(({ kind, url }) => `${kind.slice(4, -1)} ${url}`)).toEqual(expected);
  });

  it.each(['url(b', 'url( b ', 'url("b', '@import "b', '@import url(b'])(
    'takes no URL that the end of a page cuts: %s',
    (css) => {
      expect(cssUrls(`url(a) ${css}`, true).map(({ url }) => url)).toEqual(['a']);
      expect(cssUrls(`url(a) ${css}`).map(({ url }) => url)).toEqual(['a', 'b']);
    },
  );
});

describe('JSON-LD', () => {
  it('finds URLs by key, in order, at any depth', () => {
    const value = parseJsonLd(
      '{"@context":"https://schema.org","@id":"#me","url":["a",{"@id":"b"}],"name":"not","logo":{"url":"c"}}',
    );
    expect(jsonLdUrls(value ?? null)).toEqual(['#me', 'a', 'b', 'c']);
  });

  it.each([
    '',
    '{',
    'x',
    '['.repeat(100_000),
    '['.repeat(200) + ']'.repeat(200),
    ' '.repeat(1_000_001),
  ])('is undefined for what is none (%#)', (text) => {
    expect(parseJsonLd(text)).toBeUndefined();
  });

  it('reads what templates wrap, and brackets in strings', () => {
    expect(parseJsonLd('<!-- [1] -->')).toEqual([1]);
    expect(parseJsonLd('//<![CDATA[\n[2]\n//]]>')).toEqual([2]);
    expect(parseJsonLd('// <![CDATA[\n[2]\n// ]]>')).toEqual([2]);
    expect(parseJsonLd('/*<![CDATA[*/[2]/*]]>*/')).toEqual([2]);
    expect(parseJsonLd('<![CDATA[ [2] ]]>')).toEqual([2]);
    expect(parseJsonLd('["<![CDATA[ // ]]>"]')).toEqual(['<![CDATA[ // ]]>']);
    expect(parseJsonLd('//<![CDATA[')).toBeUndefined();
    expect(parseJsonLd(JSON.stringify(['['.repeat(500), '\\"{']))).toEqual([
      '['.repeat(500),
      '\\"{',
    ]);
  });

  it('has objects without a prototype', () => {
    const value = parseJsonLd(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('feedLinks', () => {
  const read = (xml: string) => feedLinks(xml, 'https://a.example/dir/feed');

  it('reads broken XML as far as it goes', () => {
    const links = read('<rss><item><title>A</title><link>a</link></item><item><link>b</link><ti');
    expect(links.map(({ url }) => url)).toEqual(['a', 'b']);
  });

  it('reads names with a prefix, and RSS 1.0', () => {
    const links = read(
      '<rdf:RDF><item rdf:about="x"><title>A</title><link>a</link></item></rdf:RDF>' +
        '<a:feed><a:entry><a:link href="b"/></a:entry></a:feed>',
    );
    expect(links).toEqual([
      { url: 'a', kind: 'entry', title: 'A' },
      { url: 'b', kind: 'entry', title: '' },
    ]);
  });

  it('knows no entities but those of XML', () => {
    const xml =
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><item><title>&e;</title><link>a?x=1&amp;y=2</link></item>';
    expect(read(xml)).toEqual([{ url: 'a?x=1&y=2', kind: 'entry', title: '&e;' }]);
  });

  it('reads references as XML has them, in text and in attributes', () => {
    const found = read(
      '<feed><entry><link href="?a&ltle=1&copy=2&eacute;&lt;&#97;"/></entry>' +
        '<item><link>?a&ltle=1&copy=2&eacute;&lt;&#97;</link></item></feed>',
    );
    const url = '?a&ltle=1&copy=2&eacute;<a';
    expect(found.map((link) => link.url)).toEqual([url, url]);
  });

  it('takes only what stands directly in an entry', () => {
    const found = read(
      '<feed><entry><source><title>S</title><link href="/other"/></source><link href="1"/>' +
        '<title type="xhtml"><div>T <b>2</b></div></title>' +
        '<content type="xhtml"><div><link href="/style.css"/><title>no</title></div></content></entry>' +
        '<item><image><link>/picture</link></image><link>2</link><media:group><title>no</title>' +
        '</media:group></item></feed>',
    );
    expect(found).toEqual([
      { url: '1', kind: 'entry', title: 'T 2' },
      { url: '2', kind: 'entry', title: '' },
    ]);
  });

  it('takes each entry where one is not closed', () => {
    const found = read('<rss><item><link>1</link><item><link>2</link></item></rss>');
    expect(found.map(({ url }) => url)).toEqual(['1', '2']);
  });

  it.each([
    '<item><link>a</link></item><item><link>b',
    '<item><link>a</link></item><item><guid>https://a.example/b',
    '<item><link>a</link></item><item><link>b</lin',
    '<entry><link href="a"/></entry><entry><link href="b',
    '<entry><link href="a"/></entry><entry><link href="b"',
  ])('takes no link that the end cuts: %s', (xml) => {
    expect(read(xml).map(({ url }) => url)).toEqual(['a']);
  });

  it.each([
    ['', 'entry'],
    ['rel=""', 'entry'],
    ['rel="alternate"', 'entry'],
    ['rel=" Alternate "', 'entry'],
    ['rel="http://www.iana.org/assignments/relation/alternate"', 'entry'],
    ['rel="ENCLOSURE"', 'enclosure'],
    ['rel="self"', undefined],
    ['rel="alternate self"', undefined],
    ['rel="http://a.example/alternate"', undefined],
  ])('reads the relation: %s', (rel, kind) => {
    expect(read(`<entry><link ${rel} href="x"/></entry>`)[0]?.kind).toBe(kind);
  });

  it('resolves by xml:base, each by the one around it', () => {
    const found = read(
      '<feed xml:base="/x/"><entry xml:base="y/"><link href="1"/><link xml:base="../z/" href="2"/>' +
        '<link href="3"/></entry><entry><link href="4"/></entry><entry xml:base="http://["><link href="5"/>' +
        '</entry><entry><link href="https://b.example/6"/><link href="http://["/></entry></feed>' +
        '<item><link>7</link></item>',
    );
    expect(found.map(({ url }) => url)).toEqual([
      'https://a.example/x/y/1',
      'https://a.example/x/z/2',
      'https://a.example/x/y/3',
      'https://a.example/x/4',
      'https://a.example/x/5',
      'https://b.example/6',
      'http://[',
      '7',
    ]);
  });
});
