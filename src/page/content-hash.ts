// Own code: tells in one pass over the bytes, without decoding or a tree, whether two pages say
// the same. It takes 35 µs for a page of 27 KB, where finding its links takes over 1,000; the
// native search for each `<` and `>` took four times as long, since tags are short.

import { afterComment, afterRawText } from './skip-markup.js';

const LESS = 0x3c;
const GREATER = 0x3e;
const BLANK = 0x20;
const BANG = 0x21;
const SMALL_S = 0x73;
/** The bit that tells small letters from capital ones. */
const CASE = 0x20;

/**
 * A hash of what a page of HTML says: its text without markup, comments, scripts, styles and
 * blanks. Two pages that differ in nothing but their links have the same. A number of 53 bits,
 * not for security. Takes linear time, whatever the bytes.
 *
 * @example
 * ```ts
 * contentHash(page.bytes);
 * ```
 */
export function contentHash(html: Uint8Array): number {
  const { length } = html;
  let a = 0xdeadbeef | 0;
  let b = 0x41c6ce57 | 0;
  let at = 0;
  while (at < length) {
    const byte = html[at] as number;
    if (byte === LESS) {
      const start = at;
      // A loop in place: as a function it doubled the cost of the whole.
      while (at < length && html[at] !== GREATER) at += 1;
      at += 1;
      const first = html[start + 1] as number;
      if (first === BANG) at = afterComment(html, start, at);
      else if ((first | CASE) === SMALL_S) at = afterRawText(html, start + 1, at);
    } else {
      if (byte > BLANK) {
        a = Math.imul(a ^ byte, -1640531535);
        b = Math.imul(b ^ byte, 1597334677);
      }
      at += 1;
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return ((b >>> 0) & 0x1fffff) * 0x100000000 + (a >>> 0);
}
