import { describe, expect, it } from 'vitest';
import { CookieJar, loadCookies, saveCookies } from '../../../src/fetch/cookies/index.js';

const URL_A = 'https://www.a.example/d/';

describe('saveCookies and loadCookies', () => {
  it('keep all that decides where a cookie goes', () => {
    const jar = new CookieJar();
    jar.set(URL_A, 'session=1; HttpOnly');
    jar.set(URL_A, 'all=2; Domain=a.example; Path=/; Secure; Max-Age=1000');
    jar.set(URL_A, 'until=3; Expires=Fri, 01 Jan 2100 00:00:00 GMT');
    const loaded = loadCookies(saveCookies(jar));
    expect(saveCookies(loaded)).toBe(saveCookies(jar));
    for (const url of [
      URL_A,
      'http://www.a.example/d/x',
      'https://b.a.example/',
      'https://b.example/',
    ]) {
      expect(loaded.header(url)).toBe(jar.header(url));
    }
    expect(loaded.header(URL_A)).toBe('session=1; until=3; all=2');
  });

  it('write no cookie that has expired', () => {
    const jar = new CookieJar();
    jar.set(URL_A, 'a=1; Max-Age=1000');
    jar.set(URL_A, 'b=1; Max-Age=0');
    const saved = JSON.parse(saveCookies(jar)) as { cookies: { name: string; expires: string }[] };
    expect(saved.cookies.map(({ name }) => name)).toEqual(['a']);
    expect(Date.parse(saved.cookies[0]!.expires) - Date.now()).toBeGreaterThan(990_000);
  });

  it('read no cookie that has expired since', () => {
    const jar = new CookieJar();
    jar.set(URL_A, 'a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT');
    const old = saveCookies(jar).replace('2100', '2000');
    expect(loadCookies(old).size).toBe(0);
  });

  it('go on to limit the lifetime of what was loaded', () => {
    const jar = loadCookies(saveCookies(new CookieJar()));
    jar.set(URL_A, 'a=1');
    expect(jar.header(URL_A)).toBe('a=1');
  });
});

describe('loadCookies refuses, without showing what it read,', () => {
  const cookie = {
    name: 'secret',
    value: 'hunter2',
    domain: 'a.example',
    path: '/',
    hostOnly: true,
    secure: false,
    httpOnly: false,
    expires: null,
  };
  const file = (...cookies: unknown[]) => JSON.stringify({ format: 'rxcrawl-cookies-1', cookies });

  it.each([
    ['hunter2', 'not JSON'],
    ['', 'not JSON'],
    ['null', '"format" is not'],
    ['[]', '"format" is not'],
    ['{"format":"rxcrawl-cookies-2","cookies":[]}', '"format" is not'],
    ['{"format":"rxcrawl-cookies-1"}', '"cookies" is not a list'],
    [file('hunter2'), 'cookie 1 lacks a field'],
    [file(cookie, { ...cookie, value: 5 }), 'cookie 2 lacks a field'],
    [file({ ...cookie, expires: 'soon' }), 'cookie 1 lacks a field'],
    [file({ ...cookie, value: 'hunter2\r\nX: y' }), 'cookie 1 breaks the rules'],
    [file({ ...cookie, value: 'hunter2; x' }), 'cookie 1 breaks the rules'],
    [file({ ...cookie, value: 'x'.repeat(4097) }), 'cookie 1 breaks the rules'],
    [file({ ...cookie, path: 'x' }), 'cookie 1 breaks the rules'],
    [file({ ...cookie, domain: 'co.uk', hostOnly: false }), 'cookie 1 breaks the rules'],
    [file({ ...cookie, domain: '' }), 'cookie 1 breaks the rules'],
  ])('%j', (text, what) => {
    let error: unknown;
    try {
      loadCookies(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(what);
    expect(String(error)).not.toContain('hunter2');
  });

  it('but takes the cookie itself', () => {
    expect(loadCookies(file(cookie)).header('http://a.example/')).toBe('secret=hunter2');
  });
});
