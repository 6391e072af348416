// Own code: tells in one pass over the bytes, without decoding or a tree, whether two pages say
// the same. It takes 35 µs for a page of 27 KB, where finding its links takes over 1,000; the
// native search for each `<` and `>` took four times as long, since tags are short.

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const DASH = 0x2d;
const BLANK = 0x20;
const BANG = 0x21;
const SMALL_S = 0x73;
/** The bit that tells small letters from capital ones. */
const CASE = 0x20;
const SCRIPT = [0x73, 0x63, 0x72, 0x69, 0x70, 0x74];
const STYLE = [0x73, 0x74, 0x79, 0x6c, 0x65];

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

/** Where the script or style ends that is named at a place; the end of its tag if it is none. */
function afterRawText(html: Uint8Array, name: number, tagEnd: number): number {
  if (isNamed(html, name, SCRIPT)) return afterElement(html, tagEnd, SCRIPT);
  if (isNamed(html, name, STYLE)) return afterElement(html, tagEnd, STYLE);
  return tagEnd;
}

function after(html: Uint8Array, from: number, wanted: number): number {
  let at = from;
  while (at < html.length && html[at] !== wanted) at += 1;
  return at + 1;
}

/** Where the comment ends that begins at a `<!`; the end of the tag if it is none. */
function afterComment(html: Uint8Array, start: number, tagEnd: number): number {
  if (html[start + 2] !== DASH || html[start + 3] !== DASH) return tagEnd;
  for (let at = tagEnd; at <= html.length; at = after(html, at, GREATER)) {
    if (html[at - 2] === DASH && html[at - 3] === DASH) return at;
  }
  return html.length;
}

function afterElement(html: Uint8Array, from: number, name: readonly number[]): number {
  for (let at = after(html, from, LESS); at <= html.length; at = after(html, at, LESS)) {
    if (html[at] === SLASH && isNamed(html, at + 1, name)) return after(html, at, GREATER);
  }
  return html.length;
}

/** Whether a name stands at a place, in any case, and ends there. */
function isNamed(html: Uint8Array, at: number, name: readonly number[]): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (((html[at + index] ?? 0) | CASE) !== name[index]) return false;
  }
  const next = html[at + name.length] ?? BLANK;
  return next <= BLANK || next === GREATER || next === SLASH;
}
