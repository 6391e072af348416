import { isBlank } from './html-syntax.js';

/** What a `Refresh` header or a `<meta http-equiv=refresh>` asks for. */
export interface Refresh {
  /** Seconds to wait; a fraction is cut off, as browsers do. */
  readonly seconds: number;
  /** Where to go, not resolved; `undefined` means the page itself. */
  readonly url: string | undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const DOT = 46;
const SEMICOLON = 59;
const COMMA = 44;
const EQUALS = 61;
const LETTERS = ['u', 'r', 'l'];

/**
 * Reads the value of a refresh (HTML §4.2.5.3, "shared declarative refresh steps").
 *
 * @param value - of the header field or of the `content` attribute
 * @returns `undefined` if it is none
 *
 * @example
 * ```ts
 * parseRefresh('5; url=/next'); // { seconds: 5, url: '/next' }
 * ```
 */
export function parseRefresh(value: string): Refresh | undefined {
  const { length } = value;
  let at = 0;
  const skipBlanks = () => {
    while (at < length && isBlank(value.charCodeAt(at))) at += 1;
  };
  skipBlanks();
  const start = at;
  while (isDigit(value.charCodeAt(at))) at += 1;
  if (at === start && value.charCodeAt(at) !== DOT) return undefined;
  const seconds = at === start ? 0 : Number(value.slice(start, at));
  while (isDigit(value.charCodeAt(at)) || value.charCodeAt(at) === DOT) at += 1;
  if (at === length) return { seconds, url: undefined };
  const separator = value.charCodeAt(at);
  if (separator !== SEMICOLON && separator !== COMMA && !isBlank(separator)) return undefined;
  skipBlanks();
  if (value.charCodeAt(at) === SEMICOLON || value.charCodeAt(at) === COMMA) at += 1;
  skipBlanks();
  if (at === length) return { seconds, url: undefined };
  return { seconds, url: readUrl(value, at) };
}

/** The rest is a URL, perhaps behind `url=`, perhaps in quotes. */
function readUrl(value: string, from: number): string {
  let at = from;
  const whole = value.slice(from);
  for (const letter of LETTERS) {
    if (value.charAt(at).toLowerCase() !== letter) return unquoted(whole, at === from);
    at += 1;
  }
  while (isBlank(value.charCodeAt(at))) at += 1;
  if (value.charCodeAt(at) !== EQUALS) return whole;
  at += 1;
  while (isBlank(value.charCodeAt(at))) at += 1;
  return unquoted(value.slice(at), true);
}

function unquoted(text: string, mayBeQuoted: boolean): string {
  const quote = text.charAt(0);
  if (!mayBeQuoted || (quote !== '"' && quote !== "'")) return text;
  const end = text.indexOf(quote, 1);
  return end === -1 ? text.slice(1) : text.slice(1, end);
}
