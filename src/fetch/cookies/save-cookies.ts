import { CookieJar, type SavedCookie } from './cookie-jar.js';

const FORMAT = 'rxcrawl-cookies-1';

/**
 * Writes the cookies of a jar as JSON, without those that have expired; cookies that end with the
 * session are kept. They are secrets: a file for them should have the mode 0600.
 *
 * @example
 * ```ts
 * await writeFile('cookies.json', saveCookies(jar), { mode: 0o600 });
 * ```
 */
export function saveCookies(jar: CookieJar): string {
  return `${JSON.stringify({ format: FORMAT, cookies: jar.toJSON() }, null, 2)}\n`;
}

/**
 * Makes a jar of what {@link saveCookies} wrote. Cookies that have expired since are left out.
 *
 * @throws TypeError that says where, if the text is anything else; it never repeats a value
 *
 * @example
 * ```ts
 * const jar = loadCookies(await readFile('cookies.json', 'utf8'));
 * ```
 */
export function loadCookies(text: string): CookieJar {
  const jar = new CookieJar();
  for (const [index, cookie] of cookiesOf(text).entries()) {
    if (!isSavedCookie(cookie)) {
      throw broken(`cookie ${index + 1} lacks a field, or has one of a wrong type`);
    }
    const hasExpired = cookie.expires !== null && Date.parse(cookie.expires) <= Date.now();
    if (!hasExpired && !jar.restore(cookie)) {
      throw broken(`cookie ${index + 1} breaks the rules for names, values, paths or domains`);
    }
  }
  return jar;
}

function cookiesOf(text: string): readonly unknown[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    // Its message would show a part of the text, which may be a secret.
    throw broken('the text is not JSON');
  }
  if (!isObject(file) || file['format'] !== FORMAT) throw broken(`"format" is not "${FORMAT}"`);
  const { cookies } = file;
  if (!Array.isArray(cookies)) throw broken('"cookies" is not a list');
  return cookies;
}

function isSavedCookie(value: unknown): value is SavedCookie {
  if (!isObject(value)) return false;
  const { expires } = value;
  return (
    ['name', 'value', 'domain', 'path'].every((field) => typeof value[field] === 'string') &&
    ['hostOnly', 'secure', 'httpOnly'].every((field) => typeof value[field] === 'boolean') &&
    (expires === null || (typeof expires === 'string' && !Number.isNaN(Date.parse(expires))))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function broken(what: string): TypeError {
  return new TypeError(`loadCookies: expected the JSON that saveCookies writes; ${what}`);
}
