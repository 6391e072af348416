import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesRoute, on, routePattern } from '../../src/page/index.js';

const at = (path: string) => `https://a.example${path}`;

describe('routePattern', () => {
  it.each<[pattern: string, yes: readonly string[], no: readonly string[]]>([
    ['/', ['/', '/?q=1', '/#f'], ['/a']],
    ['/a', ['/a', '/a?x', '/a#/b'], ['/', '/a/', '/ab', '/b/a']],
    [
      '/product/*',
      ['/product/', '/product/7', '/product/7?x#y'],
      ['/product', '/product/7/8', '/x/product/7'],
    ],
    ['/product/**', ['/product/', '/product/7', '/product/7/8'], ['/product', '/products/7']],
    ['/a/**/b', ['/a/b', '/a/x/b', '/a/x/y/b'], ['/a/xb', '/ab', '/a/b/c', '/a/x/b/']],
    ['/**/*.html', ['/x.html', '/a/b/x.html', '/a/.html'], ['/x.htm', '/x.html/']],
    ['/*/b', ['/a/b', '//b'], ['/b', '/a/a/b']],
    [
      '/:lang/docs/:page.html',
      ['/en/docs/x.html'],
      ['/docs/x.html', '/en/docs/.html', '/en/docs/a/b.html'],
    ],
    ['/search?q=*', ['/search?q=', '/search?q=x#f'], ['/search', '/search?p=1']],
    ['**/end', ['/end', '/a/end'], ['/a/ends']],
    ['/a*b*c', ['/abc', '/a--b--c', '/abbcbc'], ['/ab', '/abcd', '/a/b/c']],
    ['/straße/grün weg', ['/stra%C3%9Fe/gr%C3%BCn%20weg'], ['/strasse/gr%C3%BCn%20weg']],
    ['/a.b+c(d)[e]^$|', ['/a.b+c(d)[e]^$|'], ['/aXb+c(d)[e]^$|']],
  ])('%s', (pattern, yes, no) => {
    for (const path of yes) expect(matchesRoute(pattern, at(path)), path).toBe(true);
    for (const path of no) expect(matchesRoute(pattern, at(path)), path).toBe(false);
  });

  it('compares the whole URL with a pattern that has a scheme', () => {
    const pattern = 'HTTPS://*.Example.org:8080/:city/**';
    expect(matchesRoute(pattern, 'https://www.example.org:8080/oslo/a/b')).toBe(true);
    expect(matchesRoute(pattern, 'http://www.example.org:8080/oslo/a/b')).toBe(false);
    expect(matchesRoute(pattern, 'https://example.org:8080/oslo/a')).toBe(false);
    expect(matchesRoute('*://a.example', 'http://a.example/')).toBe(true);
    expect(matchesRoute('https://:shop.example/', 'https://a.b.example/')).toBe(true);
  });

  it('gives the named parts, decoded', () => {
    const match = (pattern: string, path: string) => routePattern(pattern).match(at(path));
    expect({ ...match('/city/:name', '/city/S%C3%A3o%20Paulo') }).toEqual({ name: 'São Paulo' });
    expect({ ...match('/:a/:b', '/x/%zz') }).toEqual({ a: 'x', b: '%zz' });
    expect({ ...match('/:a-:b', '/x-y-z') }).toEqual({ a: 'x-y', b: 'z' });
    expect({ ...match('/**/:last', '/a/b/c') }).toEqual({ last: 'c' });
    expect(match('/:a', '/x/y')).toBeUndefined();
    expect({ ...match('/none', '/none') }).toEqual({});
    const params = match('/:__proto__', '/x');
    expect(Object.getPrototypeOf(params)).toBeNull();
    expect(Object.keys(params ?? {})).toEqual(['__proto__']);
  });

  it('refuses what is no pattern', () => {
    expect(() => routePattern('product')).toThrow(
      'routePattern: expected a pattern such as "/city/:name" or "https://*.example.org/**", got "product"',
    );
    expect(() => routePattern('')).toThrow(TypeError);
  });

  it.each(['/a/:', '/:/b', '/:*', '/a/:?x', 'https://:/x', '/:é'])(
    'refuses a colon that has lost its name: %s',
    (pattern) => {
      expect(() => routePattern(pattern)).toThrow(
        `routePattern: expected a name behind ":", such as ":name", got ${JSON.stringify(pattern)}`,
      );
      expect(() => on(pattern, () => [])).toThrow(TypeError);
    },
  );

  it.each(['/(', '/a)', '/)(', '/a(b))', '/:id(\\d+'])(
    'refuses brackets that do not match: %s',
    (pattern) => {
      expect(() => routePattern(pattern)).toThrow(
        `routePattern: expected brackets that match, or "%28" and "%29" for single ones, got ${JSON.stringify(pattern)}`,
      );
    },
  );

  it('takes colons and brackets as they stand in URLs', () => {
    expect(matchesRoute('/wiki/Oslo_(city)', at('/wiki/Oslo_(city)'))).toBe(true);
    expect(matchesRoute('/a:/b:1/:1', at('/a:/b:1/:1'))).toBe(true);
    expect(matchesRoute('https://a.example:8080/*', 'https://a.example:8080/x')).toBe(true);
    expect(matchesRoute('/%28', at('/%28'))).toBe(true);
  });

  it.each([
    ['/:a/:b/:a', 'the name "a" only once'],
    ['/:id(\\d+)', 'no regular expression'],
    ['/city{/:id}', 'no braces'],
    ['/a#b', 'no fragment'],
    ['http://', 'a host'],
    ['https:///x', 'a host'],
  ])('refuses %s, which matches nothing', (pattern, expected) => {
    expect(() => routePattern(pattern)).toThrow(`routePattern: expected ${expected}`);
  });

  it.each(['/wiki/Foo_(bar)', 'http://[::1]:8080/:x', '/a:1', '/Talk:Page', '/q?x={y}'])(
    'takes %s',
    (pattern) => {
      expect(routePattern(pattern).pattern).toBe(pattern);
    },
  );

  it('equals the regular expression that says the same', () => {
    const token = fc.constantFrom('a', 'b', '/', '*', '**', ':x', '/**/', '.');
    const text = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(token, { maxLength: 6 }), text, (tokens, letters) => {
        // A name may be there once.
        const pattern = `/${tokens.filter((each, i) => each !== ':x' || i === tokens.indexOf(':x')).join('')}`;
        const source = pattern.replace(/(?<=\/)\*{2,}\/|\*{2,}|\*|:[a-z_]\w*|[./]/g, (part) => {
          if (part.endsWith('*/')) return '(?:[^]*/)?';
          if (part.startsWith('**')) return '[^]*';
          if (part === '*') return '[^/]*';
          return part.startsWith(':') ? '[^/]+' : `\\${part}`;
        });
        const path = `/${letters.join('')}`;
        expect(matchesRoute(pattern, at(path)), `${pattern} ${path}`).toBe(
          new RegExp(`^${source}$`).test(path),
        );
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1000) },
    );
  });
});
