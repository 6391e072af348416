/*
 * Finds the encoding that an HTML document declares about itself, on bytes.
 *
 * Own code, not `encoding-sniffer`: that one looks at the first 1,024 bytes only (52 of the
 * 59 cases of html5lib), and a state machine over single bytes costs more than jumping from
 * `<` to `<` by `indexOf`.
 */

import { isLetter, isSpace, isWord } from './ascii-bytes.js';
import { AttributeReader, endsName } from './attribute-reader.js';
import { charsetOfContent } from './charset-of-content.js';
import { readable, type Declared, type Unknown } from './declared.js';
import { encodingFromLabel } from './encoding-label.js';
import { xmlDeclaration } from './scan-declaration.js';

/** How far the standard's prescan looks. */
const PRESCAN_BYTES = 1024;
/** A head that is longer is not read to its end: of 10 MiB of tags that took 200 ms. */
const MAX_HEAD_BYTES = 1_048_576;

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const DASH = 0x2d;
const BANG = 0x21;
const QUESTION = 0x3f;

/** Elements that may stand in a head; the first other start tag ends it. */
const HEAD_ELEMENTS =
  'meta link script title style base head html noscript template bgsound basefont'.split(' ');

/** Elements whose content is text: what looks like a tag in there is none. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'title']);

/**
 * The encoding that a document declares in a `meta` element or an XML declaration.
 *
 * Looks at the first 1,024 bytes by the prescan of the HTML standard (§13.2.3.2), then for an
 * XML declaration, then on to the end of the head, as browsers do when they meet a late
 * `meta`, or to the end of 1 MiB.
 *
 * `UTF-16` in a declaration that could be read as ASCII means UTF-8, and `x-user-defined`
 * means windows-1252.
 */
export function scanMeta(bytes: Uint8Array): Declared {
  const unknown: Unknown = {};
  const found =
    scan(bytes, Math.min(PRESCAN_BYTES, bytes.length), false, unknown) ??
    xmlDeclaration(bytes, unknown) ??
    (bytes.length > PRESCAN_BYTES
      ? scan(bytes, Math.min(MAX_HEAD_BYTES, bytes.length), true, unknown)
      : undefined);
  return { encoding: found, ...unknown };
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
      const name = headElement(bytes, nameStart, nameEnd);
      if (head && (closing ? name === 'head' : name === undefined)) return undefined;
      reader.position = nameEnd;
      if (name === 'meta' && !closing) {
        const encoding = readMeta(reader, unknown);
        if (encoding !== undefined) return encoding;
      } else {
        while (reader.next());
      }
      position = reader.position;
      if (position >= end) return undefined;
      if (head && !closing && name !== undefined && TEXT_ELEMENTS.has(name)) {
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

/** The element of a head that a name is. A loop: `find` would make a function for each tag. */
function headElement(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (const word of HEAD_ELEMENTS) if (isWord(bytes, start, end, word)) return word;
  return undefined;
}

/** The encoding of the `meta` whose attributes come next, if it declares one. */
function readMeta(reader: AttributeReader, unknown: Unknown): string | undefined {
  let pragma: boolean | undefined;
  let needPragma: boolean | undefined;
  let label: string | undefined;
  let content = false;
  while (reader.next()) {
    const { name } = reader;
    // Of attributes with one name the first counts.
    if (name === 'http-equiv') {
      pragma ??= reader.value().toLowerCase() === 'content-type';
    } else if (name === 'charset' && needPragma !== false) {
      label = reader.value();
      needPragma = false;
    } else if (name === 'content' && !content) {
      content = true;
      if (label !== undefined) continue;
      const charset = charsetOfContent(reader.value());
      if (charset === undefined) continue;
      if (encodingFromLabel(charset) === undefined) {
        unknown.unknownLabel ??= charset;
      } else {
        label = charset;
        needPragma = true;
      }
    }
  }
  // A tag that is cut at the end declares nothing.
  if (reader.cut || needPragma === undefined || (needPragma && pragma !== true)) {
    return undefined;
  }
  return readable(label ?? '', unknown);
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
      isWord(bytes, position + 2, nameEnd, name) &&
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
