import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkResolver } from '../../src/page/link-resolver.js';

const BASES = [
  'https://a.example/',
  'https://a.example/dir/sub/page.html?q=1&r=/x#frag',
  'http://user:pass@a.example:8080/a/b/',
  'https://xn--bcher-kva.example/%7Euser/..data/;p=1/x',
  'http://[::1]:3000/a',
  'https://a.example/?only=query',
  'https://a.example/a//b///c',
];

/** What the short cut must equal. */
function byUrl(reference: string, base: string): string | undefined {
  try {
    const { href, protocol } = new URL(reference, base);
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Pieces that references are made of, and that lead close to the edges of the short cut. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z0-9._~-]{1,6}$/) },
  fc.constantFrom(
    ...[
      '/',
      '//',
      '../',
      './',
      '..',
      '.',
      '?',
      '#',
      '%2e',
      '%2E/',
      '%',
      '%zz',
      '\\',
      ':',
      '@',
      '|',
    ],
    ...[
      "'",
      '"',
      '<',
      '>',
      '`',
      '{',
      '}',
      '^',
      ' ',
      '\t',
      '\n',
      '\u000b',
      '\0',
      'é',
      '日本',
      '\ud800',
    ],
    ...[
      'http:',
      'https:',
      'HTTP:',
      'mailto:',
      'javascript:',
      'data:',
      'file:',
      '&amp;',
      ';',
      '=',
      '+',
    ],
    ...[
      'http://',
      'https://',
      'https://a.example',
      'https://b.example/',
      'http://a.example:80/',
      '[',
      ']',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const reference = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

describe('LinkResolver', () => {
  it('equals the URL parser', { timeout: 600_000 }, () => {
    const references = fc.array(reference, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...BASES), references, (base, list) => {
        const resolver = new LinkResolver(base);
        for (const one of [...list, ...list]) {
          expect(resolver.resolve(one), JSON.stringify([one, base])).toBe(byUrl(one, base));
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 500) },
    );
  });

  it('counts what it leaves out, also when it comes again', () => {
    const resolver = new LinkResolver('https://a.example/');
    for (const one of [
      'mailto:a@b',
      'mailto:a@b',
      'java\nscript:x',
      'http://[',
      'http://[',
      '/ok',
    ]) {
      resolver.resolve(one);
    }
    expect(Object.fromEntries(resolver.schemes)).toEqual({ 'mailto:': 2, 'javascript:': 1 });
    expect(resolver.invalid).toBe(2);
  });

  it('resolves nothing but absolute URLs against a base that is none of the web', () => {
    const resolver = new LinkResolver('file:///etc/');
    expect(resolver.resolve('passwd')).toBeUndefined();
    expect(resolver.resolve('https://a.example/x')).toBe('https://a.example/x');
    expect(resolver.schemes.get('file:')).toBe(1);
  });

  it.each([
    ['', 'https://a.example/x?'],
    [' \n', 'https://a.example/x?'],
    ['#f', 'https://a.example/x?#f'],
    ['#é\n', 'https://a.example/x?#%C3%A9'],
    ['?', 'https://a.example/x?'],
    ['y', 'https://a.example/y'],
  ])('keeps an empty query of the base: %j', (one, expected) => {
    expect(new LinkResolver('https://a.example/x?#g').resolve(one)).toBe(expected);
    expect(new LinkResolver('https://a.example/x?', (query) => query).resolve(one)).toBe(expected);
  });

  it('encodes queries by the page, and only queries', () => {
    const resolver = new LinkResolver('https://a.example/', (query) => `<${query}>`);
    expect(resolver.resolve(' /é?q=é\n#é ')).toBe('https://a.example/%C3%A9?%3Cq=%C3%A9%3E#%C3%A9');
    expect(resolver.resolve('/x?q=1')).toBe('https://a.example/x?q=1');
    expect(resolver.resolve('#é?é')).toBe('https://a.example/#%C3%A9?%C3%A9');
  });

  it.each([
    ['/?é\u00a0', '/?<é\u00a0>'],
    ['/?\u3000', '/?<\u3000>'],
    ['\u00a0?é', '/\u00a0?<é>'],
    [' \u0001/?é\u001f\u0000 ', '/?<é>'],
    ['/?é\t\n', '/?<é>'],
    ['/?\u0001é', '/?<\u0001é>'],
  ])('leaves out around a query what the URL parser leaves out: %j', (reference, meant) => {
    const resolver = new LinkResolver('https://a.example/', (query) => `<${query}>`);
    expect(resolver.resolve(reference)).toBe(new URL(meant, 'https://a.example/').href);
  });
});
