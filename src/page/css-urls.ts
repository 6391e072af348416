import { isBlank } from './html-syntax.js';

/** A URL in a style sheet, not resolved. */
export interface CssUrl {
  readonly url: string;
  readonly kind: 'css[url]' | 'css[import]';
}

/** A string or an unquoted URL; no `text` if it is a bad one, or if the end of the text cuts it. */
interface Value {
  readonly text: string | undefined;
  /** Index behind it. */
  readonly end: number;
}

/**
 * The URLs of a style sheet or of a `style` attribute: `url()` and `@import`, outside of
 * comments and strings (CSS Syntax Level 3 §4.3). Names of name spaces are none, nor are an empty
 * `url()` and a mere fragment, for which browsers ask nobody. Linear time: the text is read once.
 *
 * @param css - the text
 * @param isCut - whether there was more of it: a URL that the end cuts is then none. Default false
 */
export function cssUrls(css: string, isCut = false): CssUrl[] {
  const urls: CssUrl[] = [];
  /** The at-rule whose value comes, if it is one that has a URL. */
  let rule = '';
  const add = (text: string | undefined, kind: CssUrl['kind']) => {
    const url = text?.trim() ?? '';
    if (url !== '' && !url.startsWith('#')) urls.push({ url, kind });
  };
  let at = 0;
  while (at < css.length) {
    const char = css.charAt(at);
    if (char === '/' && css.charAt(at + 1) === '*') {
      const end = css.indexOf('*/', at + 2);
      if (end === -1) return urls;
      at = end + 2;
    } else if (char === '"' || char === "'") {
      const { text, end } = readString(css, at, isCut);
      if (rule === 'import') add(text, 'css[import]');
      rule = '';
      at = end;
    } else if (char === '@') {
      rule = ['import', 'namespace'].find((name) => isWord(css, at + 1, name)) ?? '';
      at += 1 + rule.length;
      if (isNameAt(css, at)) rule = '';
    } else if (
      (char === 'u' || char === 'U') &&
      isWord(css, at, 'url(') &&
      !isNameAt(css, at - 1)
    ) {
      const { text, end } = readUrl(css, at + 4, isCut);
      if (rule !== 'namespace') add(text, rule === 'import' ? 'css[import]' : 'css[url]');
      rule = '';
      at = end;
    } else {
      if (char === ';' || char === '{' || char === '}') rule = '';
      // Letters of a name, so that `@import` is none in `\@import`.
      at += char === '\\' ? 2 : 1;
    }
  }
  return urls;
}

function isWord(css: string, at: number, word: string): boolean {
  return css.slice(at, at + word.length).toLowerCase() === word;
}

/** Whether there is a character that may be part of a name. */
function isNameAt(css: string, at: number): boolean {
  return at >= 0 && at < css.length && (css.charCodeAt(at) >= 128 || /[\w-]/.test(css.charAt(at)));
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 12 || code === 13;
}

/** §4.3.5: the string whose quote is at an index. A line end in it makes it a bad one. */
function readString(css: string, start: number, isCut: boolean): Value {
  const quote = css.charCodeAt(start);
  let at = start + 1;
  while (at < css.length) {
    const code = css.charCodeAt(at);
    if (code === quote) return { text: unescape(css.slice(start + 1, at)), end: at + 1 };
    if (isLineEnd(code)) return { text: undefined, end: at };
    at = code === BACKSLASH ? afterEscape(css, at) : at + 1;
  }
  return { text: isCut ? undefined : unescape(css.slice(start + 1)), end: css.length };
}

/** §4.3.6: what is behind `url(`. */
function readUrl(css: string, from: number, isCut: boolean): Value {
  let at = skipBlanks(css, from);
  const start = at;
  const first = css.charAt(at);
  if (first === '"' || first === "'") return readString(css, at, isCut);
  while (at < css.length) {
    const code = css.charCodeAt(at);
    if (code === CLOSE) return { text: unescape(css.slice(start, at)), end: at + 1 };
    if (isBlank(code)) {
      const end = at;
      at = skipBlanks(css, at);
      if (at === css.length) break;
      if (css.charCodeAt(at) !== CLOSE) return { text: undefined, end: afterBadUrl(css, at) };
      return { text: unescape(css.slice(start, end)), end: at + 1 };
    }
    const isBad =
      code === 0x22 ||
      code === 0x27 ||
      code === 0x28 ||
      code < 0x20 ||
      code === 0x7f ||
      (code === BACKSLASH && isLineEnd(css.charCodeAt(at + 1)));
    if (isBad) return { text: undefined, end: afterBadUrl(css, at) };
    at = code === BACKSLASH ? afterEscape(css, at) : at + 1;
  }
  return { text: isCut ? undefined : unescape(css.slice(start)), end: css.length };
}

const CLOSE = 0x29;
const BACKSLASH = 0x5c;

function skipBlanks(css: string, from: number): number {
  let at = from;
  while (isBlank(css.charCodeAt(at))) at += 1;
  return at;
}

/** §4.3.7: a line end, up to six hexadecimal digits with a blank behind them, or any character. */
function afterEscape(css: string, backslash: number): number {
  let at = backslash + 1;
  const last = at + 6;
  while (at < last && /[0-9a-f]/i.test(css.charAt(at))) at += 1;
  if (at > backslash + 1 && !isBlank(css.charCodeAt(at))) return at;
  return css.startsWith('\r\n', at) ? at + 2 : at + 1;
}

/** §4.3.14: a bad URL reaches up to the next `)`. */
function afterBadUrl(css: string, from: number): number {
  let at = from;
  while (at < css.length && css.charCodeAt(at) !== CLOSE) {
    at += css.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

/** Undoes CSS escapes: `\26 ` is `&`, `\(` is `(`. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\n\f\r])?|\r\n|[\n\f\r]|([^])|$)/gi,
    (_, hex?: string, char = '') => {
      if (hex === undefined) return String(char);
      const code = Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)
        ? '\ufffd'
        : String.fromCodePoint(code);
    },
  );
}
