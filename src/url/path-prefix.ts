import { expectString } from '../core/expect.js';
import { listOf } from '../core/expect-options.js';
import { pathOfHref } from './href-parts.js';
import { normalizePercent } from './percent.js';
import type { Scope } from '../core/index.js';

/**
 * Scope: URLs whose path begins with one of these prefixes, by whole segments: `/docs` covers
 * `/docs`, `/docs/` and `/docs/a`, not `/docs2`. Letter case counts. Says nothing about hosts.
 *
 * @throws TypeError for a prefix that does not begin with a slash
 *
 * @example
 * ```ts
 * crawl({ scope: all(sameHost(), pathPrefix('/docs/')) });
 * ```
 */
export function pathPrefix(...prefixes: readonly string[]): Scope {
  listOf(expectString)('pathPrefix', prefixes);
  const paths = prefixes.map((prefix) => {
    if (!prefix.startsWith('/')) {
      throw new TypeError(
        `pathPrefix: expected a path that begins with a slash, got ${JSON.stringify(prefix)}`,
      );
    }
    return normalizePercent(
      new URL(`http://h${prefix.replace(/[?#]/g, encodeURIComponent)}`).pathname,
    );
  });
  return ({ url }) => {
    const path = normalizePercent(pathOfHref(url));
    return paths.some((prefix) => hasPrefix(path, prefix));
  };
}

/** Whether a text begins with a prefix that ends at the border of a segment. */
export function hasPrefix(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix)) return false;
  if (prefix.endsWith('/') || text.length === prefix.length) return true;
  const next = text.charAt(prefix.length);
  return next === '/' || next === '?' || next === '#';
}
