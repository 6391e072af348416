import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalUrl,
  canonicalizer,
  isInvalidUrlError,
  tryCanonicalUrl,
  tryParseUrl,
  type UrlPolicy,
} from 'rxcrawl';
import { cpuTime } from '../helpers/cpu-time.js';
import { describeShared } from '../helpers/shared-cases.js';
import { anyPolicy, urlText } from './arbitrary-url.js';

/** All spellings of a row are one page; different rows are different pages. */
const ONE_PAGE: readonly (readonly string[])[] = [
  ['http://h.test/p', 'HTTP://H.TEST/p', 'http://h.test:80/p', 'http://h.test:/p', 'http:h.test/p'],
  ['https://h.test/p', 'https://h.test:443/p#top', 'https://u:secret@h.test/p'],
  ['http://h.test:443/p'],
  ['http://h.test./p'],
  ['http://www.h.test/p'],
  ['http://h.test/', 'http://h.test', 'http://h.test/#!/route', 'http://h.test/a/..'],
  ['http://h.test/p/', 'http://h.test/./p/', 'http://h.test/p/x/%2E%2e/', 'http://h.test\\p\\.\\'],
  ['http://h.test//p'],
  ['http://h.test/P'],
  ['http://h.test/%C3%A9', 'http://h.test/%c3%a9', 'http://h.test/é'],
  ['http://h.test/e%CC%81', 'http://h.test/e\u0301'],
  ['http://h.test/~a-z', 'http://h.test/%7E%61%2D%7a', 'http://h.test/%7ea-z'],
  ['http://h.test/a%2Fb', 'http://h.test/a%2fb'],
  ['http://h.test/a/b'],
  ['http://h.test/p?'],
  ['http://h.test/p?a'],
  ['http://h.test/p?a='],
  ['http://h.test/p?q=a+b'],
  ['http://h.test/p?q=a%20b', 'http://h.test/p?q=a b'],
  ['http://h.test/p?a=1&b=2', 'http://h.test/p?%61=1&b=%32'],
  ['http://h.test/p?b=2&a=1'],
  ['http://h.test/p?a=1&&b=2'],
  ['http://xn--bcher-kva.test/', 'http://bücher.test/', 'http://BÜCHER.test/'],
  ['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/'],
  ['http://[::1]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::0001]/'],
  ['http://h.test/index.html'],
  ['http://h.test/__proto__'],
  ['http://h.test/constructor'],
];

describe('canonicalUrl', () => {
  it('merges the spellings of one page and nothing else', () => {
    const forms = ONE_PAGE.map((row) => [...new Set(row.map((url) => canonicalUrl(url)))]);
    expect(forms).toEqual(ONE_PAGE.map((row) => [row[0]]));
  });

  it('takes URL objects', () => {
    expect(canonicalUrl(new URL('http://u@h.test/%7E#x'))).toBe('http://h.test/~');
  });

  it('throws a typed error for what is no absolute URL', () => {
    for (const text of ['', '/a', '//h.test', 'http://', 'http://a b/', 'http://256.1.1.1/', '%']) {
      let thrown: unknown;
      try {
        canonicalUrl(text);
      } catch (error) {
        thrown = error;
      }
      expect(isInvalidUrlError(thrown), text).toBe(true);
      expect(tryCanonicalUrl(text)).toBeUndefined();
    }
  });

  it('does not decode a character that would complete a lone percent sign', () => {
    expect(canonicalUrl('http://h.test/%%36%31')).toBe('http://h.test/%%361');
    expect(canonicalUrl('http://h.test/%4%31')).toBe('http://h.test/%4%31');
    expect(canonicalUrl('http://h.test/%x%31')).toBe('http://h.test/%x1');
  });

  it('keeps other schemes whole but for percent-encoding and user information', () => {
    expect(canonicalUrl('mailto:a%40b@h.test#x')).toBe('mailto:a%40b@h.test');
    expect(canonicalUrl('foo://u:p@h/%7e', { dropWww: true })).toBe('foo://h/~');
    expect(canonicalUrl('foo:a#x')).toBe('foo:a');
  });

  it('is a fixed point of itself and of the URL parser (10,000 random URLs)', () => {
    fc.assert(
      fc.property(urlText, (text) => {
        const form = tryCanonicalUrl(text);
        expect(form === undefined).toBe(tryParseUrl(text) === undefined);
        if (form === undefined) return;
        expect(canonicalUrl(form)).toBe(form);
        expect(new URL(form).href).toBe(form);
        expect(canonicalUrl(new URL(text))).toBe(form);
      }),
      { numRuns: 10_000 },
    );
  });

  it('stays idempotent under any policy', () => {
    fc.assert(
      fc.property(urlText, anyPolicy, (text, policy) => {
        const form = tryCanonicalUrl(text, policy);
        if (form === undefined) return;
        expect(new URL(form).href).toBe(form);
        expect(canonicalUrl(form, policy)).toBe(form);
      }),
      { numRuns: 10_000 },
    );
  });

  it('gives different URLs different forms', () => {
    const forms = new Set<string>();
    for (let n = 0; n < 20_000; n += 1) {
      forms.add(canonicalUrl(`http://h${n % 7}.test/${n % 11}/${(n * 7919) % 65536}?n=${n}`));
    }
    expect(forms.size).toBe(20_000);
  });

  it.each([
    ['dot segments', `http://a.test/${'../'.repeat(100_000)}`],
    ['lone percent signs', `http://a.test/${'%'.repeat(500_000)}`],
    ['triplets', `http://a.test/${'%7e'.repeat(200_000)}`],
    ['labels', `http://${'a.'.repeat(100_000)}test/`],
    ['parameters', `http://a.test/?${'a&'.repeat(100_000)}`],
    ['session marks', `http://a.test/${';sid'.repeat(100_000)}`],
    ['slashes', `http://a.test/${'/'.repeat(300_000)}`],
    ['index pages', `http://a.test/${'index.html/'.repeat(30_000)}`],
  ])('takes linear time: %s', (_, url) => {
    const policy: UrlPolicy = {
      ...{ sortQuery: 'values', dropSessionIds: true, collapseSlashes: true, dropIndexPage: true },
      ...{ trailingSlash: 'drop', dropPathParams: true, dropWww: true, normalizeUnicode: true },
      ...{ dropTracking: true, dropTrailingDot: true, escapeExtra: true, escapeLonePercent: true },
    };
    for (const canonical of [canonicalizer(), canonicalizer(policy)]) {
      expect(cpuTime(() => canonical(url), 3)).toBeLessThan(200);
    }
  });
});

/** Option, what it merges: `[policy, found, canonical]`; without the option `found` stays. */
const OPTIONS: readonly (readonly [UrlPolicy, string, string])[] = [
  [{ keepFragment: true }, 'http://h.test/#/a', 'http://h.test/#/a'],
  [{ keepUserInfo: true }, 'http://u:p@h.test/', 'http://u:p@h.test/'],
  [{ ignoreScheme: true }, 'https://h.test:443/', 'http://h.test/'],
  [{ ignoreScheme: true }, 'https://h.test:8443/', 'http://h.test:8443/'],
  [{ dropWww: true }, 'http://www.www.h.test:81/', 'http://h.test:81/'],
  [{ dropWww: true }, 'http://www.com/', 'http://www.com/'],
  [{ dropTrailingDot: true }, 'http://h.test./', 'http://h.test/'],
  [{ dropTrailingDot: true }, 'http://h.test.:81/', 'http://h.test:81/'],
  [{ ignorePathCase: true }, 'http://h.test/A/%C3%89?Q', 'http://h.test/a/%C3%89?Q'],
  [{ normalizeUnicode: true }, 'http://h.test/e\u0301?e\u0301', 'http://h.test/%C3%A9?%C3%A9'],
  [{ normalizeUnicode: true }, 'http://h.test/%FF%CC', 'http://h.test/%FF%CC'],
  [{ dropPathParams: true }, 'http://h.test/a;v=1/b;w', 'http://h.test/a/b'],
  [{ dropPathParams: true }, 'http://h.test/a/..;v/b', 'http://h.test/a/..;v/b'],
  [{ collapseSlashes: true }, 'http://h.test//a///b?c//d', 'http://h.test/a/b?c//d'],
  [{ dropIndexPage: true }, 'http://h.test/a/index.html', 'http://h.test/a/'],
  [{ dropIndexPage: true }, 'http://h.test/Default.aspX?a', 'http://h.test/?a'],
  ...['index.jsf', 'index.JSPA', 'index.jspx', 'default.phtm', 'index.xhtm'].map(
    (page) => [{ dropIndexPage: true }, `http://h.test/a/${page}`, 'http://h.test/a/'] as const,
  ),
  ...['index.jsps', 'index.jspfx', 'index.js', 'index.ahtml'].map(
    (page) => [{ dropIndexPage: true }, `http://h.test/${page}`, `http://h.test/${page}`] as const,
  ),
  [{ dropIndexPage: true }, 'http://h.test/index.html5', 'http://h.test/index.html5'],
  [{ dropIndexPage: true }, 'http://h.test/my-index.html', 'http://h.test/my-index.html'],
  [{ trailingSlash: 'drop' }, 'http://h.test/a//', 'http://h.test/a'],
  [{ trailingSlash: 'drop' }, 'http://h.test/', 'http://h.test/'],
  [{ trailingSlash: 'drop', dropIndexPage: true }, 'http://h.test/a/index.php/', 'http://h.test/a'],
  [{ trailingSlash: 'add' }, 'http://h.test/a?b', 'http://h.test/a/?b'],
  [{ trailingSlash: 'add' }, 'http://h.test/a.pdf', 'http://h.test/a.pdf'],
  [{ dropSessionIds: true }, 'http://h.test/a;jsessionid=1F?b=2', 'http://h.test/a?b=2'],
  [{ dropSessionIds: true }, 'http://h.test/a;x=1;JSESSIONID=1F/b', 'http://h.test/a;x=1/b'],
  [{ dropSessionIds: true }, 'http://h.test/(S(abc123))/a', 'http://h.test/a'],
  [{ dropSessionIds: true }, 'http://h.test/a?PHPSESSID=1&b=2', 'http://h.test/a?b=2'],
  [{ dropSessionIds: true }, 'http://h.test/a?b=2;jsessionid=1', 'http://h.test/a?b=2'],
  [{ dropSessionIds: true }, 'http://h.test/a?sid=1', 'http://h.test/a'],
  [{ dropSessionIds: true }, 'http://h.test/a?side=1&newsid=2', 'http://h.test/a?side=1&newsid=2'],
  [{ dropTracking: true }, 'http://h.test/?UTM_Source=x&id=1&gclid', 'http://h.test/?id=1'],
  [{ dropTracking: true }, 'http://h.test/?fbclid=1', 'http://h.test/'],
  [{ dropTracking: true }, 'http://h.test/?%75tm_id=1&a=%2B', 'http://h.test/?a=%2B'],
  [{ keepQuery: ['id'] }, 'http://h.test/?x=1&id=2&id&&y', 'http://h.test/?id=2&id'],
  [{ keepQuery: ['a b'] }, 'http://h.test/?a+b=1&a%20b=2&ab', 'http://h.test/?a+b=1&a%20b=2'],
  [
    { keepQuery: (name, value) => name === 'é' && value === 'ü' },
    'http://h.test/?é=ü&é=u',
    'http://h.test/?%C3%A9=%C3%BC',
  ],
  [{ dropQuery: ['x', 'y'] }, 'http://h.test/?x=1&z=%2f&y', 'http://h.test/?z=%2F'],
  [{ dropQuery: (name) => name.startsWith('_') }, 'http://h.test/?_a=1&b', 'http://h.test/?b'],
  [{ dropQuery: true }, 'http://h.test/?a#b', 'http://h.test/'],
  [{ dropQuery: ['__proto__'] }, 'http://h.test/?__proto__=1&a', 'http://h.test/?a'],
  [{ uniqueQuery: true }, 'http://h.test/?a=1&b&a=2', 'http://h.test/?a=1&b'],
  [{ emptyValue: 'bare' }, 'http://h.test/?a=&b&=', 'http://h.test/?a&b&='],
  [{ emptyValue: 'equals' }, 'http://h.test/?a=&b', 'http://h.test/?a=&b='],
  [{ cleanEmptyParams: true }, 'http://h.test/?&a=1&&b&', 'http://h.test/?a=1&b'],
  [{ dropEmptyQuery: true }, 'http://h.test/?', 'http://h.test/'],
  [{ plusForSpace: true }, 'http://h.test/a%20b?a%20b', 'http://h.test/a%20b?a+b'],
  [{ sortQuery: true }, 'http://h.test/?b=1&a=2&b=0&a=1', 'http://h.test/?a=2&a=1&b=1&b=0'],
  [{ sortQuery: 'values' }, 'http://h.test/?b=1&a=2&b=0&a=1', 'http://h.test/?a=1&a=2&b=0&b=1'],
  [{ escapeLonePercent: true }, 'http://h.test/%?%2&%zz', 'http://h.test/%25?%252&%25zz'],
  [{ escapeExtra: true }, 'http://h.test/[a]?b|c\\', 'http://h.test/%5Ba%5D?b%7Cc%5C'],
];

describe('UrlPolicy', () => {
  it.each(OPTIONS)('%o: %s is %s', (policy, found, expected) => {
    expect(canonicalUrl(found, policy)).toBe(expected);
    expect(canonicalUrl(expected, policy)).toBe(expected);
  });

  it('leaves the rest of the query byte for byte', () => {
    const rest = "q=a+b%20c&x=%2F&&=&é=~*()!'&p=[1]{2}|^";
    const kept = new URL(`http://h.test/?${rest}`).href;
    for (const policy of [{ dropTracking: true }, { dropSessionIds: true }, { dropQuery: ['z'] }]) {
      expect(canonicalUrl(`http://h.test/?${rest}`, policy)).toBe(kept);
    }
  });

  it('refuses unknown options and wrong values by name', () => {
    const bad = (policy: object) => () => canonicalUrl('http://h.test/', policy);
    expect(bad({ sortquery: true })).toThrow(/unknown option "sortquery"/);
    expect(bad({ sortQuery: 'name' })).toThrow(
      'sortQuery: expected true, false or "values", got "name"',
    );
    expect(bad({ dropQuery: 'utm' })).toThrow(
      /dropQuery: expected true, a list of names or a function/,
    );
    expect(bad({ keepQuery: true })).toThrow(/keepQuery: expected/);
    expect(bad({ toString: true })).toThrow(TypeError);
  });
});

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expected: string | null;
  readonly policy: readonly string[];
}

/** The names of the handed cases in terms of {@link UrlPolicy}. */
const POLICIES: Readonly<Record<string, UrlPolicy>> = {
  'drop-fragment': { keepFragment: false },
  'drop-userinfo': { keepUserInfo: false },
  'decode-unreserved': {},
  'upper-hex': {},
  'root-slash-optional': {},
  'sort-query': { sortQuery: 'values' },
  'sort-query-keep': { sortQuery: true },
  'drop-session-id': { dropSessionIds: true },
  'drop-index-page': { dropIndexPage: true },
  'collapse-slashes': { collapseSlashes: true },
  'clean-empty-params': { cleanEmptyParams: true },
  'drop-empty-query': { dropEmptyQuery: true },
  'drop-trailing-dot': { dropTrailingDot: true },
  'plus-for-space': { plusForSpace: true },
  'escape-extra': { escapeExtra: true },
  'escape-lone-percent': { escapeLonePercent: true },
};

const EXCEPTIONS: Readonly<Record<string, string>> = {
  'w3lib-canonicalize-013': 'also fills empty values, which is `emptyValue` here',
  'urlcanon-semantic_precise-100': 'joins a lone % with a decoded character to a new triplet',
};

describeShared('url-canon/cases.json', (path) => {
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] };
  const ours = cases.filter(({ policy }) => policy.every((name) => name in POLICIES));

  it('gives the form that each policy asks for', () => {
    const wrong = ours.filter(({ id, input, expected, policy }) => {
      if (id in EXCEPTIONS) return false;
      if (policy.length === 0) return (tryParseUrl(input)?.href ?? null) !== expected;
      const options = Object.assign(
        { keepFragment: true, keepUserInfo: true },
        ...policy.map((name) => POLICIES[name]),
      ) as UrlPolicy;
      const form = tryCanonicalUrl(input, options) ?? null;
      const rooted = expected?.replace(/^([a-z]+:\/\/[^/?#]*)/, '$1/');
      return form !== expected && !(policy.includes('root-slash-optional') && form === rooted);
    });
    expect(wrong).toEqual([]);
    expect(ours.length).toBeGreaterThan(350);
  });
});

describeShared('url-canon/query-filters.json', (path) => {
  interface FilterCase {
    readonly what: string;
    readonly args: readonly [string, (readonly string[] | string)?];
    readonly options: {
      readonly remove?: boolean;
      readonly unique?: boolean;
      readonly sep?: string;
    };
    readonly expected: string;
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: FilterCase[] };

  it('keeps and drops the listed parameters', () => {
    const filters = cases.filter(
      ({ what, options }) => what === 'url_query_cleaner' && !options.sep,
    );
    for (const { args, options, expected } of filters) {
      const names = [args[1] ?? []].flat();
      const policy: UrlPolicy = {
        ...(options.remove === true ? { dropQuery: names } : { keepQuery: names }),
        cleanEmptyParams: true,
        uniqueQuery: options.unique ?? true,
      };
      const form = canonicalUrl(`http://h.test/${args[0]}`, policy);
      expect(form).toBe(`http://h.test/${expected}`);
    }
    expect(filters.length).toBeGreaterThan(5);
  });
});

describeShared('url-canon/idempotence.json', (path) => {
  it('is idempotent on the listed texts', () => {
    for (const text of JSON.parse(readFileSync(path, 'utf8')) as string[]) {
      const form = tryCanonicalUrl(text);
      if (form !== undefined) expect(canonicalUrl(form)).toBe(form);
    }
  });
});

describeShared('traps/dedupe.json', (path) => {
  interface Dedupe {
    readonly id: string;
    readonly urls: readonly string[];
    readonly requests: number;
    readonly options?: { readonly sortQuery?: boolean };
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Dedupe[] };

  it.each(cases.filter(({ id }) => id !== 'dedupe-method' && id !== 'dedupe-race'))(
    '$id',
    ({ urls, requests, options }) => {
      const policy = { sortQuery: options?.sortQuery ?? false };
      expect(new Set(urls.map((url) => canonicalUrl(url, policy))).size).toBe(requests);
    },
  );
});
