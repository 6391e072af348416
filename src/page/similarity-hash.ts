// Own code: Charikar's SimHash. It shares its reading of the bytes with `contentHash`, and takes
// no text, which a library would need decoded and without markup.

import { afterComment, afterRawText } from './skip-markup.js';

const LESS = 0x3c;
const GREATER = 0x3e;
const BLANK = 0x20;
const BANG = 0x21;
const CASE = 0x20;
const SMALL_S = 0x73;
const START = 0x41c6ce57;

/** A fingerprint of 64 bits as two unsigned numbers of 32. */
export interface SimilarityHash {
  readonly high: number;
  readonly low: number;
}

/**
 * A fingerprint of what a page of HTML says (SimHash of its pairs of words): pages whose texts
 * differ in a few words differ in a few of its 64 bits, see {@link bitsApart}. Markup, scripts and
 * styles do not count. `undefined` for a page of fewer words than `least`, of which a fingerprint
 * says little.
 *
 * @param least - fewest words. Default 20
 *
 * @example
 * ```ts
 * similarityHash(page.bytes);
 * ```
 */
export function similarityHash(html: Uint8Array, least = 20): SimilarityHash | undefined {
  const votes = new Int32Array(64);
  let words = 0;
  let previous = 0;
  let word = START;
  const endWord = (): void => {
    if (word === START) return;
    vote(votes, Math.imul(previous, 31) ^ word);
    previous = word;
    word = START;
    words += 1;
  };
  let at = 0;
  while (at < html.length) {
    const byte = html[at] as number;
    if (byte === LESS) {
      endWord();
      const start = at;
      while (at < html.length && html[at] !== GREATER) at += 1;
      at += 1;
      const first = html[start + 1] as number;
      if (first === BANG) at = afterComment(html, start, at);
      else if ((first | CASE) === SMALL_S) at = afterRawText(html, start + 1, at);
    } else {
      if (byte > BLANK) word = Math.imul(word ^ byte, 0x01000193);
      else endWord();
      at += 1;
    }
  }
  endWord();
  return words < least ? undefined : { high: winners(votes, 32), low: winners(votes, 0) };
}

/** In how many of their bits two fingerprints differ. */
export function bitsApart(one: SimilarityHash, other: SimilarityHash): number {
  return ones(one.high ^ other.high) + ones(one.low ^ other.low);
}

function vote(votes: Int32Array, feature: number): void {
  const low = mix(feature);
  const high = mix(low ^ 0x5bd1e995);
  for (let bit = 0; bit < 32; bit += 1) {
    votes[bit] = (votes[bit] as number) + ((low >>> bit) & 1) * 2 - 1;
    votes[bit + 32] = (votes[bit + 32] as number) + ((high >>> bit) & 1) * 2 - 1;
  }
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function winners(votes: Int32Array, from: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit += 1) {
    if ((votes[from + bit] as number) > 0) bits |= 1 << bit;
  }
  return bits >>> 0;
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
