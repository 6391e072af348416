import { describe, expect, it } from 'vitest';
import { randomSite, reachable, seededRandom } from '../../src/testing/index.js';

describe('randomSite', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(randomSite(7)).toEqual(randomSite(7));
    expect(randomSite(7)).not.toEqual(randomSite(8));
  });

  it('has, over some seeds, everything that a crawl must cope with', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 50; seed++) {
      const { pages, seeds } = randomSite(seed);
      for (const [url, { links = [], latency, redirect, fail, status }] of Object.entries(pages)) {
        kinds.add(latency === 0 ? 'synchronous' : 'slow');
        if (new Set(links).size < links.length) kinds.add('duplicate links');
        if (links.includes(url)) kinds.add('cycle');
        if (links.some((link) => !(link in pages))) kinds.add('absent page');
        if (redirect !== undefined) {
          kinds.add('redirect');
          if (pages[redirect]?.redirect !== undefined) kinds.add('chain of redirects');
        }
        if (typeof fail === 'string') kinds.add('fails for good');
        if (typeof fail === 'object') kinds.add('fails once');
        if (typeof status === 'object') kinds.add('refused once');
      }
      if (new Set(seeds).size < seeds.length) kinds.add('duplicate seeds');
      if (reachable(pages, seeds).size < Object.keys(pages).length) kinds.add('unreachable page');
    }
    expect([...kinds].sort()).toEqual([
      'absent page',
      'chain of redirects',
      'cycle',
      'duplicate links',
      'duplicate seeds',
      'fails for good',
      'fails once',
      'redirect',
      'refused once',
      'slow',
      'synchronous',
      'unreachable page',
    ]);
  });

  it('keeps to its options', () => {
    const { pages } = randomSite(1, {
      pages: 40,
      hosts: 1,
      maxLinks: 0,
      redirects: 0,
      failures: 0,
    });
    expect(Object.keys(pages)).toHaveLength(40);
    expect(Object.values(pages).every(({ links, fail }) => links?.length === 0 && !fail)).toBe(
      true,
    );
    expect(Object.keys(pages).every((url) => url.startsWith('https://h0.example/'))).toBe(true);
  });
});

describe('reachable', () => {
  const pages = {
    'https://a.example/': { links: ['/b#x', '/b', '/old', '/broken', '/flaky', 'http://['] },
    'https://a.example/b': ['/'],
    'https://a.example/old': { redirect: '/new' },
    'https://a.example/new': ['/newer'],
    'https://a.example/broken': { fail: 'connection-reset', links: ['/behind-broken'] },
    'https://a.example/flaky': { status: [500, 200], links: ['/behind-flaky'] },
    'https://a.example/island': [],
  } as const;
  const paths = (urls: Set<string>) => [...urls].map((url) => new URL(url).pathname);

  it('finds what links and redirects lead to, failing and absent pages included', () => {
    expect(paths(reachable(pages, ['https://a.example/']))).toEqual([
      '/',
      '/b',
      '/old',
      '/broken',
      '/flaky',
      '/new',
      '/behind-flaky',
      '/newer',
    ]);
  });

  it('does not get past a page that needs more attempts than there are', () => {
    const found = reachable(pages, ['https://a.example/flaky'], { attempts: 1 });
    expect(paths(found)).toEqual(['/flaky']);
  });

  it('takes a function', () => {
    const chain = (url: string) => (url.length < 24 ? [`${url}x`] : []);
    expect(reachable(chain, ['https://a.example/x']).size).toBe(6);
  });
});

describe('seededRandom', () => {
  it('is spread evenly over [0, 1)', () => {
    const random = seededRandom(3);
    const values = Array.from({ length: 10_000 }, random);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(values.reduce((sum, value) => sum + value) / values.length).toBeCloseTo(0.5, 1);
    expect(new Set(values).size).toBeGreaterThan(9_990);
  });
});
