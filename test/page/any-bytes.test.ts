import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCrawlError, isRequest, request } from '../../src/core/index.js';
import { createPage, scanLinks } from '../../src/page/index.js';
import { randomHtml, randomNumbers } from './random-html.js';

const url = 'https://a.example/dir/page';

/** Reads everything that a page has; nothing but `$` and `json()` may throw. */
function readAll(body: Uint8Array, contentType: string | undefined): void {
  const headers = { 'content-type': contentType, link: '<x>; rel=next', refresh: '1; y' };
  const page = createPage(
    { url, status: 200, headers, body, redirects: [], wireBytes: 1 },
    request(url),
  );
  expect(typeof page.text).toBe('string');
  expect(page.title === undefined || page.title === page.title.trim()).toBe(true);
  for (const link of page.links) {
    expect(link.url).toMatch(/^https?:\/\//);
    expect(new URL(link.url).href).toBe(link.url);
  }
  const requests = page.follow();
  expect(requests.every((one) => isRequest(one) && !one.url.includes('#'))).toBe(true);
  expect(new Set(requests.map(({ key }) => key)).size).toBe(requests.length);
  expect(Array.isArray(page.meta.warnings)).toBe(true);
  for (const risky of [() => page.$('a').text(), () => page.json()]) {
    try {
      risky();
    } catch (error) {
      expect(isCrawlError(error) && error.code === 'parse-failed').toBe(true);
    }
  }
}

const types = fc.constantFrom(
  ...[undefined, 'text/html', 'text/html; charset=utf-16le', 'text/html; charset=shift_jis'],
  ...[
    'application/xhtml+xml',
    'application/rss+xml',
    'text/xml',
    'application/json',
    'image/png',
    'x',
  ],
);

describe('whatever the body is', () => {
  it('a page can be read: random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), types, readAll), { numRuns: 300 });
  });

  it('a page can be read: mutated markup', () => {
    const random = randomNumbers(3);
    const html = fc
      .integer()
      .map(() => Buffer.from(randomHtml(random, { foreign: true, faults: 5 })));
    fc.assert(fc.property(html, types, readAll), { numRuns: 300 });
  });

  it('links can be extracted with all kinds, also from texts that are not well-formed', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '</',
        '/>',
        'a',
        'href',
        '=',
        '"',
        "'",
        '<!--',
        '-->',
        '--!>',
        '<![CDATA[',
        ']]>',
      ],
      ...['<a href=', '<img srcset="', '<style>', '<script type=application/ld+json>', '</script>'],
      ...[
        '<svg>',
        '<math>',
        '<template>',
        '<base href=',
        '<meta http-equiv=refresh content="0;',
        '{"url":"',
      ],
      ...['\ud800', '\udc00', '\0', '&', '&#', '&#x110000;', '&notin;', ' ', '\n', 'url(', '\\'],
    );
    const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(html, fc.boolean(), fc.boolean(), (text, noscript, xml) => {
        const contentType = xml ? 'application/xhtml+xml' : 'text/html';
        const { links } = scanLinks(text, { url, kinds: ['all'], noscript, contentType });
        for (const link of links) expect(new URL(link.url).href).toBe(link.url);
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 2000) },
    );
  });
});
