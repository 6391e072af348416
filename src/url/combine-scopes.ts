import { expectFunction } from '../core/expect.js';
import { listOf } from '../core/expect-options.js';
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
  listOf(expectFunction)('all', scopes);
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
  listOf(expectFunction)('any', scopes);
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
  expectFunction('not', scope);
  return (request, context) => !scope(request, context);
}
