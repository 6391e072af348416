/** A mark that changes the delimiter before it, and characters that compose to ASCII signs. */
const CHANGES_SYNTAX = /[\u0338\u037e\u1fef\u212a]/g;

/** Characters beyond ASCII with the one before them, unless that is a digit of a triplet. */
const COMPOSABLE = /(?:(?<!%[0-9A-F]?)[\0-\x24\x26-\x7f])?[^\0-\x7f]+/g;

/**
 * Unicode NFC of the characters that stand percent-encoded as UTF-8 in a path or query. Bytes
 * that are no UTF-8 stay as they are, and so does what would change the delimiters.
 */
export function composeUnicode(text: string): string {
  if (!text.includes('%')) return text;
  const decoded = text.replace(/(?:%[89A-F][0-9A-F])+/g, decodeRun);
  if (decoded === text) return text;
  const composed = decoded.replace(COMPOSABLE, (run) => run.normalize('NFC'));
  return composed.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run).replace(CHANGES_SYNTAX, encodeURIComponent);
  } catch {
    return run;
  }
}
