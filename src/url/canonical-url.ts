import { hasDotSegment, resolveDots } from './dot-segments.js';
import { parseUrl, tryParseUrl } from './parse-url.js';
import { pathRewrites } from './path-rules.js';
import { escapeLonePercent, normalizePercent } from './percent.js';
import { isPlainHref } from './plain-href.js';
import { queryRewriter } from './query-filter.js';
import { composeUnicode } from './unicode-form.js';
import { checkPolicy, type UrlPolicy } from './url-policy.js';

/** Gives the canonical form of a URL under one policy. */
export type Canonicalizer = (url: string | URL) => string;

/** Schemes whose URLs have the parts that a policy speaks of. */
const HIERARCHICAL = /^(?:https?|wss?|ftp):\/\//;

/**
 * The canonical form of a URL: two URLs of the same form are the same page. Made for keys, not
 * for fetching: fetch the URL that was found.
 *
 * By default it merges only spellings that are one URL by the WHATWG URL Standard (case of scheme
 * and host, default and empty port, dot segments, IDN forms, spellings of an address) or by
 * RFC 3986 §6.2.2 (case of `%xx`, encoded unreserved characters); fragment and user information
 * are left out. All other merging is a named option of {@link UrlPolicy}. The form is idempotent.
 *
 * A URL that is canonical already is recognised without parsing it, in about 0.1 µs.
 *
 * @throws InvalidUrlError (a TypeError) if the text is no absolute URL
 * @throws TypeError if the policy has an unknown option or a wrong value
 *
 * @example
 * ```ts
 * canonicalUrl('HTTP://H.example:80/a/../%7Eb?y=1&x=2#top'); // 'http://h.example/~b?y=1&x=2'
 * canonicalUrl('http://h.example/?b=1&a=2', { sortQuery: true }); // 'http://h.example/?a=2&b=1'
 * ```
 */
export function canonicalUrl(url: string | URL, policy?: UrlPolicy): string {
  return policy === undefined ? standard(url) : remembered(policy)(url);
}

/** As {@link canonicalUrl}, but gives `undefined` for what is no absolute URL. */
export function tryCanonicalUrl(url: string | URL, policy?: UrlPolicy): string | undefined {
  const canonical = policy === undefined ? standard : remembered(policy);
  const parsed = typeof url === 'string' && !isPlainHref(url) ? tryParseUrl(url) : url;
  return parsed === undefined ? undefined : canonical(parsed);
}

/**
 * Checks a policy once and gives the function that applies it: what {@link canonicalUrl} does,
 * for code that judges many URLs.
 *
 * @throws TypeError if the policy has an unknown option or a wrong value
 *
 * @example
 * ```ts
 * const canonical = canonicalizer({ dropTracking: true });
 * canonical('https://h.example/?id=1&utm_source=x'); // 'https://h.example/?id=1'
 * ```
 */
export function canonicalizer(policy: UrlPolicy = {}): Canonicalizer {
  checkPolicy(policy);
  const keepFragment = policy.keepFragment === true;
  const rewrite = policyRewriter(policy);
  return (url) => {
    if (typeof url === 'string' && isPlainHref(url)) {
      const hash = url.indexOf('#');
      if (hash === -1 || !keepFragment) {
        const href = hash === -1 ? url : url.slice(0, hash);
        return href.includes('%') || rewrite.changes(href) ? rewrite(href) : href;
      }
    }
    const { href } = typeof url === 'string' ? parseUrl(url) : url;
    return rewrite(keepFragment ? href : withoutFragment(href));
  };
}

const standard: Canonicalizer = canonicalizer();
const compiled = new WeakMap<UrlPolicy, Canonicalizer>();

function remembered(policy: UrlPolicy): Canonicalizer {
  let canonical = compiled.get(policy);
  if (canonical === undefined) {
    canonical = canonicalizer(policy);
    compiled.set(policy, canonical);
  }
  return canonical;
}

/** Works on the text of `URL.href`, which has one spelling of everything but percent-encoding. */
interface HrefRewriter {
  (href: string): string;
  /** Whether a rule may change a plain URL that has no percent sign. */
  readonly changes: (href: string) => boolean;
}

function policyRewriter(policy: UrlPolicy): HrefRewriter {
  const escapeLone = policy.escapeLonePercent === true;
  const keepUser = policy.keepUserInfo === true;
  const both: ((text: string) => string)[] = [];
  if (policy.escapeExtra === true) both.push(escapeExtra);
  if (policy.normalizeUnicode === true) both.push(composeUnicode);
  const onPath = [...both, ...pathRewrites(policy)];
  const onQuery = [...both];
  const onFragment = policy.escapeExtra === true ? [escapeExtra] : [];
  if (policy.plusForSpace === true) onQuery.push((query) => query.replaceAll('%20', '+'));
  const filter = queryRewriter(policy);
  if (filter !== undefined) onQuery.push(filter);
  const dropEmpty = policy.dropEmptyQuery === true;
  const { ignoreScheme, dropWww, dropTrailingDot } = policy;
  const onOrigin = ignoreScheme === true || dropWww === true || dropTrailingDot === true;
  const beforeQuery = onOrigin || onPath.length > 0;
  const hasRules = beforeQuery || onQuery.length > 0 || dropEmpty;

  const rewrite = (href: string): string => {
    const colon = href.indexOf(':') + 1;
    const found = href.slice(colon);
    const tail = normalizePercent(escapeLone ? escapeLonePercent(found) : found);
    const text = href.slice(0, colon) + (keepUser ? tail : withoutUserInfo(tail));
    const dots = hasDotSegment(text);
    if ((!hasRules && !dots) || !HIERARCHICAL.test(text)) return text;
    const fragment = cut(text, text.indexOf('#'));
    const mark = text.indexOf('?');
    const queryAt = mark === -1 || mark > fragment ? fragment : mark;
    const pathAt = cut(text, text.indexOf('/', text.indexOf('//') + 2));
    let origin = text.slice(0, pathAt);
    if (onOrigin) origin = rewriteOrigin(origin, policy);
    const whole = text.slice(pathAt, queryAt);
    const path = apply(onPath, dots ? resolveDots(whole) : whole);
    const end = apply(onFragment, text.slice(fragment));
    if (queryAt === fragment) return origin + path + end;
    const before = text.slice(queryAt + 1, fragment);
    const query = apply(onQuery, before);
    const mustGo = query === '' && (before !== '' || dropEmpty);
    return `${origin}${path}${mustGo ? '' : `?${query}`}${end}`;
  };
  const changes = (href: string): boolean => beforeQuery || (hasRules && href.includes('?'));
  return Object.assign(rewrite, { changes });
}

function apply(rewrites: readonly ((text: string) => string)[], text: string): string {
  let result = text;
  for (const rewrite of rewrites) result = rewrite(result);
  return result;
}

function cut(text: string, at: number): number {
  return at === -1 ? text.length : at;
}

/** An opaque path loses the blanks that stood before its fragment, as with the `hash` setter. */
function withoutFragment(href: string): string {
  const hash = href.indexOf('#');
  return hash === -1 ? href : href.slice(0, hash).trimEnd();
}

/** @param tail - a URL behind its scheme */
function withoutUserInfo(tail: string): string {
  if (!tail.startsWith('//')) return tail;
  let end = 2;
  let at = -1;
  for (; end < tail.length; end += 1) {
    const unit = tail.charCodeAt(end);
    if (unit === 64) at = end;
    else if (unit === 47 || unit === 63 || unit === 35) break;
  }
  return at === -1 ? tail : `//${tail.slice(at + 1)}`;
}

/** @param origin - scheme, `//`, user information and host */
function rewriteOrigin(origin: string, policy: UrlPolicy): string {
  const [, scheme = '', user = '', host = '', port = ''] =
    /^([a-z]+:\/\/)([^@]*@)?(.*?)(:\d+)?$/.exec(origin) ?? [];
  let name = host;
  if (policy.dropTrailingDot === true) name = withoutTrailingDot(name);
  if (policy.dropWww === true) {
    while (name.startsWith('www.') && name.indexOf('.', 4) > 4) name = name.slice(4);
  }
  if (policy.ignoreScheme !== true) return scheme + user + name + port;
  const plain = scheme.replace(/^(http|ws)s:/, '$1:');
  return plain + user + name + (port === ':80' ? '' : port);
}

/** Leaves a host alone that would be read as an address without its dots. */
function withoutTrailingDot(host: string): string {
  let end = host.length;
  while (end > 0 && host.charCodeAt(end - 1) === 46) end -= 1;
  if (end === 0 || end === host.length) return host;
  const name = host.slice(0, end);
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name) ? host : name;
}

const EXTRA = /[[\]^|{}\\`]/g;

function escapeExtra(text: string): string {
  return text.replace(EXTRA, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
