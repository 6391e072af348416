import { describe, expect, it } from 'vitest';
import { isCrawlError, request } from '../../src/core/index.js';
import {
  extractLinks,
  createPage,
  loadDocument,
  parseLinkHeader,
  parseRefresh,
  parseSrcset,
  robotsDirectives,
  routePattern,
  scanLinks,
  type PageOptions,
} from '../../src/page/index.js';
import { cssUrls } from '../../src/page/css-urls.js';
import { feedLinks } from '../../src/page/feed-links.js';
import { jsonLdUrls, parseJsonLd } from '../../src/page/json-ld.js';

/**
 * Milliseconds of CPU time: what else the machine does should be of no interest. It is of some,
 * so that the best of five counts; it is run again only if it took longer than the limit.
 */
function cpuMs(work: () => unknown, limit: number): number {
  let best = Infinity;
  for (let run = 0; run < 5 && best >= limit; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const url = 'https://a.example/dir/page';
const links = (html: string) => scanLinks(html, { url, kinds: ['all'] });
const many = (text: string, count: number) => text.repeat(count);

describe('documents without a body', () => {
  const flat = many('<p>x</p>', 60_000);

  it('are searched in linear time', () => {
    const $ = loadDocument(`<!doctype html><title>T</title>${flat}`);
    expect(cpuMs(() => $('title').text(), 200)).toBeLessThan(200);
    expect($('title').text()).toBe('T');
    expect($('p').length).toBe(60_000);
    expect($('body > p:first-of-type').next().is('p')).toBe(true);
    expect($('p').first().parent().is('body')).toBe(true);
  });

  it('are refused as XML', () => {
    expect(() => loadDocument(flat, { xml: true })).toThrow(/rule roots/);
    expect(loadDocument('<p>x</p>')('body')).toHaveLength(0);
  });
});

describe('inputs that are made to be slow: links', () => {
  const inputs: readonly (readonly [name: string, limitMs: number, html: string])[] = [
    ['meta, not closed', 100, many('<meta ', 200_000)],
    ['meta, refresh over and over', 100, `<meta${many(' http-equiv refresh', 100_000)}`],
    ['base, not closed', 100, many('<base ', 200_000)],
    ['a, not closed', 200, many('<a', 200_000)],
    ['comments in each other', 200, many('<!--', 200_000)],
    ['comments that end in a wrong way', 200, many('<!-- --!', 200_000)],
    ['dashes', 200, `<!--${many('-', 1_000_000)}`],
    [
      '200,000 attributes',
      500,
      `<a${Array.from({ length: 200_000 }, (_, i) => ` a${i}=1`).join('')} href=x>`,
    ],
    ['200,000 equal attributes', 500, `<a${many(' href=x', 200_000)}>`],
    ['1,000,000 links', 1500, many('<a href=/x>1</a>', 1_000_000)],
    ['100,000 links with long texts', 1500, many(`<a href=/x>${many('word ', 50)}`, 20_000)],
    ['nested elements', 500, many('<div>', 100_000)],
    ['nested templates', 500, many('<template>', 100_000) + many('</template>', 100_000)],
    ['nested SVG', 500, many('<svg>', 100_000) + many('</x>', 100_000)],
    ['scripts that never end a comment', 500, many('<script><!--</script>', 50_000)],
    ['scripts in scripts', 500, many('<script><!--<script>', 50_000)],
    ['scripts, not closed', 200, many('<script>', 100_000)],
    ['titles, not closed', 200, many('<title>', 100_000)],
    ['end tags, not closed', 200, many('</a ', 200_000)],
    ['quotes, not closed', 200, many('<a href="', 200_000)],
    ['quotes of both kinds', 200, many(`<a href='"`, 200_000)],
    ['blanks in a tag', 200, `<a ${many(' \n', 1_000_000)}href=x>`],
    ['one attribute of 2 MB', 500, `<a href="${many('a/', 1_000_000)}">`],
    ['one attribute of 2 MB of references', 500, `<a href="${many('&amp;', 400_000)}">`],
    ['one attribute of 2 MB of NUL', 500, `<a href="${many('\0', 2_000_000)}">`],
    ['NUL bytes', 300, many('\0<\0a\0', 400_000)],
    ['a path that goes up', 200, `<a href="http://a.test/${many('../', 100_000)}">`],
    ['a path that goes up, relative', 200, `<a href="${many('../', 100_000)}x">`],
    ['per cent signs', 200, `<a href="/${many('%', 500_000)}">`],
    ['a long host', 200, `<a href="http://${many('a.', 100_000)}">`],
    ['srcset of parentheses', 200, `<img srcset="a ${many('(', 500_000)}">`],
    ['srcset of commas', 200, `<img srcset="${many(',', 500_000)}">`],
    ['CSS url', 200, `<style>${many('url(', 100_000)}</style>`],
    ['CSS import', 200, `<style>${many('@import "', 100_000)}</style>`],
    ['JSON-LD', 200, `<script type=application/ld+json>${many('[', 100_000)}</script>`],
    ['references that are none', 300, `<a href=/x>${many('&', 500_000)}</a>`],
    ['links that are no URL', 1000, many('<a href="http://[">', 10_000)],
    ['rel of many tokens', 300, `<a href=x rel="${many('a ', 100_000)}">`],
  ];

  it.each(inputs)('%s', (_, limit, html) => {
    links('<a href=x>warm up</a>');
    expect(cpuMs(() => links(html), limit)).toBeLessThan(limit);
    // Cut at any place, it is read as well.
    expect(cpuMs(() => links(html.slice(0, html.length / 2)), limit)).toBeLessThan(limit);
  });

  it('keeps only as many links as it is told', () => {
    const scan = links(many('<a href=/x>1</a>', 100_000));
    expect(scan.links).toHaveLength(10_000);
    expect(scan.overLimit).toBe(90_000);
    const few = scanLinks(many('<a href=/x>1</a>', 10), { url, maxLinks: 3 });
    expect([few.links.length, few.overLimit]).toEqual([3, 7]);
  });
});

describe('inputs that are made to be slow: the rest', () => {
  const inputs: readonly (readonly [name: string, limitMs: number, work: () => unknown])[] = [
    ['srcset', 200, () => parseSrcset(`a ${many('(a,', 300_000)}`)],
    ['srcset digits', 200, () => parseSrcset(`a ${many('1', 500_000)}y`)],
    ['refresh', 200, () => parseRefresh(`${many('1', 500_000)}x`)],
    ['refresh blanks', 200, () => parseRefresh(`1${many(' ', 500_000)}`)],
    ['Link of angles', 200, () => parseLinkHeader(many('<', 200_000))],
    ['Link of quotes', 200, () => parseLinkHeader(`<x>${many(';a="', 100_000)}`)],
    ['Link of back slashes', 200, () => parseLinkHeader(`<x>;a="${many('\\', 300_000)}`)],
    ['X-Robots-Tag', 200, () => robotsDirectives({ headers: many('a:', 200_000) })],
    [
      'XHTML of DOCTYPEs that do not end',
      500,
      () =>
        extractLinks(many('<!DOCTYPE "', 100_000), {
          url: 'https://a.example/',
          contentType: 'application/xhtml+xml',
        }),
    ],
    ['CSS comments', 200, () => cssUrls(many('/*', 200_000))],
    ['CSS escapes', 200, () => cssUrls(`url(${many('\\', 300_000)}`)],
    ['JSON-LD strings', 200, () => parseJsonLd(many('"', 200_000))],
    [
      'JSON-LD objects',
      500,
      () => jsonLdUrls(parseJsonLd(`[${many('{"url":"x"},', 50_000)}1]`) ?? 0),
    ],
    [
      'a feed of elements in each other',
      1000,
      () => feedLinks(many('<item>', 200_000), 'https://a.example/'),
    ],
    [
      'a feed without an end',
      1000,
      () => feedLinks(many('<item><link>', 100_000), 'https://a.example/'),
    ],
    [
      'a pattern of stars',
      500,
      () => routePattern(`/${many('**a', 20)}b`).test(`https://a.example/${many('a', 20_000)}`),
    ],
    [
      'a pattern of names',
      500,
      () => routePattern('/:a:b:c:d/x').test(`https://a.example/${many('a', 20_000)}`),
    ],
  ];
  it.each(inputs)('%s', (_, limit, work) => {
    expect(cpuMs(work, limit)).toBeLessThan(limit);
  });
});

describe('documents that are made to be slow', () => {
  function refusal(html: string, options?: PageOptions): string | undefined {
    const page = createPage(
      { url, status: 200, headers: {}, body: Buffer.from(html), redirects: [], wireBytes: 1 },
      request(url),
      options,
    );
    try {
      page.$('x');
      return undefined;
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      expect(error.code).toBe('parse-failed');
      // The links are there all the same.
      expect(page.links.length).toBeGreaterThan(0);
      return String(error.detail?.['rule']);
    }
  }
  const start = '<!doctype html><a href=/x>1</a>';

  it.each(['htmlparser2', 'parse5'] as const)('are refused by rule: %s', (parser) => {
    const rule = (html: string) => {
      let found: string | undefined;
      expect(cpuMs(() => (found = refusal(start + html, { parser })), 2000)).toBeLessThan(2000);
      return found;
    };
    expect(rule(many('<div>', 100_000))).toBe('depth');
    expect(rule(many('<b><i>', 50_000))).toBe('depth');
    expect(rule(`<p${Array.from({ length: 100_000 }, (_, i) => ` a${i}`).join('')}>`)).toBe(
      'attributes',
    );
    expect(rule(many('x', 5_000_001))).toBe('length');
    expect(rule(many('<div>', 400) + many('</div>', 400))).toBeUndefined();
    expect(rule(many('<p>', 10_000) + many('<li>', 10_000) + many('<br>', 10_000))).toBeUndefined();
  });

  it.each([
    ['a template', '<template><p ', '>'],
    ['MathML', '<math><mi ', '>'],
    ['an end tag', '</p ', '>'],
    ['a tag that the end cuts', '<p ', ''],
  ])('refuses the attributes of %s', (_, open, close) => {
    const html = start + open + Array.from({ length: 30_000 }, (_, i) => ` a${i}`).join('') + close;
    expect(refusal(html, { parser: 'parse5' })).toBe('attributes');
  });

  it.each([
    ['paragraphs', '<p>x</p>'],
    ['line breaks', '<br>'],
    ['tables', '<table><td>x</table>'],
    ['attributes', '<p a b c d e f g h>x</p>'],
    ['options', '<select><option>'],
    ['comments', '<!---->'],
    ['angles', '<'],
  ])('refuses more parts than a quarter of a second has time for: %s', (_, piece) => {
    for (const [parser, length] of [
      ['htmlparser2', 5_000_000],
      ['parse5', 1_000_000],
    ] as const) {
      const html = start + many(piece, Math.floor((length - 100) / piece.length));
      expect(['parts', 'depth']).toContain(refusal(html, { parser }));
    }
  });

  it('takes long pages whose markup is not dense', () => {
    const html = start + many(`<p class=x>${many('word ', 20)}</p>`, 40_000);
    expect(refusal(html)).toBeUndefined();
    expect(refusal(html.slice(0, 990_000), { parser: 'parse5' })).toBeUndefined();
  });

  it('refuses elements that multiply', () => {
    const formats = Array.from({ length: 400 }, (_, i) => `<b id=${i}>`).join('');
    const html = `${start}<div>${formats}</div>${many('<p>x</p>', 20_000)}`;
    let rule: string | undefined;
    expect(cpuMs(() => (rule = refusal(html, { parser: 'parse5' })), 5000)).toBeLessThan(5000);
    expect(rule).toBe('parts');
  });

  it('takes a limit of its own', () => {
    expect(refusal(`${start}${many('x', 100)}`, { maxDocument: 50 })).toBe('length');
    expect(loadDocument('<p>x', { maxLength: 4 })('p').text()).toBe('x');
  });
});
