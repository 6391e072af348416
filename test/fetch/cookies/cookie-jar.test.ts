import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CookieJar } from '../../../src/fetch/cookies/index.js';
import { describeShared } from '../../helpers/shared-cases.js';

/** A jar that was given these `Set-Cookie` fields by these URLs. */
function jarOf(...steps: readonly (readonly [url: string, setCookie: string])[]): CookieJar {
  const jar = new CookieJar();
  for (const [url, setCookie] of steps) jar.set(url, setCookie);
  return jar;
}

const HTTP = 'http://www.a.example/d/p';
const HTTPS = 'https://www.a.example/d/p';

describe('CookieJar', () => {
  it.each([
    ['no domain', HTTP, 's=1', [HTTP], ['http://sub.www.a.example/d/p', 'http://a.example/d/']],
    [
      'a domain',
      HTTP,
      's=1; Domain=.A.example; Path=/',
      ['http://a.example/', 'http://x.y.a.example/'],
      ['http://xa.example/', 'http://a.example.org/'],
    ],
    [
      'its own host as domain',
      HTTP,
      's=1; Domain=www.a.example',
      ['http://x.www.a.example/d/'],
      [],
    ],
    ['another domain', HTTP, 's=1; Domain=b.example', [], [HTTP, 'http://b.example/d/p']],
    ['a sub-host', HTTP, 's=1; Domain=x.www.a.example', [], [HTTP]],
    ['the default path', HTTP, 's=1', ['http://www.a.example/d/x'], ['http://www.a.example/dx']],
    ['a path', HTTP, 's=1; Path=/e', ['http://www.a.example/e/f'], ['http://www.a.example/ef']],
    ['Secure', HTTPS, 's=1; Secure', [HTTPS], [HTTP]],
    ['Secure over HTTP', HTTP, 's=1; Secure', [], [HTTP, HTTPS]],
    ['another port', HTTP, 's=1', ['http://www.a.example:8080/d/'], []],
    ['an address', 'http://127.0.0.1/', 's=1; Domain=127.0.0.1', ['http://127.0.0.1/'], []],
    ['a part of an address', 'http://127.0.0.1/', 's=1; Domain=0.0.1', [], ['http://127.0.0.1/']],
    [
      'a top-level domain',
      'http://a.com/',
      's=1; Domain=com',
      [],
      ['http://a.com/', 'http://b.com/'],
    ],
    ['a public suffix', 'http://a.co.uk/', 's=1; Domain=co.uk', [], ['http://b.co.uk/']],
    ['a suffix', 'http://a.github.io/', 's=1; Domain=github.io', [], ['http://b.github.io/']],
    [
      'a suffix for itself',
      'http://github.io/',
      's=1; Domain=github.io',
      ['http://github.io/'],
      ['http://a.github.io/'],
    ],
    ['__Secure- without Secure', HTTPS, '__Secure-s=1', [], [HTTPS]],
    ['__Host- with a domain', HTTPS, '__Host-s=1; Secure; Path=/; Domain=a.example', [], [HTTPS]],
    ['__Host-', HTTPS, '__Host-s=1; Secure; Path=/', ['https://www.a.example/'], []],
    ['__Host- without a path', 'https://a.example/', '__Host-s=1; Secure', [], [HTTPS]],
    ['__Secure- in another case', HTTP, '__SECURE-s=1', [], [HTTP, HTTPS]],
    [
      '__Host- in another case',
      HTTPS,
      '__hosT-s=1; Secure; Path=/; Domain=www.a.example',
      [],
      ['https://www.a.example/'],
    ],
    ['an IPv6 address', 'http://[::1]/', 's=1; Domain=[::1]', ['http://[::1]/'], []],
    ['a part of an IPv6 address', 'http://[::1]/', 's=1; Domain=:1]', [], ['http://[::1]/']],
    ['an end that is past', HTTP, 's=1; Max-Age=0', [], [HTTP]],
    [
      'Max-Age and Expires',
      HTTP,
      's=1; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      [HTTP],
      [],
    ],
    ['no name', HTTP, 'bare', [], [HTTP]],
  ] as const)('%s', (_what, from, setCookie, sent, notSent) => {
    const jar = jarOf([from, setCookie]);
    expect([...sent, ...notSent].filter((url) => jar.header(url) !== undefined)).toEqual(sent);
  });

  it('sends longer paths first, then those that came first', () => {
    const jar = jarOf([HTTP, 'a=1; Path=/'], [HTTP, 'b=2; Path=/'], [HTTP, 'c=3; Path=/d']);
    expect(jar.header(HTTP)).toBe('c=3; a=1; b=2');
  });

  it('replaces, and forgets what the server deletes', () => {
    const jar = jarOf([HTTP, 's=1'], [HTTP, 's=2']);
    expect(jar.header(HTTP)).toBe('s=2');
    expect(jar.size).toBe(1);
    expect(jar.set(HTTP, 's=; Max-Age=-1')).toBe(false);
    expect(jar.header(HTTP)).toBeUndefined();
    expect(jar.size).toBe(0);
  });

  it('lets no plain page replace or hide a cookie of a secure one', () => {
    const jar = jarOf([HTTPS, 's=1; Secure; Path=/; Domain=a.example']);
    for (const setCookie of ['s=2; Path=/', 's=2', 's=2; Domain=a.example; Path=/']) {
      expect(jar.set(HTTP, setCookie)).toBe(false);
    }
    expect(jar.header(HTTPS)).toBe('s=1');
    expect(jar.set(HTTP, 't=2')).toBe(true);
    expect(jar.set(HTTPS, 's=3; Path=/; Domain=a.example')).toBe(true);
    expect(jar.header(HTTPS)).toBe('t=2; s=3');
  });

  it.each([
    ['its own path', HTTPS, 's=1; Secure; Path=/d', 's=2; Path=/d', false],
    ['a path below', HTTPS, 's=1; Secure; Path=/d', 's=2; Path=/d/e', false],
    ['a path beside', HTTPS, 's=1; Secure; Path=/d', 's=2; Path=/de', true],
    ['a path above', HTTPS, 's=1; Secure; Path=/d', 's=2; Path=/', true],
    ['the default path', HTTPS, 's=1; Secure; Path=/d', 's=2', false],
    ['a host below', 'https://x.www.a.example/', 's=1; Secure', 's=2; Domain=a.example', false],
    ['a host below, for itself', 'https://x.www.a.example/', 's=1; Secure', 's=2; Path=/', true],
    ['a host beside', 'https://xwww.a.example/', 's=1; Secure', 's=2; Path=/', true],
    ['the domain above', 'https://a.example/', 's=1; Secure', 's=2; Domain=www.a.example', false],
  ])(
    'lets a plain page set a cookie by %s of a secure one: %j',
    (_, url, secure, plain, isKept) => {
      expect(jarOf([url, secure]).set(HTTP, plain)).toBe(isKept);
    },
  );

  it.each(['s=a\rX: y', 't=b\0c', 'u=1\x7f', 'v=1; Path=/\n', '\x01=1'])(
    'refuses %j whole',
    (setCookie) => {
      const jar = jarOf([HTTP, 'ok=1'], [HTTP, setCookie]);
      expect(jar.header(HTTP)).toBe('ok=1');
    },
  );

  it('leaves values as they are', () => {
    expect(jarOf([HTTP, 's=%0D%0A "x" Ã©']).header(HTTP)).toBe('s=%0D%0A "x" Ã©');
  });

  it('refuses more than 4,096 octets of name and value, and long attributes', () => {
    const jar = jarOf(
      [HTTP, `a=${'x'.repeat(4095)}`],
      [HTTP, `b=${'x'.repeat(4096)}`],
      [HTTP, `c=1; Path=/${'x'.repeat(1024)}; Secure2`],
    );
    expect(
      jar
        .header(HTTP)
        ?.split('; ')
        .map((pair) => pair.charAt(0)),
    ).toEqual(['a', 'c']);
  });

  it('takes __proto__ for a name like any other', () => {
    const jar = jarOf(
      [HTTP, '__proto__=1'],
      ['http://__proto__/', 's=1; Domain=__proto__; Path=/polluted'],
    );
    expect(jar.header(HTTP)).toBe('__proto__=1');
    expect('polluted' in {}).toBe(false);
  });

  it('never throws, and never hands out what could split a header', () => {
    const part = fc.constantFrom(
      '=',
      ';',
      ' ',
      'a',
      '__Host-',
      'Path',
      '/',
      'Domain',
      '.',
      '\r\n',
      '\0',
      'é',
      'Max-Age',
      '9',
      ',',
    );
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('')),
        fc.string(),
        (setCookie, url) => {
          const jar = jarOf([url, setCookie], [HTTPS, setCookie], [HTTP, url]);
          // eslint-disable-next-line no-control-regex -- they are what is looked for
          expect(jar.header(HTTPS) ?? '').not.toMatch(/[\0-\x08\x0a-\x1f\x7f]/);
          expect(jar.header(url) ?? '').not.toContain('\n');
        },
      ),
    );
  });

  it('keeps each host its own, however many there are', () => {
    const jar = new CookieJar();
    const url = (host: number) => `http://h${host}.example/`;
    for (let host = 0; host < 100; host++) jar.set(url(host), `s=${host}`);
    for (let host = 0; host < 100; host++) expect(jar.header(url(host))).toBe(`s=${host}`);
  });

  it('holds so many cookies as it may, the oldest go', () => {
    const jar = new CookieJar({ maxCookies: 5, maxPerDomain: 3 });
    for (const name of ['a', 'b', 'c', 'd']) jar.set(HTTP, `${name}=1`);
    expect(jar.header(HTTP)).toBe('b=1; c=1; d=1');
    for (const name of ['e', 'f', 'g']) jar.set('http://b.example/', `${name}=1`);
    expect(jar.size).toBe(5);
    expect(jar.header(HTTP)).toBe('c=1; d=1');
    expect(jar.header('http://b.example/')).toBe('e=1; f=1; g=1');
  });

  it('gives up what has expired first, then what is not Secure', () => {
    vi.useFakeTimers();
    const jar = new CookieJar({ maxPerDomain: 3 });
    jar.set(HTTPS, 'session=1; Secure');
    jar.set(HTTPS, 'first=1');
    jar.set(HTTPS, 'short=1; Max-Age=1');
    vi.advanceTimersByTime(2_000);
    jar.set(HTTP, 'a=1');
    expect(jar.header(HTTPS)).toBe('session=1; first=1; a=1');
    for (const name of ['b', 'c', 'd']) jar.set(HTTP, `${name}=1`);
    expect(jar.header(HTTPS)).toBe('session=1; c=1; d=1');
    for (const name of ['e', 'f', 'g']) jar.set(HTTPS, `${name}=1; Secure`);
    expect(jar.header(HTTPS)).toBe('e=1; f=1; g=1');
    expect(jar.size).toBe(3);
    vi.useRealTimers();
  });

  it('stays bounded over many hosts', () => {
    const jar = new CookieJar({ maxCookies: 100 });
    for (let host = 0; host < 3000; host++) jar.set(`http://h${host}.example/`, 's=1');
    expect(jar.size).toBe(100);
    expect(jar.header('http://h2999.example/')).toBe('s=1');
    expect(jar.header('http://h1.example/')).toBeUndefined();
  });

  it('refuses limits that are none', () => {
    expect(() => new CookieJar({ maxCookies: 0 })).toThrow(RangeError);
    expect(() => new CookieJar({ maxPerDomain: 1.5 })).toThrow('CookieJar: maxPerDomain: expected');
  });
});

describeShared('cookies', (folder) => {
  const read = (name: string): unknown => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  interface Ietf {
    id: string;
    setCookie: string[];
    setFrom: string;
    sentTo: string;
    cookies: [string, string][];
  }
  /** They expect a cookie that is cut at a control character; RFC 6265bis §5.6 refuses it. */
  const CUT_AT_CONTROLS = ['ietf-DISABLED_CHROMIUM0022', 'ietf-DISABLED_CHROMIUM0023'];

  it.each((read('ietf.json') as { parser: Ietf[] }).parser)('$id', (each) => {
    const jar = jarOf(...each.setCookie.map((field) => [each.setFrom, field] as const));
    const expected = each.cookies.map(([name, value]) => `${name}=${value}`).join('; ');
    expect(jar.header(each.sentTo) ?? '').toBe(CUT_AT_CONTROLS.includes(each.id) ? '' : expected);
  });

  it.each(
    (read('ietf.json') as { dates: { id: string; text: string; utc: string | null }[] }).dates,
  )('$id: $text', ({ text, utc }) => {
    const jar = jarOf(['http://a.example/', `s=1; Expires=${text}`]);
    const [saved] = jar.toJSON();
    const isPast = utc !== null && Date.parse(utc) <= Date.now();
    if (isPast) expect(jar.size).toBe(0);
    else expect(saved?.expires ?? null).toBe(utc === null ? null : new Date(utc).toISOString());
  });

  interface JarCase {
    id: string;
    steps: [string, string][];
    send: [string, string | null][];
  }
  it.each((read('jar.json') as { jar: JarCase[] }).jar)('$id', ({ steps, send }) => {
    const jar = jarOf(...steps);
    expect(send.map(([url]) => [url, jar.header(url) ?? null])).toEqual(send);
  });

  it('public suffixes take no cookies for their hosts', () => {
    const lines = readFileSync(`${folder}/public-suffix-tests.txt`, 'utf8').split('\n');
    const suffixes = lines.flatMap((line) => /^([^/\s.]\S*) null$/.exec(line)?.[1] ?? []);
    expect(suffixes.length).toBeGreaterThan(10);
    for (const suffix of suffixes) {
      const jar = jarOf([`http://a.${suffix}/`, `s=1; Domain=${suffix}`]);
      expect(jar.header(`http://b.${suffix}/`), suffix).toBeUndefined();
    }
  });
});
