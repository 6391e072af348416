import { compileGlob } from './glob.js';
import { hasPrefix } from './path-prefix.js';
import type { Scope } from '../core/index.js';

/** A glob, a plain prefix, or a regular expression of the user's own. */
export type UrlPattern = string | RegExp;

/**
 * Compiles a pattern to a test of URLs (in the form of `URL.href`), linear in their length.
 *
 * What a text is compared with depends on how it begins:
 *
 * | pattern | compared with |
 * | --- | --- |
 * | begins with `/` | path and query |
 * | has `://` | the whole URL |
 * | all else | host, path and query |
 *
 * Fragments never count. A text with `*` or `?` is a glob (see {@link compileGlob}) that may leave
 * out the query; one without is a prefix that ends at the border of a segment. A regular
 * expression is tested against the whole URL; whether it is linear is up to its author.
 *
 * @throws TypeError for a text that is no pattern
 *
 * @example
 * ```ts
 * const isProduct = compileUrlPattern('/product/*');
 * isProduct('https://shop.example/product/7?color=red'); // true
 * isProduct('https://shop.example/product/7/reviews'); // false
 * ```
 */
export function compileUrlPattern(pattern: UrlPattern): (url: string) => boolean {
  if (pattern instanceof RegExp) {
    // Without `g` and `y` a test does not remember where the last one ended.
    const regexp = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
    return (url) => regexp.test(url);
  }
  if (typeof pattern !== 'string' || pattern === '') {
    throw new TypeError(
      `urlMatches: expected a pattern such as "/docs/**" or a RegExp, got ${JSON.stringify(pattern)}`,
    );
  }
  const subject = subjectOf(pattern);
  const test = matcherOf(pattern.startsWith('/') ? pattern : lowerCaseHost(pattern));
  return (url) => test(subject(url));
}

/**
 * Scope: URLs that match at least one pattern; see {@link compileUrlPattern} for what a pattern
 * can be.
 *
 * @throws TypeError for a text that is no pattern
 *
 * @example
 * ```ts
 * crawl({ scope: all(sameHost(), not(urlMatches('/logout', '/**.pdf', /[?&]print=1/))) });
 * ```
 */
export function urlMatches(...patterns: readonly UrlPattern[]): Scope {
  const tests = patterns.map((pattern) => compileUrlPattern(pattern));
  return ({ url }) => tests.some((test) => test(url));
}

function subjectOf(pattern: string): (url: string) => string {
  if (pattern.startsWith('/')) return (url) => url.slice(pathStart(url), endOf(url));
  if (pattern.includes('://')) return (url) => url.slice(0, endOf(url));
  return (url) => url.slice(url.indexOf('//') + 2, endOf(url));
}

function matcherOf(pattern: string): (text: string) => boolean {
  if (!/[*?\\]/.test(pattern)) return (text) => hasPrefix(text, pattern);
  const matches = compileGlob(pattern);
  return (text) => {
    if (matches(text)) return true;
    const mark = text.indexOf('?');
    return mark !== -1 && matches(text.slice(0, mark));
  };
}

function lowerCaseHost(pattern: string): string {
  const scheme = pattern.indexOf('://');
  const slash = pattern.indexOf('/', scheme === -1 ? 0 : scheme + 3);
  const end = slash === -1 ? pattern.length : slash;
  return pattern.slice(0, end).toLowerCase() + pattern.slice(end);
}

function endOf(url: string): number {
  const hash = url.indexOf('#');
  return hash === -1 ? url.length : hash;
}

function pathStart(url: string): number {
  const slash = url.indexOf('/', url.indexOf('//') + 2);
  return slash === -1 ? url.length : slash;
}
