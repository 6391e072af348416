import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  anyHost,
  compileUrlPattern,
  hostKeyByDomain,
  hosts,
  not,
  pathPrefix,
  registrableDomain,
  request,
  sameDomain,
  urlMatches,
  type Scope,
} from 'rxcrawl';
import { describeShared } from '../helpers/shared-cases.js';

function allowed(scope: Scope, seeds: Iterable<string>, ...urls: string[]): string[] {
  const context = { from: undefined, seeds: new Set(seeds) };
  return urls.filter((url) => scope(request(url), context));
}

describe('sameDomain', () => {
  it('allows the hosts of the registrable domains of the seeds, on any port', () => {
    const inside = [
      'http://www.example.co.uk/',
      'https://example.co.uk:8443/a',
      'https://u:p@a.b.example.co.uk/',
      'http://xn--bcher-kva.example/',
    ];
    const outside = ['http://other.co.uk/', 'http://co.uk/', 'http://example.co.uk.evil.test/'];
    const seeds = ['blog.example.co.uk', 'x.xn--bcher-kva.example:8080'];
    expect(allowed(sameDomain(), seeds, ...inside, ...outside)).toEqual(inside);
  });

  it('matches an address or a single label only with itself', () => {
    const seeds = ['127.0.0.1:3000', 'localhost', '[::1]:3000'];
    const inside = ['http://127.0.0.1:4000/', 'http://localhost/', 'http://[::1]/'];
    const outside = [
      'http://127.0.0.2/',
      'http://a.localhost/',
      'http://[::2]/',
      'http://1.127.0.0.1.test/',
    ];
    expect(allowed(sameDomain(), seeds, ...inside, ...outside)).toEqual(inside);
  });

  it('tells the customers of a host apart, unless told not to', () => {
    const url = 'https://b.github.io/';
    expect(allowed(sameDomain(), ['a.github.io'], url)).toEqual([]);
    expect(allowed(sameDomain({ privateSuffixes: false }), ['a.github.io'], url)).toEqual([url]);
  });

  it('sees seeds that come late', () => {
    const scope = sameDomain();
    const seeds = new Set(['a.test']);
    const ask = (): boolean => scope(request('http://x.b.test/'), { from: undefined, seeds });
    expect(ask()).toBe(false);
    seeds.add('b.test');
    expect(ask()).toBe(true);
  });
});

describe('anyHost', () => {
  it('allows everything', () => {
    expect(allowed(anyHost(), [], 'http://a.test/')).toHaveLength(1);
  });
});

describe('hosts', () => {
  it('allows the named hosts', () => {
    const scope = hosts('A.test', '*.b.test', 'c.test:8080', '[::1]', 'bücher.test', 'd.test:443');
    const inside = [
      'http://a.test/',
      'https://u@a.test:81/',
      'http://x.b.test/',
      'http://x.y.b.test:81/',
      'http://c.test:8080/',
      'http://[::1]:3000/',
      'http://xn--bcher-kva.test/',
      'https://d.test/',
    ];
    const outside = ['http://x.a.test/', 'http://b.test/', 'http://xb.test/', 'http://c.test/'];
    expect(allowed(scope, [], ...inside, ...outside)).toEqual(inside);
  });

  it('refuses names that are no hosts', () => {
    for (const name of [
      '',
      'http://a.test/',
      'a.test/x',
      'a b',
      '*',
      '*.',
      'a.*.test',
      'u@a.test',
    ]) {
      expect(() => hosts(name), name).toThrow(TypeError);
    }
  });
});

describe('pathPrefix', () => {
  it('compares whole segments', () => {
    const scope = pathPrefix('/docs', '/a b/');
    const inside = [
      'http://h.test/docs',
      'http://h.test/docs?x',
      'http://h.test/docs/a',
      'http://h.test/%64ocs/',
      'http://h.test/a%20b/c',
    ];
    const outside = [
      'http://h.test/docs2',
      'http://h.test/Docs',
      'http://h.test/a%20b',
      'http://h.test/x/docs',
    ];
    expect(allowed(scope, [], ...inside, ...outside)).toEqual(inside);
  });

  it('refuses a prefix without a slash', () => {
    expect(() => pathPrefix('docs')).toThrow(/begins with a slash/);
  });
});

describe('urlMatches', () => {
  it.each<[string | RegExp, string[], string[]]>([
    ['/docs', ['http://h.test/docs', 'http://h.test/docs/a?b'], ['http://h.test/docs2']],
    ['/product/*', ['http://h.test/product/7?a/b'], ['http://h.test/product/7/x']],
    ['/p?id=*', ['http://h.test/p?id=7'], ['http://h.test/p', 'http://h.test/p?x=7']],
    ['/**.pdf', ['http://h.test/a/b.pdf', 'http://h.test/b.pdf?dl=1'], ['http://h.test/b.pdfx']],
    [
      'https://H.test/',
      ['https://h.test/', 'https://h.test/a'],
      ['http://h.test/', 'https://h.test.x/'],
    ],
    [
      'http*://*.H.test/**',
      ['https://a.h.test/x'],
      ['https://h.test/x', 'https://a.b.test/h.test/x'],
    ],
    [
      'h.test/A',
      ['http://h.test/A/b', 'https://h.test/A'],
      ['http://h.test/a', 'http://x.h.test/A'],
    ],
    ['**.pdf', ['http://h.test/x/a.pdf'], ['http://h.test/a.pdf.html']],
    [/print=1$/g, ['http://h.test/?print=1'], ['http://h.test/?print=12']],
  ])('%s', (pattern, matching, others) => {
    expect(allowed(urlMatches(pattern), [], ...matching, ...others)).toEqual(matching);
    // Again, because a regular expression may remember where it stopped.
    expect(allowed(urlMatches(pattern), [], ...matching, ...others)).toEqual(matching);
  });

  it('ignores the fragment and is content with one of several', () => {
    expect(compileUrlPattern('/a*')('http://h.test/a#/b')).toBe(true);
    expect(allowed(urlMatches('/a', '/b'), [], 'http://h.test/b')).toHaveLength(1);
    expect(allowed(urlMatches(), [], 'http://h.test/b')).toHaveLength(0);
  });

  it('refuses an empty pattern', () => {
    expect(() => urlMatches('')).toThrow(/expected a pattern/);
  });
});

describe('all, any, not', () => {
  const yes: Scope = () => true;
  const no: Scope = () => false;
  const ask = (scope: Scope): boolean => allowed(scope, [], 'http://h.test/').length === 1;

  it('combine scopes', () => {
    expect([all(yes, yes), any(no, yes), not(no), all()].map(ask)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([all(yes, no), any(no, no), not(yes), any()].map(ask)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const docs = all(hosts('h.test'), pathPrefix('/d/'), not(urlMatches('/d/**.pdf')));
    expect(
      allowed(
        docs,
        [],
        'http://h.test/d/a',
        'http://h.test/d/a.pdf',
        'http://h.test/',
        'http://x.test/d/',
      ),
    ).toEqual(['http://h.test/d/a']);
  });

  it('stop at the first answer', () => {
    const never: Scope = () => {
      throw new Error('asked');
    };
    expect(ask(all(no, never))).toBe(false);
    expect(ask(any(yes, never))).toBe(true);
  });
});

describe('registrableDomain', () => {
  it.each([
    ['docs.example.co.uk', 'example.co.uk'],
    ['EXAMPLE.com', 'example.com'],
    ['a.example.com.', 'example.com'],
    ['a.github.io', 'a.github.io'],
    ['co.uk', undefined],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['[::1]', undefined],
    ['', undefined],
    ['.com', undefined],
  ])('of %s is %s', (host, expected) => {
    expect(registrableDomain(host)).toBe(expected);
  });
});

describe('hostKeyByDomain', () => {
  it('gives one key to the hosts of a domain', () => {
    const key = hostKeyByDomain();
    expect(key('https://u@a.shop.example.org:8443/x')).toBe('example.org');
    expect(key('http://localhost:3000/')).toBe('localhost');
    expect(key('http://[::1]:3000/')).toBe('[::1]');
    expect(key('http://10.0.0.1/')).toBe('10.0.0.1');
  });
});

describeShared('cookies/public-suffix-tests.txt', (path) => {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => line.split(' ') as [string, string]);

  it('finds the registrable domain', () => {
    for (const [host, domain] of rows) {
      const expected = domain === 'null' ? undefined : domain;
      if (host !== 'null') expect(registrableDomain(host), host).toBe(expected);
    }
    expect(rows.length).toBeGreaterThan(50);
  });
});
