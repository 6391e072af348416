import { isRequest, request, type SeedInput, type Seeds } from '../core/index.js';
import { expectSeeds } from '../core/pull-seeds.js';
import { SeedRejected } from './crawl-problem.js';

/**
 * Checks seeds that are at hand: one, or an array. What comes in a stream, or is made while it
 * is read, is checked by the crawl.
 *
 * @throws SeedRejected for the first one that is no absolute URL
 * @throws TypeError if there is none, or it is nothing that could hold any
 */
export function checkSeeds(seeds: Seeds): void {
  expectSeeds(seeds);
  const list = isList(seeds) ? seeds : isOne(seeds) ? [seeds] : undefined;
  if (list?.length === 0) throw new TypeError('crawler: seeds: expected at least one, got none');
  for (const seed of list ?? []) {
    if (isRequest(seed)) continue;
    try {
      request(seed);
    } catch {
      throw new SeedRejected(String(seed), 'invalid-url', 'expected an absolute URL');
    }
  }
}

/**
 * Watches the end of a synchronous iterable: its seeds are pulled as they are wanted, so what
 * has not been pulled is work that is still to be done.
 */
export function watchSeeds(
  seeds: Seeds,
  ended: () => void,
): { readonly seeds: Seeds; readonly pulled: boolean } {
  if (isOne(seeds) || !(Symbol.iterator in seeds)) return { seeds, pulled: false };
  return { seeds: untilEnded(seeds, ended), pulled: true };
}

function* untilEnded(seeds: Iterable<SeedInput>, ended: () => void): Generator<SeedInput> {
  try {
    yield* seeds;
  } finally {
    ended();
  }
}

function isOne(seeds: Seeds): seeds is SeedInput {
  return typeof seeds === 'string' || seeds instanceof URL || isRequest(seeds);
}

function isList(seeds: Seeds): seeds is SeedInput[] {
  return Array.isArray(seeds);
}
