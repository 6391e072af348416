/**
 * Texts that do not keep alive the text that they were cut from.
 *
 * V8 makes `slice()` of 13 characters or more a view of the whole text, so that a title of
 * 40 bytes keeps its page of 1 MB in memory; and `a + b` a pair of views, until a character of
 * it is read: then it is written out, and becomes a text of its own. Reading one character is
 * the cheapest way (50 ns, where `(' ' + text).slice(1)` takes 70 ns and leaves two objects), as
 * long as the result depends on it; `Number(text)` or `indexOf()` are optimised away.
 */

/** Two texts joined. `head` must not be empty, nor begin with U+0000. */
export function joinFlat(head: string, tail: string): string {
  const text = head + tail;
  return text.charCodeAt(0) === 0 ? '' : text;
}

/** A copy of a text. A U+0000 in front becomes U+FFFD, as everywhere in HTML. */
export function flatString(text: string): string {
  // Shorter slices are copies.
  if (text.length < 13) return text;
  return joinFlat(text.startsWith('\0') ? '\ufffd' : text.charAt(0), text.slice(1));
}
