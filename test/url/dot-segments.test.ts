import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalUrl } from 'rxcrawl';
import { hasDotSegment, resolveDots } from '../../src/url/dot-segments.js';

describe('resolveDots', () => {
  it.each([
    ['/', '/'],
    ['/a/.b/../c', '/a/c'],
    ['/a/.b/.', '/a/.b/'],
    ['/a/..', '/'],
    ['/../../a', '/a'],
    ['//../a', '/a'],
    ['/a/.../b', '/a/.../b'],
  ])('%s is %s', (path, expected) => {
    expect(resolveDots(path)).toBe(expected);
    expect(canonicalUrl(`http://h.test${path}?/../x`)).toBe(`http://h.test${expected}?/../x`);
  });

  it('agrees with the parser', () => {
    const piece = fc.constantFrom('/', '/.', '/..', '/a', '/%2e');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = `/${pieces.join('')}`;
        expect(resolveDots(path.replaceAll('%2e', '.'))).toBe(
          new URL(`http://h.test${path}`).pathname,
        );
      }),
    );
  });
});

describe('hasDotSegment', () => {
  it('sees whole segments only', () => {
    expect(['/.', '/..', '/a/./b', '/..?x', '/.#'].filter(hasDotSegment)).toHaveLength(5);
    expect(['/', '/.a', '/a.', '/...', 'a..b/'].filter(hasDotSegment)).toHaveLength(0);
  });
});
