import { expectString } from '../core/expect.js';

// What a terminal could take for an order instead of text:
//   C0 controls, DEL and C1 controls (U+009B starts an escape sequence all by itself),
//   marks, embeddings, overrides and isolates that turn the direction of what follows, and older ones of that kind.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/g;
const LINE_SEPARATORS = /[\u2028\u2029]/g;

const SHORT = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

/**
 * Makes text of unknown origin safe to write to a terminal: every control character (C0, DEL,
 * C1) and every bidirectional control becomes a visible escape such as `\n` or `\u001b`.
 * Everything else, other scripts and emoji included, stays as it is.
 *
 * The escapes are those of JSON, so JSON text stays JSON and keeps its value.
 *
 * @throws TypeError for what is no text
 *
 * @example
 * ```ts
 * escapeTerminal('\u001b[2Jgone'); // '\\u001b[2Jgone'
 * ```
 */
export function escapeTerminal(text: string): string {
  expectString('escapeTerminal: text', text);
  return text.replace(UNSAFE, escape);
}

/**
 * Like {@link escapeTerminal}, and escapes the line and paragraph separators U+2028 and U+2029
 * too: whatever reads the log, one event is one line.
 *
 * @example
 * ```ts
 * escapeLogLine('first\nsecond'); // 'first\\nsecond'
 * ```
 */
export function escapeLogLine(text: string): string {
  return escapeTerminal(text).replace(LINE_SEPARATORS, escape);
}

function escape(character: string): string {
  return SHORT.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
