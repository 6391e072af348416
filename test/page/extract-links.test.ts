import { describe, expect, it } from 'vitest';
import {
  extractLinks,
  followableKinds,
  linkKinds,
  scanLinks,
  type LinkKinds,
} from '../../src/page/index.js';

const page = 'https://a.example/dir/page.html';
const dir = 'https://a.example/dir/';

/** Links as `kind path`, relative to the folder of the page where they can be. */
function found(html: string, kinds?: LinkKinds, contentType?: string): string[] {
  return extractLinks(html, { url: page, kinds, contentType }).map(
    ({ kind, url }) => `${kind} ${url.replace(dir, '')}`,
  );
}

describe('the table of kinds', () => {
  // One example for each kind that stands on an element; the link is always `y`.
  const html: Readonly<Record<string, string>> = {
    'meta[refresh]': '<meta http-equiv=Refresh content="0; url=y">',
    canonical: '<link rel="Alternate CANONICAL" href=y>',
    alternate: '<link rel=alternate hreflang=de href=y>',
    amphtml: '<link rel=amphtml href=y>',
    next: '<link rel=next href=y>',
    prev: '<link rel=previous href=y>',
    'link[href]': '<link rel="alternate stylesheet" href=y>',
    'img[src]': '<img src=y>',
    'css[url]': '<p style="background:url( &quot;y&quot; )">',
    'css[import]': '<style>@import "y";</style>',
    'json-ld': '<script type="application/LD+json; charset=utf-8">{"url":"y"}</script>',
    'frame[src]': '<frameset><frame src=y></frameset>',
  };
  const elsewhere = ['entry', 'enclosure', 'header[refresh]', 'header[link]'];
  const exampleOf = (kind: string): string => {
    const example = html[kind];
    if (example !== undefined) return example;
    const [, svg, element, attribute] = /^(svg:)?([a-z]+)\[(.*)\]$/.exec(kind) ?? [];
    const tag = `<${String(element)} ${String(attribute)}=y>`;
    return svg === undefined ? tag : `<svg>${tag}</svg>`;
  };

  it.each(linkKinds.map(({ kind }) => kind).filter((kind) => !elsewhere.includes(kind)))(
    '%s is found by its name, by its group and by "all"',
    (kind) => {
      const { group } = linkKinds.find((info) => info.kind === kind) ?? {};
      expect(found(exampleOf(kind), [kind])).toEqual([`${kind} y`]);
      expect(found(exampleOf(kind), [group ?? 'all'])).toContain(`${kind} y`);
      expect(found(exampleOf(kind), ['all'])).toContain(`${kind} y`);
    },
  );

  it.each(linkKinds.filter(({ kind }) => !elsewhere.includes(kind)))(
    '$kind by default: $default',
    ({ kind, default: isDefault }) => {
      expect(found(exampleOf(kind)).includes(`${kind} y`)).toBe(isDefault);
      const others = linkKinds.map((info) => info.kind).filter((other) => other !== kind);
      expect(found(exampleOf(kind), others)).not.toContain(`${kind} y`);
    },
  );

  it('refuses unknown kinds', () => {
    expect(() => found('', ['a[hreff]' as 'a[href]'])).toThrow(
      /^extractLinks: kinds: expected .*"a\[hreff\]"$/,
    );
  });

  it('follows pages, not their parts', () => {
    expect([...followableKinds]).toContain('area[href]');
    for (const kind of [
      'img[src]',
      'link[href]',
      'form[action]',
      'amphtml',
      'alternate',
    ] as const) {
      expect(followableKinds.has(kind)).toBe(false);
    }
  });
});

describe('options', () => {
  it('refuses a page that has no absolute URL', () => {
    expect(() => extractLinks('', { url: '/x' })).toThrow(
      'url: expected the absolute URL of the page, got "/x"',
    );
    expect(() => extractLinks('', { url: page, maxLinks: -1 })).toThrow(/maxLinks: .* got -1/);
  });

  it('leaves out what is in noscript when told to', () => {
    const html = '<noscript><base href=/b/><a href=x>1</a></noscript><a href=y>2</a>';
    expect(extractLinks(html, { url: page }).map(({ url }) => url)).toEqual([
      'https://a.example/b/x',
      'https://a.example/b/y',
    ]);
    expect(extractLinks(html, { url: page, noscript: false }).map(({ url }) => url)).toEqual([
      `${dir}y`,
    ]);
  });

  it('writes queries in the encoding of the page', () => {
    const html = '<a href="é?é=†">1</a>';
    const urls = (encoding?: string) => extractLinks(html, { url: page, encoding })[0]?.url;
    expect(urls()).toBe(`${dir}%C3%A9?%C3%A9=%E2%80%A0`);
    expect(urls('utf-16le')).toBe(urls());
    expect(urls('no-such-label')).toBe(urls());
    expect(urls('iso-8859-2')).toBe(`${dir}%C3%A9?%E9=%26%238224%3B`);
    const blank = extractLinks('<a href="?é&nbsp;">1</a>', { url: page, encoding: 'latin1' });
    expect(blank[0]?.url).toBe(`${page}?%E9%A0`);
  });
});

describe('order and extras', () => {
  it('keeps document order and duplicates', () => {
    expect(
      found('<a href=b>1</a><img src=a srcset="c 1x, a 2x"><a href=b>2</a><iframe src=d></iframe>'),
    ).toEqual([
      'a[href] b',
      'img[src] a',
      'img[srcset] c',
      'img[srcset] a',
      'a[href] b',
      'iframe[src] d',
    ]);
  });

  it('tells rel, language and type', () => {
    const [link] = extractLinks('<a REL="NoFollow ugc" hreflang=de type="text/html" href=x>', {
      url: page,
    });
    expect(link).toEqual({
      url: `${dir}x`,
      kind: 'a[href]',
      rel: ['nofollow', 'ugc'],
      text: '',
      hreflang: 'de',
      type: 'text/html',
    });
  });

  it.each([
    ['', []],
    ['nofollow', ['nofollow']],
    [' NOFOLLOW\n noopener ', ['nofollow', 'noopener']],
    ['nofollow,noopener', ['nofollow,noopener']],
  ])('reads rel %j', (rel, tokens) => {
    expect(extractLinks(`<a rel="${rel}" href=x>`, { url: page })[0]?.rel).toEqual(tokens);
  });

  it.each([
    ['plain', 'A  b\n c', 'A b c'],
    ['inline elements', 'a<b>b</b><!-- x -->c', 'abc'],
    ['other elements', 'a<br>b<div>c</div>d<img src=x>e', 'a b c d e'],
    ['references', 'a &amp; b&nbsp;&eacute;&#x41;', 'a & b éA'],
    ['zero bytes', 'a\0b', 'ab'],
    ['scripts', 'a<script>"</a>"</script><style>x</style>b', 'a b'],
    ['a lone angle', 'a < b <3', 'a < b <3'],
    ['a tag with an angle in it', 'a<i title="</a>">b</i>', 'ab'],
    ['nothing', '', ''],
    ['an image', '<img alt="of it" src=x>', 'of it'],
    ['an image with text', '<img alt="not this" src=x>text', 'text'],
  ])('reads text: %s', (_, html, text) => {
    const [link] = extractLinks(`<a href=x>${html}</a> after`, { url: page });
    expect(link?.text).toBe(text);
  });

  it('reads text up to the next link, or the end', () => {
    const texts = (html: string) => extractLinks(html, { url: page }).map(({ text }) => text);
    expect(texts('<a href=1>one <a href=2>two</a></a>')).toEqual(['one', 'two']);
    expect(texts('<a href=1>one')).toEqual(['one']);
    expect(texts('<a href=1>one<abbr>x</abbr></article>two</a>')).toEqual(['onex two']);
    expect(texts('<img alt=" A  b " src=1><map><area alt=c href=2></map>')).toEqual(['A b', 'c']);
  });

  it('takes the alt of an image for the text of a link that has no other', () => {
    const texts = (html: string) =>
      extractLinks(html, { url: page, kinds: ['a[href]'] }).map(({ text }) => text);
    expect(texts('<a href=1> <img src=x alt=" A  &amp; >b "> </a>')).toEqual(['A & >b']);
    expect(texts("<a href=1><img alt><IMG src=x ALT='two'/><img alt=three></a>")).toEqual(['two']);
    expect(texts('<a href=1><img alt=no> text</a><a href=2></a><img alt=no>')).toEqual([
      'text',
      '',
    ]);
    expect(texts('<a href=1><!--<img alt=no>--><script><img alt=no></script></a>')).toEqual(['']);
    expect(texts('<a href=1></img alt=no><imgs alt=no><img title=no></a>')).toEqual(['']);
    expect(texts('<a href=1><image alt=yes></a><a href=2><img alt=cut')).toEqual(['yes', '']);
    expect(texts(`<a href=1><img alt="${'x'.repeat(3_000)}"></a>`)[0]).toHaveLength(200);
  });

  it('cuts long texts, not in the middle of a character', () => {
    const text = (html: string) => extractLinks(`<a href=x>${html}`, { url: page })[0]?.text ?? '';
    expect(text('x'.repeat(5000))).toBe('x'.repeat(200));
    expect(text(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
    expect(text(`${'  '.repeat(100)}late`)).toBe('late');
  });
});

describe('base', () => {
  const base = (html: string) => scanLinks(html, { url: page }).base;

  it.each([
    ['also for links before it', '<a href=x></a><base href=/b/>', 'https://a.example/b/'],
    ['in the body', '<p><base href=/b/>', 'https://a.example/b/'],
    [
      'the first with a href',
      '<base target=x><base href=/1/><base href=/2/>',
      'https://a.example/1/',
    ],
    ['only the first, though it is no URL', '<base href="http://["><base href=/2/>', page],
    ['not of data:', '<base href="data:text/html,x">', page],
    ['not of javascript:', '<base href=" java\nscript:x">', page],
    ['not in a comment', '<!--<base href=/b/>-->', page],
    ['not in a textarea', '<textarea><base href=/b/></textarea>', page],
    ['not in a template', '<template><base href=/b/></template>', page],
    ['not in SVG', '<svg><g><base href=/b/></g></svg>', page],
    ['in HTML in SVG', '<svg><desc><base href=/b/></desc></svg>', 'https://a.example/b/'],
  ])('counts %s', (_, html, expected) => {
    expect(base(html)).toBe(expected);
  });

  it('lets no page lead to files', () => {
    const scan = scanLinks('<base href="file:///etc/"><a href=passwd>', { url: page });
    expect(scan.links).toEqual([]);
    expect(scan.schemes.get('file:')).toBe(1);
  });
});

describe('schemes', () => {
  const schemes = [
    ...['javascript:x', 'mailto:a@b', 'tel:1', 'sms:1', 'data:text/html,<a>', 'blob:https://a/1'],
    ...['about:blank', 'file:///x', 'ftp://a/', 'urn:x', 'vbscript:x', 'whatsapp://x', 'ws://a/'],
    ...[' JavaScript:x', 'java\nscript:x', '\u0001javascript:x', 'view-source:https://a/'],
  ];
  it.each(schemes)('leaves out %j alone', (scheme) => {
    const scan = scanLinks(`<a href="${scheme.replace('<', '&lt;')}">1</a><a href=y>2</a>`, {
      url: page,
    });
    expect(scan.links.map(({ url }) => url)).toEqual([`${dir}y`]);
    expect([...scan.schemes.values()]).toEqual([1]);
    expect(scan.invalid).toBe(0);
  });

  it('leaves out alone what is no URL', () => {
    const bad = [
      'http://[',
      'http://a b/',
      '//',
      'http://a:x/',
      'http://1.2.3.4.5/',
      'https://%zz/',
    ];
    const scan = scanLinks(bad.map((url) => `<a href="${url}">1</a><a href=y>2</a>`).join(''), {
      url: page,
    });
    expect(scan.links).toHaveLength(bad.length);
    expect(scan.invalid).toBe(bad.length);
  });
});

describe('markup', () => {
  it.each([
    ['single quotes', "<a href='y'>", ['y']],
    ['no quotes', '<a href=y/>', ['y/']],
    ['blanks around', '<a\n\thref\f=\r y >', ['y']],
    ['upper case', '<A HREF=y>', ['y']],
    ['the first of two', '<a href=y HREF=n>', ['y']],
    ['glued attributes', '<a x="1"href="y">', ['y']],
    ['an angle in a value', '<a title="a>b" href=y>', ['y']],
    ['an equals sign in front', '<a =x href=y>', ['y']],
    ['a quote in a name', `<a it's href=y title="'">`, ['y']],
    ['a slash between', '<a/href=y>', ['y']],
    ['no value', '<a href>', ['page.html']],
    ['an empty value', '<a href="">', ['page.html']],
    ['no value before the end', '<a href=>', ['page.html']],
    ['another name', '<ab href=n><a-b href=n><a<b href=n>', []],
    ['a lone angle before', '<<a href=y>', ['y']],
    ['an end tag with a link', '</a href=n>', []],
    ['an end tag with quotes', '</p title="><a href=n>"><a href=y>', ['y']],
    ['a tag that the end cuts', '<a href=y><a href="n"', ['y']],
    ['a value that the end cuts', '<a href=y><a href="n>', ['y']],
    ['references', '<a href="?a=1&amp;b=2&copy=3&copy;">', ['page.html?a=1&b=2&copy=3%C2%A9']],
    ['NUL', '<a href="a\0b"><a\0 href=n>', ['a%EF%BF%BDb']],
    ['image, which is img', '<image src=y>', ['y']],
    ['frame outside of a frameset', '<frame src=n>', []],
  ])('%s', (_, html, expected) => {
    expect(found(html).map((link) => link.replace(/^\S+ /, ''))).toEqual(expected);
  });

  it.each([
    ['comment', '<!-- <a href=n> -->'],
    ['comment with an angle', '<!-- > <a href=n> -->'],
    ['comment without an end', '<!-- <a href=n>'],
    ['comment, not ended by --!', '<!--!> <a href=n> -->'],
    ['comment of CDATA', '<![CDATA[<a href=n>]]>'],
    ['doctype', '<!doctype html "<a href=n>'],
    ['instruction', '<?php <a href=n ?>'],
    ['end tag that is a comment', '</ <a href=n>'],
    ['script', '<script>"<a href=n>"</script>'],
    ['script, ended in a comment', '<script><!--<script></script><a href=n>--></script>'],
    ['style', '<style><a href=n></style>'],
    ['textarea', '<textarea></textareas><a href=n></textarea>'],
    ['title', '<title><a href=n></TITLE >'],
    ['xmp', '<xmp><a href=n></xmp>'],
    ['noembed', '<noembed><a href=n></noembed>'],
    ['noframes', '<noframes><a href=n></noframes>'],
    ['iframe', '<iframe><a href=n></iframe>'],
    ['plaintext', '<plaintext></plaintext><a href=n>'],
    ['template', '<template><template></template><a href=n></template>'],
    ['template with SVG', '<template><svg><g></template><template><a href=n></template>'],
    ['attribute', '<p data-x="<a href=n>" data-href=n>'],
    ['srcdoc', '<iframe srcdoc="<a href=n>"></iframe>'],
    ['SVG CDATA', '<svg><![CDATA[<a href=n>]]></svg>'],
    ['MathML', '<math><a href=n></a></math>'],
  ])('takes no link from a %s', (_, html) => {
    expect(found(html)).toEqual([]);
  });

  it.each([
    ['after a comment', '<!-- a --><a href=y>'],
    ['after an empty comment', '<!--><a href=y>-->'],
    ['after an almost empty comment', '<!---><a href=y>-->'],
    ['after a comment with a bang', '<!-- a --!><a href=y> -->'],
    ['after a comment of dashes', '<!------><a href=y>'],
    ['after comments in each other', '<!-- <!-- --><a href=y>'],
    ['after a conditional', '<![if x]><a href=y><![endif]>'],
    ['after nothing', '</><a href=y>'],
    ['after a script in a comment', '<script><!-- </script><a href=y>'],
    ['after a script in a script', '<script><!--<script></script>--></script><a href=y>'],
    ['after an end tag of a template', '</template><a href=y>'],
    ['after a template', '<template><div></template><a href=y>'],
    ['after a template with SVG', '<template><svg><title></template><a href=y>'],
    ['in noscript', '<noscript><a href=y></noscript>'],
    ['in HTML after SVG that is not closed', '<svg><g><p><a href=y>'],
    ['in HTML in SVG', '<svg><foreignObject><a href=y></foreignObject></svg>'],
    ['in HTML in MathML', '<math><mi><a href=y></mi></math>'],
    ['after a script in SVG', '<svg><title><script>"<a href=n>"</script></title></svg><a href=y>'],
    ['after an empty script in SVG', '<svg><script/></svg><a href=y>'],
  ])('takes the link %s', (_, html) => {
    expect(found(html)).toEqual(['a[href] y']);
  });

  it('reads SVG', () => {
    expect(
      found(
        '<svg viewBox="0 0 1 1"><title>T</title><a xlink:href=1><text>x</text></a>' +
          '<a href=2 xlink:href=n></a><use href="i.svg#a"/><image xlink:href=3 /><style><a href=4></a></style>' +
          '<font><a href=5></a></font><font color=red><a href=6></a></font></svg>',
      ),
    ).toEqual([
      'svg:a[xlink:href] 1',
      'svg:a[href] 2',
      'svg:use[href] i.svg#a',
      'svg:image[xlink:href] 3',
      'svg:a[href] 4',
      'svg:a[href] 5',
      // A coloured font ends SVG.
      'a[href] 6',
    ]);
  });

  it('reads XHTML by the rules of XML', () => {
    const type = 'application/xhtml+xml';
    const xhtml =
      '<?xml version="1.0"?><html><script/><title/><textarea/><a href="1"/><![CDATA[<a href="n"/>]]>' +
      '<?x <a href="n"> ?><!-- --!> <a href="n"/> --><svg/><template/><a href="2"/></html>';
    expect(found(xhtml, undefined, type)).toEqual(['a[href] 1', 'a[href] 2']);
    // As HTML, the script never ends.
    expect(found(xhtml)).toEqual([]);
  });

  it.each([
    ['an entity', `<!DOCTYPE html [<!ENTITY e "<b><a href='n'/></b>">]><a href="y"/>`],
    ['a comment in the DTD', '<!DOCTYPE html [<!-- " ]> <a href="n"/> -->]><a href="y"/>'],
    ['an instruction in the DTD', '<!DOCTYPE html [<?x ]> <a href="n"/> ?>]><a href="y"/>'],
    ['identifiers', '<!DOCTYPE html PUBLIC "-//X>//EN" "http://x/>"><a href="y"/>'],
    ['a DOCTYPE that never ends', '<!DOCTYPE html PUBLIC "x><a href="y"/>'],
    ['an end tag in CDATA', '<script><![CDATA["</script><a href=n>"]]></script><a href="y"/>'],
    ['an end tag in a comment', '<style><!-- </style><a href="n"/> --></style><a href="y"/>'],
    ['a script with a tag in a comment', '<script><!--<script>--></script><a href="y"/>'],
    ['a title', '<title>x <a href="y"/></title>'],
    ['elements that are text in HTML', '<xmp><plaintext><a href="y"/></plaintext></xmp>'],
    ['content of an iframe', '<iframe><a href="y"/></iframe>'],
  ])('reads XHTML by the rules of XML: %s', (_, xhtml) => {
    expect(found(xhtml, undefined, 'application/xhtml+xml')).toEqual(['a[href] y']);
  });

  it.each(['<script><![CDATA[', '<script><!--', '<style>', '<!DOCTYPE html [<!--'])(
    'reads XHTML that is cut: %s',
    (end) => {
      const xhtml = `<a href="y"/>${end}`;
      expect(found(xhtml, undefined, 'application/xhtml+xml')).toEqual(['a[href] y']);
    },
  );
});

describe('link elements', () => {
  it('leaves out what only warms up a connection', () => {
    expect(found('<link rel=dns-prefetch href=//n><link rel="preconnect" href=//n>')).toEqual([]);
    expect(found('<link rel="preconnect stylesheet" href=y>')).toEqual(['link[href] y']);
  });

  it('reads preloaded images', () => {
    expect(found('<link rel=preload as=image imagesrcset="a 1x, b 2x" href=c>')).toEqual([
      'link[href] c',
      'link[imagesrcset] a',
      'link[imagesrcset] b',
    ]);
  });
});

describe('documents in srcdoc', () => {
  const read = (html: string, options: object = {}) =>
    scanLinks(html, { url: page, srcdoc: true, ...options });
  const shown = (html: string, options: object = {}) =>
    read(html, options).links.map(({ kind, url }) => `${kind} ${url.replace(dir, '')}`);
  const frame = (html: string) =>
    `<iframe srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;

  it('are not looked into unless asked for', () => {
    const html = `${frame('<a href=x>')}<iframe src=y srcdoc="&lt;a href=x>"></iframe>`;
    expect(found(html, ['all'])).toEqual(['iframe[src] y']);
    expect(shown(html)).toEqual(['a[href] x', 'iframe[src] y', 'a[href] x']);
    expect(shown(html, { kinds: ['a[href]'] })).toEqual(['a[href] x', 'a[href] x']);
  });

  it('have their links where the frame stands, with texts, relative to the page', () => {
    const html = `<a href=1>one</a>${frame('<p><a href="2?a&amp;b" rel=nofollow>t &amp; w</a><img src=3>')}<a href=4>four</a><base href=/b/>`;
    expect(read(html).links.map(({ url, rel, text }) => [url, ...rel, text])).toEqual([
      ['https://a.example/b/1', 'one'],
      ['https://a.example/b/2?a&b', 'nofollow', 't & w'],
      ['https://a.example/b/3', ''],
      ['https://a.example/b/4', 'four'],
    ]);
  });

  it('have a base of their own, and order nothing about the page', () => {
    const inner = frame('<base href=in/><meta name=robots content=nofollow><a href=x><a href=#f>');
    const { links, base, robots } = read(`${inner}<a href=y>`);
    expect(links.map(({ url }) => url)).toEqual([`${dir}in/x`, `${dir}in/#f`, `${dir}y`]);
    expect([base, robots]).toEqual([page, []]);
  });

  it('are HTML in UTF-8, whatever the page is', () => {
    const inner = frame('<script/>x</script><a href=?é>');
    expect(shown(`${inner}<a href=?é>`, { encoding: 'windows-1252' }).slice(-2)).toEqual([
      'a[href] page.html?%C3%A9',
      'a[href] page.html?%E9',
    ]);
    const contentType = 'application/xhtml+xml';
    expect(shown(frame('<textarea><a href=x></textarea><a href=y>'), { contentType })).toEqual([
      'a[href] y',
    ]);
    expect(shown(`<svg>${frame('<a href=x>')}</svg>`, { kinds: ['all'] })).toEqual([]);
  });

  it('count what is no link', () => {
    const html = `${frame('<a href=mailto:a@b><a href="http://["><base href=x:y><a href=z>')}<a href=mailto:c@d>`;
    const { invalid, schemes, links } = read(html);
    expect([links, invalid, schemes.get('mailto:')]).toEqual([[], 2, 2]);
  });

  it('are read one in another only once, in any of a hundred, in templates never', () => {
    expect(shown(frame(`<a href=1>${frame('<a href=2>')}<iframe src=3>`))).toEqual([
      'a[href] 1',
      'iframe[src] 3',
    ]);
    const many = read(frame('<a href=x>').repeat(150));
    expect([many.links.length, many.overLimit]).toEqual([100, 50]);
    expect(
      shown(`<template>${frame('<a href=x>')}</template><!--${frame('<a href=x>')}-->`),
    ).toEqual([]);
  });

  it('are bounded with the page', () => {
    const inner = frame('<a href=x>'.repeat(8));
    const few = read(`<a href=1>${inner}${inner}<a href=2>`, { maxLinks: 10 });
    expect([few.links.length, few.overLimit]).toEqual([10, 8]);
    const long = read(frame(`<a href=x>${'x'.repeat(1_500_000)}`).repeat(2));
    expect([long.links.length, long.overLimit]).toEqual([1, 1]);
    const based = frame(`<base href="/${'b'.repeat(4_000)}/">${'<a href=x>'.repeat(300)}`);
    const { links, overLimit } = read(based.repeat(20));
    expect(links.length + overLimit).toBe(6_000);
    expect(links.length).toBeLessThan(1_600);
  });
});

describe('styles', () => {
  const urls = (html: string) =>
    extractLinks(html, { url: page, kinds: ['embedded'] }).map(({ url }) => url);

  it('may end within a URL in an attribute, but not where the page is cut', () => {
    expect(urls('<p style="background:url(x">')).toEqual([`${dir}x`]);
    expect(urls('<style>a{b:url(x')).toEqual([]);
    expect(urls('<style>@import "x')).toEqual([]);
    expect(urls('<style>a{b:url(x</style>')).toEqual([`${dir}x`]);
  });
});

describe('robots metas', () => {
  it('reports what may be an order', () => {
    const html =
      '<meta name=ROBOTS content="NoIndex"><meta name=description content="x"><meta property=robots content=none>' +
      '<template><meta name=robots content=none></template><meta name=examplebot content="nofollow">';
    expect(scanLinks(html, { url: page }).robots).toEqual([
      { name: 'robots', content: 'NoIndex' },
      { name: 'examplebot', content: 'nofollow' },
    ]);
  });

  it('reads references in orders', () => {
    const html =
      '<meta name="&#114;obots" content="no&#102;ollow"><meta name=robots content=&#110;one>';
    expect(scanLinks(html, { url: page }).robots).toEqual([
      { name: 'robots', content: 'nofollow' },
      { name: 'robots', content: 'none' },
    ]);
  });
});
