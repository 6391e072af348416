import {
  canonicalDomain,
  Cookie,
  CookieJar as ToughJar,
  defaultPath,
  getPublicSuffix,
  MemoryCookieStore,
  pathMatch,
} from 'tough-cookie';
import { expectOptions, integerFrom } from '../../core/expect-options.js';
import { tryParseUrl } from '../../url/index.js';

/** Limits of a {@link CookieJar}. */
export interface CookieJarOptions {
  /** Most cookies in all; the oldest goes first. Default 10,000. */
  readonly maxCookies?: number;
  /**
   * Most cookies of one domain; its oldest goes first, expired ones before others and those without
   * `Secure` before those with. Default 50 (RFC 6265 §6.1).
   */
  readonly maxPerDomain?: number;
}

/** A cookie in the form in which it is saved. */
export interface SavedCookie {
  readonly name: string;
  readonly value: string;
  /** Host, or the domain whose hosts all get it; see `hostOnly`. */
  readonly domain: string;
  readonly path: string;
  readonly hostOnly: boolean;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** ISO 8601; `null` for a cookie without an end. */
  readonly expires: string | null;
}

/** Octets of name and value together (RFC 6265bis §5.6); header values hold one a character. */
const MAX_PAIR = 4096;
/** Octets of an attribute's value; one that is longer is passed over. */
const MAX_ATTRIBUTE = 1024;
/** All controls but the tab end a cookie before it is read (RFC 6265bis §5.6). */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f]/;

/**
 * The cookies of one crawl, kept and handed out as RFC 6265bis says: by host, path and scheme,
 * never to another site, never for a public suffix. On tough-cookie, with what that leaves out:
 * limits, and no cookie with control characters, which it would cut.
 *
 * @example
 * ```ts
 * const jar = new CookieJar();
 * jar.set('https://a.example/login', 'sid=1; Secure; Path=/');
 * jar.header('https://a.example/'); // 'sid=1'
 * jar.header('http://a.example/'); // undefined
 * ```
 */
export class CookieJar {
  readonly #store = new MemoryCookieStore();
  readonly #jar = new ToughJar(this.#store, { prefixSecurity: 'silent' });
  readonly #maxCookies: number;
  readonly #maxPerDomain: number;
  /** Cookies by domain, then by path and name; both in the order in which they were set. */
  readonly #domains = new Map<string, Map<string, Cookie>>();
  #size = 0;

  constructor(options: CookieJarOptions = {}) {
    expectOptions('CookieJar', options, {
      maxCookies: integerFrom(1),
      maxPerDomain: integerFrom(1),
    });
    const { maxCookies = 10_000, maxPerDomain = 50 } = options;
    this.#maxCookies = maxCookies;
    this.#maxPerDomain = maxPerDomain;
  }

  /** How many cookies it holds, those that have expired meanwhile included. */
  get size(): number {
    return this.#size;
  }

  /**
   * Takes one `Set-Cookie` header field of an answer.
   *
   * @param url - the URL that answered
   * @returns whether a cookie is kept; never throws
   */
  set(url: string, setCookie: string): boolean {
    if (CONTROLS.test(setCookie)) return false;
    const cookie = Cookie.parse(withoutLongAttributes(setCookie));
    if (!cookie || !isWithinLimits(cookie)) return false;
    useAbsoluteExpiry(cookie, Date.now());
    // A suffix such as github.io may set cookies for itself alone (RFC 6265bis §5.7), and so may
    // an address, which tough-cookie knows only if it is one of IPv4.
    if (isSuffix(cookie.domain) && cookie.cdomain() === canonicalHost(url)) cookie.domain = null;
    if (breaksPrefix(cookie) || this.#wouldShadowSecure(cookie, url)) return false;
    let kept: Cookie | undefined;
    try {
      kept = this.#jar.setCookieSync(cookie, url);
    } catch {
      // Another site's domain, a public suffix, Secure over plain HTTP …
      return false;
    }
    return kept !== undefined && this.#note(kept);
  }

  /** The value of the `Cookie` header field for a request; `undefined` for none. */
  header(url: string): string | undefined {
    if (this.#size === 0 || tryParseUrl(url) === undefined) return undefined;
    return this.#jar.getCookieStringSync(url) || undefined;
  }

  /** The cookies as {@link saveCookies} writes them, without those that have expired. */
  toJSON(): SavedCookie[] {
    const saved: SavedCookie[] = [];
    for (const cookies of this.#domains.values()) {
      for (const cookie of cookies.values()) if (cookie.TTL() > 0) saved.push(toSaved(cookie));
    }
    return saved;
  }

  /**
   * Puts a saved cookie back.
   *
   * @returns whether it is kept: not if it has expired, or breaks the rules that {@link set} has
   */
  restore(saved: SavedCookie): boolean {
    const { name, value, domain, path, hostOnly, secure, httpOnly, expires } = saved;
    const cookie = new Cookie({
      key: name,
      value,
      domain,
      path,
      hostOnly,
      secure,
      httpOnly,
      expires: expires === null ? 'Infinity' : new Date(expires),
    });
    const isLegal =
      isWithinLimits(cookie) &&
      ![name, value, domain, path].some((text) => CONTROLS.test(text) || text.includes(';')) &&
      domain !== '' &&
      path.startsWith('/') &&
      (hostOnly || !isSuffix(domain));
    if (!isLegal) return false;
    this.#store.putCookie(cookie, () => undefined);
    return this.#note(cookie);
  }

  /**
   * A page that came over plain HTTP may be forged on the way: it may not replace or hide what a
   * secure page has set (RFC 6265bis §5.7), for its own host or one above or below, at that path or
   * one below.
   */
  #wouldShadowSecure(cookie: Cookie, url: string): boolean {
    if (cookie.secure || url.startsWith('https:')) return false;
    const { pathname, hostname: host = '' } = tryParseUrl(url) ?? {};
    const path = cookie.path?.startsWith('/') ? cookie.path : defaultPath(pathname ?? '/');
    const isShadowed = (domain: string): boolean => {
      for (const kept of this.#domains.get(domain)?.values() ?? []) {
        const isHidden = kept.key === cookie.key && kept.secure && kept.TTL() > 0;
        if (isHidden && pathMatch(path, kept.path ?? '/')) return true;
      }
      return false;
    };
    const domain = canonicalDomain(cookie.domain);
    if (!domain) return above(host).some(isShadowed);
    if (above(domain).some(isShadowed)) return true;
    for (const below of this.#domains.keys()) {
      if (below.endsWith(`.${domain}`) && isShadowed(below)) return true;
    }
    return false;
  }

  /** Counts a cookie that the store has taken; drops it if it is a deletion, or others for it. */
  #note(cookie: Cookie): boolean {
    const domain = cookie.domain ?? '';
    const cookies = this.#domains.get(domain) ?? new Map<string, Cookie>();
    const id = `${cookie.path ?? '/'};${cookie.key}`;
    if (cookies.delete(id)) this.#size -= 1;
    if (cookie.TTL() <= 0) {
      this.#drop(cookie);
      if (cookies.size === 0) this.#domains.delete(domain);
      return false;
    }
    cookies.set(id, cookie);
    this.#size += 1;
    this.#domains.delete(domain);
    this.#domains.set(domain, cookies);
    if (cookies.size > this.#maxPerDomain) this.#dropOldest(domain, cookies);
    for (const [oldest, ofOldest] of this.#domains) {
      if (this.#size <= this.#maxCookies) break;
      this.#dropOldest(oldest, ofOldest);
    }
    return true;
  }

  /** Expired ones go first, then those that plain HTTP may have set (RFC 6265bis §5.7). */
  #dropOldest(domain: string, cookies: Map<string, Cookie>): void {
    const oldest = [...cookies];
    const [id, cookie] =
      oldest.find(([, each]) => each.TTL() <= 0) ??
      oldest.find(([, { secure }]) => !secure) ??
      oldest[0] ??
      [];
    if (id !== undefined && cookie) {
      cookies.delete(id);
      this.#size -= 1;
      this.#drop(cookie);
    }
    if (cookies.size === 0) this.#domains.delete(domain);
  }

  #drop({ domain, path, key }: Cookie): void {
    this.#store.removeCookie(domain ?? '', path ?? '/', key, () => undefined);
  }
}

function isWithinLimits({ key, value }: Cookie): boolean {
  return key.length + value.length <= MAX_PAIR;
}

/**
 * What the name of a cookie promises (RFC 6265bis §5.7), in any case; tough-cookie takes
 * `__secure-` for another name, and a path by default for one that was given.
 */
function breaksPrefix({ key, secure, domain, path }: Cookie): boolean {
  if (/^__secure-/i.test(key)) return !secure;
  return /^__host-/i.test(key) && !(secure && domain === null && path === '/');
}

function withoutLongAttributes(setCookie: string): string {
  if (setCookie.length <= MAX_ATTRIBUTE) return setCookie;
  const [pair, ...attributes] = setCookie.split(';');
  const short = attributes.filter(
    (attribute) => attribute.length - attribute.indexOf('=') - 1 <= MAX_ATTRIBUTE,
  );
  return [pair, ...short].join(';');
}

/** The last moment that a `Date` can hold. */
const END_OF_TIME = 8.64e15;

/**
 * `Max-Age` counts from when the cookie was set (RFC 6265bis §5.7). tough-cookie counts from the
 * last use, so that a cookie that is used would never expire.
 */
function useAbsoluteExpiry(cookie: Cookie, now: number): void {
  const { maxAge } = cookie;
  if (maxAge === null) return;
  const seconds = Number(maxAge);
  cookie.maxAge = null;
  cookie.expires = new Date(seconds > 0 ? Math.min(now + seconds * 1000, END_OF_TIME) : 0);
}

function isSuffix(domain: string | null): boolean {
  const bare = domain === null ? undefined : canonicalDomain(domain);
  return bare !== undefined && getPublicSuffix(bare, { ignoreError: true }) === undefined;
}

/** A host, and all that it is part of. */
function above(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, n) => labels.slice(n).join('.'));
}

function canonicalHost(url: string): string | undefined {
  return canonicalDomain(tryParseUrl(url)?.hostname ?? '');
}

function toSaved(cookie: Cookie): SavedCookie {
  return {
    name: cookie.key,
    value: cookie.value,
    domain: cookie.domain ?? '',
    path: cookie.path ?? '/',
    hostOnly: cookie.hostOnly === true,
    secure: cookie.secure,
    httpOnly: cookie.httpOnly,
    expires: cookie.expires instanceof Date ? cookie.expires.toISOString() : null,
  };
}
