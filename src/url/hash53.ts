import { hash64 } from '../core/index.js';

/** A 53-bit hash of a text as one number: a key of bounded tables. Not for security. */
export function hash53(text: string): number {
  const { high, low } = hash64(text);
  return (high & 0x1fffff) * 0x100000000 + low;
}
