import { hostOf } from '../core/index.js';
import { pathOfHref, queryOfHref } from './href-parts.js';

/** UUIDs, and words of at least 16 letters and digits: hashes, tokens. */
const TOKEN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z0-9]{16,}/gi;
const NUMBER = /[0-9]+/g;
const DIGIT = /[0-9]/;

/**
 * The pattern that a URL has in common with others that a site makes from one template: host and
 * path with numbers as `N` and hashes, UUIDs and the like as `X`, and the names of its parameters, sorted.
 *
 * @example
 * ```ts
 * urlPattern('http://h.example/item/17/v2?size=9&page=2'); // 'h.example/item/N/vN?page&size'
 * ```
 */
export function urlPattern(url: string): string {
  const query = queryOfHref(url);
  const names = query?.split('&').map((piece) => piece.split('=', 1)[0] ?? '');
  return patternOf(hostOf(url), pathOfHref(url), names);
}

/** The same of a URL that has been cut already. */
export function patternOf(
  host: string,
  path: string,
  names: readonly string[] | undefined,
): string {
  const base = host + masked(path);
  return names === undefined ? base : `${base}?${[...new Set(names)].sort().join('&')}`;
}

/** What is masked has a digit; most paths have none. */
function masked(path: string): string {
  return DIGIT.test(path) ? path.replace(TOKEN, maskToken).replace(NUMBER, 'N') : path;
}

/** A long word without a digit is a word. */
function maskToken(word: string): string {
  return DIGIT.test(word) ? 'X' : word;
}
