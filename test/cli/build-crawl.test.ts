import { describe, expect, it } from 'vitest';
import { isLoopback, scopeOf, shortPathsFirst } from '../../src/cli/build-crawl.js';
import { parseOptions } from '../../src/cli/parse-options.js';
import { request, siteOf } from '../../src/index.js';

const SEED = 'https://www.shop.example/';

/** Whether the options let a link of the seed be followed. */
function follows(argv: readonly string[], url: string, depth = 1): boolean {
  const parsed = parseOptions([...argv, SEED]);
  if (parsed.action !== 'crawl') throw new Error('expected a crawl');
  const from = depth === 0 ? undefined : request(SEED);
  const seeds = new Set([siteOf(SEED)]);
  return scopeOf(parsed.options)(request(url, { depth }), { from, seeds });
}

describe('scopeOf', () => {
  it.each([
    [[], 'http://shop.example/a', true],
    [[], 'https://blog.shop.example/', false],
    [['--scope', 'domain'], 'https://blog.shop.example/', true],
    [['--scope', 'domain'], 'https://other.example/', false],
    [['--scope', 'all'], 'https://other.example/', true],
    [['--include', '/docs/**'], 'https://shop.example/docs/a/b', true],
    [['--include', '/docs/**'], 'https://shop.example/blog', false],
    [['--include', '/docs/', '--include', '/blog'], 'https://shop.example/blog', true],
    [['--include', '/docs/**'], 'https://other.example/docs/a', false],
    [['--exclude', '/**.pdf'], 'https://shop.example/a/b.pdf', false],
    [['--include', '/docs/**', '--exclude', '/**.pdf'], 'https://shop.example/docs/b.pdf', false],
    [['--exclude', '/**.pdf'], 'https://shop.example/b.html', true],
  ])('%j lets %s be followed: %s', (argv, url, expected) => {
    expect(follows(argv, url)).toBe(expected);
  });

  it('crawls a seed that is not included, but not one that is excluded', () => {
    expect(follows(['--include', '/docs/**'], SEED, 0)).toBe(true);
    expect(follows(['--exclude', 'www.shop.example'], SEED, 0)).toBe(false);
  });
});

describe('scopeOf and sitemaps', () => {
  it('includes of what a sitemap names only what matches', () => {
    const parsed = parseOptions(['--include', '/docs/**', '--sitemap', SEED]);
    if (parsed.action !== 'crawl') throw new Error('expected a crawl');
    const scope = scopeOf(parsed.options);
    const named = (url: string) =>
      scope(request(url, { referrer: `${SEED}sitemap.xml` }), {
        from: undefined,
        seeds: new Set([siteOf(SEED)]),
      });
    expect([named(`${SEED}docs/a`), named(`${SEED}blog`)]).toEqual([true, false]);
  });
});

describe('isLoopback', () => {
  it('goes by the name alone', () => {
    for (const host of [
      '127.0.0.1',
      '127.1.2.3:8080',
      'localhost:3000',
      'a.localhost',
      '[::1]:80',
    ]) {
      expect(isLoopback(host)).toBe(true);
    }
    for (const host of [
      'a.example',
      'localhost.example',
      '127.0.0.1.example',
      '10.0.0.1',
      '[::2]',
    ]) {
      expect(isLoopback(host)).toBe(false);
    }
  });
});

describe('shortPathsFirst', () => {
  it('rates a page by its distance from the root', () => {
    const urls = ['/a/b/c', '/a?x=1', '/', '/a/', '/a/b'].map((path) => `https://a.example${path}`);
    const rated = urls.map((url) => ({ url, score: shortPathsFirst(request(url)) }));
    expect(rated.sort((a, b) => b.score - a.score).map(({ url }) => new URL(url).pathname)).toEqual(
      ['/', '/a/', '/a', '/a/b', '/a/b/c'],
    );
  });
});
