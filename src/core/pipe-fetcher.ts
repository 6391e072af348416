import { expectFunction } from './expect.js';
import type { Fetcher, FetcherDecorator } from './fetcher.js';

/**
 * Puts decorators around a fetcher, the first one innermost.
 *
 * @example
 * ```ts
 * const fetcher = pipeFetcher(undiciFetcher(), polite({ delay: 1_000 }), followRedirects(), retryFetch());
 * ```
 */
export function pipeFetcher(fetcher: Fetcher, ...decorators: readonly FetcherDecorator[]): Fetcher {
  expectFunction('pipeFetcher: fetcher', fetcher);
  for (const decorate of decorators) expectFunction('pipeFetcher: decorators', decorate);
  return decorators.reduce((inner, decorate) => decorate(inner), fetcher);
}
