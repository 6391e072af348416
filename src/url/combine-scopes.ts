import type { Scope } from '../core/index.js';

/**
 * Scope: what all of these allow. Without any it allows everything. Asks in order and stops at
 * the first that refuses.
 *
 * @example
 * ```ts
 * crawl({ scope: all(sameHost(), pathPrefix('/docs/'), not(urlMatches('/docs/old/**'))) });
 * ```
 */
export function all(...scopes: readonly Scope[]): Scope {
  return (request, context) => scopes.every((scope) => scope(request, context));
}

/**
 * Scope: what at least one of these allows. Without any it allows nothing.
 *
 * @example
 * ```ts
 * crawl({ scope: any(sameHost(), hosts('cdn.example.org')) });
 * ```
 */
export function any(...scopes: readonly Scope[]): Scope {
  return (request, context) => scopes.some((scope) => scope(request, context));
}

/**
 * Scope: what this one refuses.
 *
 * @example
 * ```ts
 * crawl({ scope: all(sameHost(), not(pathPrefix('/admin/'))) });
 * ```
 */
export function not(scope: Scope): Scope {
  return (request, context) => !scope(request, context);
}
