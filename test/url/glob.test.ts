import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from 'rxcrawl';
import { cpuTime } from '../helpers/cpu-time.js';

describe('compileGlob', () => {
  it.each<[string, string[], string[]]>([
    ['/a', ['/a'], ['/', '/a/', '/ab']],
    ['/*', ['/', '/a'], ['/a/', '/a/b']],
    ['/*.html', ['/.html', '/a.html'], ['/a/b.html', '/a.htm']],
    ['/a*b*c', ['/abc', '/axbxc', '/abbcc'], ['/abcx', '/a/bc']],
    ['/**', ['/', '/a/b/'], ['']],
    ['/docs/**.html', ['/docs/a.html', '/docs/a/b.html'], ['/docs/a.htm', '/docs']],
    ['/a/**/b', ['/a/b', '/a/x/b', '/a/x/y/b', '/a//b'], ['/a/xb', '/ab', '/a/b/c']],
    ['/a/**/**/*.x', ['/a/.x', '/a/b.x', '/a/b/c.x'], ['/a.x']],
    ['**/b', ['b', 'a/b', '/b'], ['ab', 'b/']],
    ['/?', ['/a', '/?'], ['/', '/ab', '//']],
    ['/p?x=*', ['/p?x=1', '/p?x='], ['/p', '/p/x=1']],
    ['\\*\\?', ['*?'], ['ab', '\\*\\?']],
    [
      '*.example.org/**',
      ['a.example.org/', 'a.b.example.org/x/y'],
      ['example.org/', 'a/b.example.org/'],
    ],
  ])('%s', (pattern, matching, others) => {
    const matches = compileGlob(pattern);
    expect(matching.filter((text) => !matches(text))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it('agrees with the regular expression that it stands for', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '?');
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, chars) => {
        const pattern = pieces.join('');
        const source = pattern.replace(/\*{2,}|[*?]|(?:)/g, (wild) =>
          wild === '' ? '' : wild === '?' ? '[^/]' : wild === '*' ? '[^/]*' : '[^]*',
        );
        // Stars that fill a whole segment have a rule of their own, tested above.
        if (/(?:^|\/)\*{2,}\//.test(pattern)) return;
        const expected = new RegExp(`^${source}$`).test(chars.join(''));
        expect(compileGlob(pattern)(chars.join('')), pattern).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is linear in the text however many stars there are', () => {
    const text = `/${'a'.repeat(10_000)}`;
    const patterns = [
      '/*a*a*a*a*a*a*a*a*a*b',
      '/**a**a**a**a**a**a**a**a**a**b',
      `/${'*a'.repeat(50)}b`,
      `${'**/'.repeat(50)}b`,
    ];
    for (const pattern of patterns) {
      const matches = compileGlob(pattern);
      expect(matches(text)).toBe(false);
      expect(
        cpuTime(() => matches(text), 3),
        pattern,
      ).toBeLessThan(50);
    }
  });

  it('refuses what is no pattern', () => {
    expect(() => compileGlob('')).toThrow(TypeError);
    expect(() => compileGlob('/a\\')).toThrow(/behind the last/);
  });
});
