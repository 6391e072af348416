import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidUrlError, isInvalidUrlError, parseUrl, tryParseUrl } from 'rxcrawl';
import { describeShared } from '../helpers/shared-cases.js';

function refusal(input: string, base?: string): InvalidUrlError {
  try {
    parseUrl(input, base);
  } catch (error) {
    if (isInvalidUrlError(error)) return error;
    throw error;
  }
  throw new Error(`parsed: ${input}`);
}

describe('parseUrl', () => {
  it.each([
    ['../b?x=1', 'https://h.test/a/c/', 'https://h.test/a/b?x=1'],
    ['//g.test/x', 'https://h.test/', 'https://g.test/x'],
    ['?q', 'https://h.test/a#b', 'https://h.test/a?q'],
    [' java\nscript:alert(1)', 'https://h.test/', 'javascript:alert(1)'],
    ['http:\\\\h.test\\a', 'https://x.test/', 'http://h.test/a'],
  ])('resolves %j against %s', (input, base, expected) => {
    expect(parseUrl(input, base).href).toBe(expected);
    expect(tryParseUrl(input, new URL(base))?.href).toBe(expected);
  });

  it.each([
    ['', undefined, 'relative'],
    ['a/b', undefined, 'relative'],
    ['//h.test/', undefined, 'relative'],
    ['a/b', 'no base', 'base'],
    ['http://', undefined, 'host'],
    ['http://a b/', undefined, 'host'],
    ['http://1.2.3.256/', undefined, 'host'],
    ['http://[::1/', undefined, 'host'],
    ['http://[::1%25eth0]/', undefined, 'host'],
    ['//[x', 'https://h.test/', 'host'],
    ['http://h.test:65536/', undefined, 'port'],
    ['http://u:p@h.test:x/', undefined, 'port'],
  ])('refuses %j on base %j: %s', (input, base, reason) => {
    expect(refusal(input, base).reason).toBe(reason);
    expect(tryParseUrl(input, base)).toBeUndefined();
  });

  it('gives a TypeError whose message is short and holds no credentials', () => {
    const error = refusal(`http://user:secret@h test/${'x'.repeat(1_000_000)}`);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toBeInstanceOf(InvalidUrlError);
    expect(error.message).not.toContain('secret');
    expect(error.message.length).toBeLessThan(300);
  });

  it('never throws anything else', () => {
    for (const text of ['\ud800', '\0', 'http://\ud800/', ':', '::', 'http://%', 'x'.repeat(1e6)]) {
      const url = tryParseUrl(text);
      if (url === undefined) expect(refusal(text)).toBeInstanceOf(InvalidUrlError);
    }
  });
});

interface UrlTest {
  readonly input: string;
  readonly base?: string | null;
  readonly href?: string;
  readonly failure?: boolean;
  readonly output?: string | null;
}

function load(path: string): UrlTest[] {
  const entries = JSON.parse(readFileSync(path, 'utf8')) as (UrlTest | string)[];
  return entries.filter((entry): entry is UrlTest => typeof entry !== 'string');
}

function passes({ input, base, href, failure }: UrlTest): boolean {
  const url = tryParseUrl(input, base ?? undefined);
  return failure === true ? url === undefined : url?.href === href;
}

// The figures are those of the parser in Node 20; newer ones pass more.
describeShared('url-whatwg/urltestdata.json', (path) => {
  it('passes at least 876 of 891', () => {
    expect(load(path).filter(passes).length).toBeGreaterThanOrEqual(876);
  });
});

describeShared('url-whatwg/ada_extra_urltestdata.json', (path) => {
  it('passes at least 24 of 28', () => {
    expect(load(path).filter(passes).length).toBeGreaterThanOrEqual(24);
  });
});

describeShared('url-whatwg/toascii.json', (path) => {
  it('passes at least 73 of 87', () => {
    const passed = load(path).filter(({ input, output }) => {
      return (tryParseUrl(`https://${input}/x`)?.host ?? null) === output;
    });
    expect(passed.length).toBeGreaterThanOrEqual(73);
  });
});

describeShared('url-canon/resolve.json', (path) => {
  interface Resolve {
    readonly relative: string;
    readonly base: string | null;
    readonly expected: string;
  }
  it('resolves as expected', () => {
    const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Resolve[] };
    for (const { relative, base, expected } of cases) {
      expect(parseUrl(relative, base ?? undefined).href).toBe(expected);
    }
  });
});

describeShared('url-canon/funky_ipv4.json', (path) => {
  it('reads every spelling of an address', () => {
    const spellings = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string | null>;
    for (const [host, expected] of Object.entries(spellings)) {
      // By the URL standard this is a name: its last label is no number.
      if (host === '0000xa') continue;
      expect(tryParseUrl(`http://${host}/`)?.hostname ?? null, host).toBe(expected);
    }
  });
});

describeShared('url-canon/path_dots.json', (path) => {
  it('resolves dot segments', () => {
    const { special } = JSON.parse(readFileSync(path, 'utf8')) as {
      special: Record<string, string>;
    };
    for (const [dotted, expected] of Object.entries(special)) {
      // The source keeps a back slash, which the URL standard turns into a slash.
      if (dotted.includes('\\') || expected.includes('\\')) continue;
      expect(parseUrl(`http://h.test${dotted}`).pathname, dotted).toBe(expected);
    }
  });
});
