/**
 * Random numbers from 0 up to 1 that the seed determines (mulberry32): a test that uses them
 * can be run again. Give it to `crawl()` as `random` to make its jitter repeatable.
 *
 * @param seed - a whole number; its lowest 32 bits count
 *
 * @example
 * ```ts
 * import { seededRandom } from 'rxcrawl/testing';
 *
 * const random = seededRandom(1);
 * random() === seededRandom(1)(); // true
 * ```
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
