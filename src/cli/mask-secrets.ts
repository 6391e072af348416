import { tryParseUrl } from '../url/index.js';

/**
 * Query parameters whose value lets somebody in. Compared in lower case, without `-` and `_`.
 */
const SECRET_PARAMETERS = new Set([
  'accesskey',
  'accesstoken',
  'apikey',
  'auth',
  'authorization',
  'authtoken',
  'clientsecret',
  'idtoken',
  'jwt',
  'key',
  'pass',
  'passwd',
  'password',
  'phpsessid',
  'pwd',
  'refreshtoken',
  'secret',
  'session',
  'sessionid',
  'sid',
  'sig',
  'signature',
  'token',
  'xamzcredential',
  'xamzsecuritytoken',
  'xamzsignature',
]);

const MASK = '***';
/** Shorter ones would blot out ordinary words. */
const LEAST_SECRET = 4;

/**
 * A URL without its user information: for data, where a URL must stay one that can be fetched.
 * What cannot be parsed is masked as text.
 *
 * @example
 * ```ts
 * withoutUserInfo('https://me:secret@a.example/'); // 'https://a.example/'
 * ```
 */
export function withoutUserInfo(url: string): string {
  if (!url.includes('@')) return url;
  // A password with a slash in it breaks the URL, and `me:secret@host` has the scheme `me:`:
  // then nothing before the last @ is shown.
  const parsed = tryParseUrl(url);
  if (parsed === undefined || !/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:)/i.test(url)) {
    const scheme = url.indexOf('://');
    return `${url.slice(0, scheme === -1 ? 0 : scheme + 3)}${MASK}${url.slice(url.lastIndexOf('@'))}`;
  }
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

/**
 * Makes a function that masks secrets in text for people: user information and secret query
 * values of every URL in it, and each of the given secrets wherever it occurs.
 *
 * Linear in the text.
 *
 * @param secrets - values that must never be shown, such as that of an `Authorization` header
 *
 * @example
 * ```ts
 * secretMasker([])('GET https://me:pw@a.example/?token=abc'); // 'GET https://***@a.example/?token=***'
 * ```
 */
export function secretMasker(secrets: Iterable<string>): (text: string) => string {
  // Longest first: a secret that contains another is masked as one.
  const known = Array.from(new Set(secrets))
    .filter((secret) => secret.length >= LEAST_SECRET)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const secret of known) masked = masked.replaceAll(secret, MASK);
    return maskParameters(maskUserInfo(masked));
  };
}

/** Masks what stands between `://` and the last `@` of each authority. */
function maskUserInfo(text: string): string {
  if (!text.includes('@')) return text;
  let masked = '';
  let from = 0;
  for (;;) {
    const scheme = text.indexOf('://', from);
    if (scheme === -1) return masked + text.slice(from);
    const start = scheme + 3;
    const end = endOfAuthority(text, start);
    const at = text.lastIndexOf('@', end - 1);
    masked +=
      text.slice(from, start) +
      (at >= start ? `${MASK}@${text.slice(at + 1, end)}` : text.slice(start, end));
    from = end;
  }
}

function endOfAuthority(text: string, start: number): number {
  let end = start;
  while (end < text.length && !' \t\r\n/?#\\"<>'.includes(text.charAt(end))) end++;
  return end;
}

const PARAMETER = /([?&;])([\w.~%-]{1,64})=([^\s&;#"'<>]*)/g;

function maskParameters(text: string): string {
  return text.replace(PARAMETER, (whole: string, lead: string, name: string, value: string) =>
    value !== '' && SECRET_PARAMETERS.has(name.toLowerCase().replace(/[-_]/g, ''))
      ? `${lead}${name}=${MASK}`
      : whole,
  );
}
