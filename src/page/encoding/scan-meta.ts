import { encodingFromLabel } from './encoding-label.js';

/**
 * Finds the encoding that an HTML document declares about itself, on bytes.
 *
 * Own code, not `encoding-sniffer`: that one looks at the first 1,024 bytes only (52 of the
 * 59 cases of html5lib), and a state machine over single bytes costs more than jumping from
 * `<` to `<` by `indexOf`.
 */

/** How far the standard's prescan looks. */
const PRESCAN_BYTES = 1024;

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const DASH = 0x2d;
const BANG = 0x21;
const QUESTION = 0x3f;

/** Elements that may stand in a head; the first other start tag ends it. */
const HEAD_ELEMENTS: ReadonlySet<string> = new Set(
  'html head title base link meta style script noscript template bgsound basefont'.split(' '),
);

/** Elements whose content is text: what looks like a tag in there is none. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'title']);

/** What a search for a declaration gives: the encoding, and the first label that is none. */
export interface Declared {
  readonly encoding: string | undefined;
  readonly unknownLabel?: string;
}

/** Remembers the first label that is none. */
interface Unknown {
  unknownLabel?: string;
}

/**
 * The encoding that a document declares in a `meta` element or an XML declaration.
 *
 * Looks at the first 1,024 bytes by the prescan of the HTML standard (§13.2.3.2), then for an
 * XML declaration, then on to the end of the head, as browsers do when they meet a late
 * `meta`. The cost is linear in the length of the head.
 *
 * `UTF-16` in a declaration that could be read as ASCII means UTF-8, and `x-user-defined`
 * means windows-1252.
 */
export function scanMeta(bytes: Uint8Array): Declared {
  const unknown: Unknown = {};
  const found =
    scan(bytes, Math.min(PRESCAN_BYTES, bytes.length), false, unknown) ??
    xmlDeclaration(bytes, unknown) ??
    (bytes.length > PRESCAN_BYTES ? scan(bytes, bytes.length, true, unknown) : undefined);
  return { encoding: found, ...unknown };
}

/** The encoding of an XML declaration at the start of the bytes. */
export function scanXmlDeclaration(bytes: Uint8Array): Declared {
  const unknown: Unknown = {};
  const encoding = xmlDeclaration(bytes, unknown);
  return { encoding, ...unknown };
}

/** The encoding of a style sheet's `@charset "…";`: CSS Syntax §3.2, which allows no other form. */
export function scanCharsetRule(bytes: Uint8Array): Declared {
  if (!startsWith(bytes, '@charset "')) return { encoding: undefined };
  const close = bytes.subarray(0, PRESCAN_BYTES).indexOf(0x22, 10);
  if (close === -1 || bytes[close + 1] !== 0x3b) return { encoding: undefined };
  const unknown: Unknown = {};
  const encoding = readable(latin1(bytes, 10, close), unknown);
  return { encoding, ...unknown };
}

/**
 * @param end - where to stop; a tag that is cut there declares nothing
 * @param head - whether to keep to the head, and to leave out the content of scripts and such
 */
function scan(bytes: Uint8Array, end: number, head: boolean, unknown: Unknown): string | undefined {
  const reader = new AttributeReader(bytes, end);
  let position = 0;
  for (;;) {
    position = bytes.indexOf(LESS, position);
    if (position === -1 || position + 1 >= end) return undefined;
    const next = bytes[position + 1] ?? 0;

    if (next === BANG && bytes[position + 2] === DASH && bytes[position + 3] === DASH) {
      position = endOfComment(bytes, position + 2, end);
      continue;
    }
    const closing = next === SLASH;
    const nameStart = closing ? position + 2 : position + 1;
    if (nameStart < end && isLetter(bytes[nameStart] ?? 0)) {
      const nameEnd = skipName(bytes, nameStart, end);
      const name = nameEnd - nameStart > 10 ? '' : lowerCase(bytes, nameStart, nameEnd);
      if (head && (closing ? name === 'head' : !HEAD_ELEMENTS.has(name))) return undefined;
      reader.position = nameEnd;
      if (name === 'meta' && !closing) {
        const encoding = readMeta(reader, unknown);
        if (encoding !== undefined) return encoding;
      } else {
        while (reader.next());
      }
      position = reader.position;
      if (position >= end) return undefined;
      if (head && !closing && TEXT_ELEMENTS.has(name)) {
        position = endOfText(bytes, position, name);
      }
    } else if (closing || next === BANG || next === QUESTION) {
      position = bytes.indexOf(GREATER, position + 1);
      if (position === -1) return undefined;
    } else {
      position++;
    }
  }
}

/** The encoding of the `meta` whose attributes come next, if it declares one. */
function readMeta(reader: AttributeReader, unknown: Unknown): string | undefined {
  const seen = new Set<string>();
  let pragma = false;
  let needPragma: boolean | undefined;
  let label: string | undefined;
  while (reader.next()) {
    const { name } = reader;
    if (name !== 'http-equiv' && name !== 'content' && name !== 'charset') continue;
    if (seen.has(name)) continue;
    seen.add(name);
    if (name === 'http-equiv') {
      pragma = reader.value().toLowerCase() === 'content-type';
    } else if (name === 'charset') {
      label = reader.value();
      needPragma = false;
    } else if (label === undefined) {
      const charset = charsetOfContent(reader.value());
      if (charset !== undefined && encodingFromLabel(charset) !== undefined) {
        label = charset;
        needPragma = true;
      } else if (charset !== undefined) {
        unknown.unknownLabel ??= charset;
      }
    }
  }
  // A tag that is cut at the end declares nothing.
  if (reader.cut || needPragma === undefined || (needPragma && !pragma)) return undefined;
  return readable(label ?? '', unknown);
}

/** The encoding of a label in a declaration that was read as ASCII. */
function readable(label: string, unknown: Unknown): string | undefined {
  const encoding = encodingFromLabel(label);
  if (encoding === undefined) unknown.unknownLabel ??= label;
  if (encoding === 'UTF-16LE' || encoding === 'UTF-16BE') return 'UTF-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/**
 * The charset in the `content` of a `meta`: HTML standard §2.4.2, "extracting a character
 * encoding from a meta element".
 */
export function charsetOfContent(content: string): string | undefined {
  const lower = content.toLowerCase();
  let position = 0;
  for (;;) {
    position = lower.indexOf('charset', position);
    if (position === -1) return undefined;
    position += 7;
    position = skipBlanks(content, position);
    if (content.charCodeAt(position) !== EQUALS) continue;
    position = skipBlanks(content, position + 1);
    const quote = content.charAt(position);
    if (quote === '"' || quote === "'") {
      const close = content.indexOf(quote, position + 1);
      return close === -1 ? undefined : content.slice(position + 1, close);
    }
    let end = position;
    while (end < content.length && content.charAt(end) !== ';' && !isSpace(content.charCodeAt(end)))
      end++;
    return end === position ? undefined : content.slice(position, end);
  }
}

/** HTML standard §13.2.3.3, "get an XML encoding". */
function xmlDeclaration(bytes: Uint8Array, unknown: Unknown): string | undefined {
  if (!startsWith(bytes, '<?xml')) return undefined;
  const end = bytes.subarray(0, PRESCAN_BYTES).indexOf(GREATER);
  if (end === -1) return undefined;
  const text = latin1(bytes, 0, end);
  let position = text.indexOf('encoding', 5);
  if (position === -1) return undefined;
  position += 8;
  while (position < end && text.charCodeAt(position) <= 0x20) position++;
  if (text.charAt(position) !== '=') return undefined;
  position++;
  while (position < end && text.charCodeAt(position) <= 0x20) position++;
  const quote = text.charAt(position);
  if (quote !== '"' && quote !== "'") return undefined;
  const close = text.indexOf(quote, position + 1);
  if (close === -1) return undefined;
  const label = text.slice(position + 1, close);
  // A label may have blanks around it elsewhere, but not here.
  return label.trim() === label ? readable(label, unknown) : undefined;
}

/** "Get an attribute" of the prescan; values are turned into strings only when asked for. */
class AttributeReader {
  position = 0;
  name = '';
  /** The end was reached inside the tag. */
  cut = false;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private valueStart = 0;
  private valueEnd = 0;

  constructor(bytes: Uint8Array, end: number) {
    this.bytes = bytes;
    this.end = end;
  }

  /**
   * Moves to the next attribute; false at the end of the tag, and `position` is then there.
   * `name` is set for names that are as long as one that matters.
   */
  next(): boolean {
    const { bytes, end } = this;
    let at = this.position;
    while (at < end && (isSpace(bytes[at] ?? 0) || bytes[at] === SLASH)) at++;
    this.position = at;
    if (at >= end) return this.stop();
    if (bytes[at] === GREATER) return false;

    const nameStart = at;
    at++;
    while (at < end && !endsName(bytes[at] ?? 0)) at++;
    const nameEnd = at;
    const length = nameEnd - nameStart;
    this.name = length === 7 || length === 10 ? lowerCase(bytes, nameStart, nameEnd) : '';
    while (at < end && isSpace(bytes[at] ?? 0)) at++;
    this.valueStart = this.valueEnd = 0;
    if (at < end && bytes[at] === EQUALS) {
      at++;
      while (at < end && isSpace(bytes[at] ?? 0)) at++;
      const quote = bytes[at];
      if (quote === 0x22 || quote === 0x27) {
        const close = bytes.indexOf(quote, at + 1);
        if (close === -1 || close >= end) return this.stop();
        this.valueStart = at + 1;
        this.valueEnd = close;
        at = close + 1;
      } else {
        this.valueStart = at;
        while (at < end && bytes[at] !== GREATER && !isSpace(bytes[at] ?? 0)) at++;
        this.valueEnd = at;
      }
    }
    if (at >= end) return this.stop();
    this.position = at;
    return true;
  }

  value(): string {
    return latin1(this.bytes, this.valueStart, this.valueEnd);
  }

  private stop(): false {
    this.position = this.end;
    this.cut = true;
    return false;
  }
}

/** Position of the `>` that ends a comment; its dashes may be those of `<!--` itself. */
function endOfComment(bytes: Uint8Array, dashes: number, end: number): number {
  let at = dashes + 2;
  for (;;) {
    at = bytes.indexOf(GREATER, at);
    if (at === -1 || at >= end) return end;
    if (bytes[at - 1] === DASH && bytes[at - 2] === DASH) return at;
    at++;
  }
}

/** Position of the end tag of a script, style or title, or the end. */
function endOfText(bytes: Uint8Array, position: number, name: string): number {
  for (;;) {
    position = bytes.indexOf(LESS, position);
    if (position === -1) return bytes.length;
    const nameEnd = position + 2 + name.length;
    if (
      bytes[position + 1] === SLASH &&
      lowerCase(bytes, position + 2, nameEnd) === name &&
      (nameEnd >= bytes.length || endsName(bytes[nameEnd] ?? 0))
    ) {
      return position;
    }
    position++;
  }
}

function skipName(bytes: Uint8Array, position: number, end: number): number {
  while (position < end) {
    const byte = bytes[position] ?? 0;
    if (isSpace(byte) || byte === GREATER || byte === SLASH) break;
    position++;
  }
  return position;
}

function endsName(byte: number): boolean {
  return byte === EQUALS || byte === GREATER || byte === SLASH || isSpace(byte);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function skipBlanks(text: string, position: number): number {
  while (isSpace(text.charCodeAt(position))) position++;
  return position;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function lowerCase(bytes: Uint8Array, start: number, end: number): string {
  return latin1(bytes, start, end).toLowerCase();
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'latin1',
    start,
    end,
  );
}
