import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  decodeAs,
  extractLinks,
  parseRefresh,
  parseSrcset,
  robotsDirectives,
  scanLinks,
  type Link,
} from '../../src/page/index.js';
import { describeShared } from '../helpers/shared-cases.js';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

interface PageCase {
  readonly id: string;
  readonly page: string;
  readonly html?: string;
  readonly htmlBase64?: string;
  readonly charset?: string;
  readonly expect: readonly (readonly [kind: string, url: string])[];
  readonly mustNotAppear?: readonly string[];
  readonly policy?: string;
  readonly nofollow?: boolean;
  readonly texts?: readonly string[];
}

const sorted = (pairs: Iterable<string>) => [...new Set(pairs)].sort();

/** The kinds that a case is about; it names only these. */
function relevant(links: readonly Link[], test: PageCase): readonly Link[] {
  const named = new Set(test.expect.map(([kind]) => kind));
  if (named.has('any') || test.policy === undefined) return links;
  return links.filter(({ kind }) => named.has(kind));
}

/** Whether a host is one is decided by `URL`, and newer ones take an empty `xn--` label. */
const TAKES_EMPTY_PUNYCODE = URL.canParse('http://xn--/');

describeShared('html-links/pages.json', (file) => {
  const { cases: all } = read(file) as { cases: PageCase[] };
  const cases = all.filter(({ html }) => !(TAKES_EMPTY_PUNYCODE && html?.includes('//xn--/')));
  it.each(cases.map((test) => [test.id, test] as const))('%s', (_, test) => {
    const encoding = test.charset ?? 'utf-8';
    const html = test.html ?? decodeAs(Buffer.from(test.htmlBase64 ?? '', 'base64'), encoding);
    const links = extractLinks(html, {
      url: test.page,
      encoding,
      kinds: test.policy === undefined ? undefined : ['all'],
    });
    const any = test.expect.some(([kind]) => kind === 'any');
    expect(
      sorted(relevant(links, test).map(({ kind, url }) => `${any ? 'any' : kind} ${url}`)),
    ).toEqual(sorted(test.expect.map(([kind, url]) => `${kind} ${any ? new URL(url).href : url}`)));
    for (const url of test.mustNotAppear ?? []) {
      expect(links.map((link) => link.url)).not.toContain(url);
    }
    if (test.nofollow !== undefined) {
      expect(links.some(({ rel }) => rel.includes('nofollow'))).toBe(test.nofollow);
    }
    const anchors = links.filter(({ kind }) => kind !== 'img[src]');
    if (test.texts?.some((text) => text !== '') === true) {
      expect(anchors.map(({ text }) => text)).toEqual(test.texts);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describeShared('html-links/base-url.json', (file) => {
  const { cases } = read(file) as {
    cases: { id: string; html: string; page: string; expect: string }[];
  };
  // A page without a URL has no base to begin with.
  it.each(cases.map((test) => [test.id, test] as const))('%s', (_, test) => {
    const page = test.page === '' ? 'http://page.test/' : test.page;
    const expected = test.expect === '' ? page : test.expect;
    // These come from a library that never looks into noscript.
    const { base } = scanLinks(test.html, { url: page, noscript: false });
    expect(base).toBe(new URL(expected).href);
  });
});

/** Cases that go against the HTML standard, which cuts a tag that the end of the text cuts. */
const REFRESH_EXCEPTIONS = new Map([
  ['w3lib-refresh-03', 'the tag is not closed'],
  ['w3lib-refresh-16', 'fractions of seconds are cut off'],
  ['w3lib-refresh-23', 'an option to look into scripts'],
]);

describeShared('html-links/meta-refresh.json', (file) => {
  interface Expected {
    seconds: number;
    url: string;
  }
  const { wpt, w3lib } = read(file) as {
    wpt: { id: string; content: string; expect: Expected | null }[];
    w3lib: {
      id: string;
      html?: string;
      htmlBase64?: string;
      charset: string | null;
      page: string;
      expect: Expected | null;
    }[];
  };
  const page = 'http://example.com/dir/page.html';

  it.each(wpt.map((test) => [test.id, test] as const))('%s', (_, test) => {
    const refresh = parseRefresh(test.content);
    expect(
      refresh && { seconds: refresh.seconds, url: new URL(refresh.url ?? page, page).href },
    ).toEqual(test.expect ?? undefined);
  });

  const followed = w3lib.filter(({ id }) => !REFRESH_EXCEPTIONS.has(id));
  it.each(followed.map((test) => [test.id, test] as const))('%s', (_, test) => {
    const html =
      test.html ?? decodeAs(Buffer.from(test.htmlBase64 ?? '', 'base64'), test.charset ?? 'utf-8');
    const urls = extractLinks(html, { url: test.page, kinds: ['meta[refresh]'] });
    expect(urls.map(({ url }) => url)).toEqual(
      test.expect === null ? [] : [new URL(test.expect.url).href],
    );
  });
});

describeShared('html-links/srcset.json', (file) => {
  const { cases, own } = read(file) as {
    cases: { id: string; srcset: string; first: string | null }[];
    own: { id: string; srcset: string; all: string[] }[];
  };
  it.each(cases.map((test) => [test.id, test] as const))('%s', (_, test) => {
    expect(parseSrcset(test.srcset)[0]?.url ?? null).toBe(test.first);
  });
  it.each(own.map((test) => [test.id, test] as const))('%s', (_, test) => {
    expect(parseSrcset(test.srcset).map(({ url }) => url)).toEqual(test.all);
  });
});

describeShared('html-links/robots-meta.json', (file) => {
  const { cases } = read(file) as {
    cases: {
      id: string;
      html?: string;
      headers?: [string, string][];
      agent?: string;
      expect: { noindex: boolean; nofollow: boolean };
    }[];
  };
  it.each(cases.map((test) => [test.id, test] as const))('%s', (_, test) => {
    expect(
      robotsDirectives({
        metas: scanLinks(test.html ?? '', { url: 'http://page.test/' }).robots,
        headers: test.headers?.map(([, value]) => value),
        userAgent: test.agent,
      }),
    ).toEqual(test.expect);
  });
});

describeShared('html-tree/cases.json', (file) => {
  interface TreeCase {
    data: string;
    scripting: 'on' | 'off' | 'both';
    links: { tag: string; attr: string; value: string }[];
  }
  const { cases } = read(file) as { cases: TreeCase[] };
  const base = 'http://page.test/dir/page';
  const resolve = (value: string, from: string) =>
    URL.canParse(value, from) ? new URL(value, from).href : value;

  describe.each([true, false])('noscript %s', (noscript) => {
    const fitting = cases.filter(({ scripting }) => scripting !== (noscript ? 'on' : 'off'));
    it.each(fitting.map((test, index) => [index, test.data.slice(0, 60), test] as const))(
      '%i %s',
      (_index, _data, test) => {
        const scan = scanLinks(test.data, { url: base, noscript, kinds: ['all'] });
        const expected = test.links
          .filter(({ tag }) => tag !== 'base')
          .map(({ value }) => resolve(value, scan.base))
          .filter((url) => url.startsWith('http'));
        expect(sorted(scan.links.map(({ url }) => url))).toEqual(sorted(expected));
      },
    );
  });
});
