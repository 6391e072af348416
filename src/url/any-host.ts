import type { Scope } from '../core/index.js';

/**
 * Scope: every host. Combine it with a limit of depth or pages.
 *
 * @example
 * ```ts
 * crawl({ scope: anyHost(), maxDepth: 1 });
 * ```
 */
export function anyHost(): Scope {
  return () => true;
}
