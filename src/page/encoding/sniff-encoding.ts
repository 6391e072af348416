import { show } from '../../core/expect.js';
import { isAscii, isUtf8 } from 'node:buffer';
import { isCssType, isHtmlType, isJsonType, isScriptType, isXmlType } from '../mime/type-groups.js';
import { parseMediaType, type MediaType } from '../mime/parse-media-type.js';
import { encodingFromLabel } from './encoding-label.js';
import type { Declared } from './declared.js';
import { scanCharsetRule, scanXmlDeclaration } from './scan-declaration.js';
import { scanMeta } from './scan-meta.js';

/** What {@link sniffEncoding} takes besides the bytes and their type. */
export interface SniffEncodingOptions {
  /**
   * The encoding of HTML and plain text that declare none: a label, or `auto` for UTF-8 if the
   * bytes are valid UTF-8 and windows-1252 if not. Default `windows-1252`, as browsers have it
   * for most languages. XML, JSON, CSS and JavaScript are UTF-8 whatever is set here.
   */
  readonly default?: string | undefined;
}

/** Which encoding a text is in, and how that is known. */
export interface SniffedEncoding {
  /** Name of the WHATWG Encoding Standard: `UTF-8`, `windows-1252`, `Shift_JIS`, … */
  readonly encoding: string;
  /**
   * Where the encoding was found: a byte order mark, the Content-Type field, the document
   * itself (`meta`, XML declaration, `@charset`), or nowhere.
   */
  readonly source: 'bom' | 'header' | 'meta' | 'default';
  /** A label that was declared but names no encoding; it counts as none. */
  readonly unknownLabel?: string;
}

const NOTHING: Declared = { encoding: undefined };

/**
 * Tells which encoding a text is in, without decoding it, in the order of browsers: byte order
 * mark, Content-Type, the document itself, default (HTML standard §13.2.3.2).
 *
 * - A label that nobody knows counts as no label. UTF-7 is such a one: it is never used.
 * - HTML is searched for a `meta` in the first 1,024 bytes as the standard's prescan does, and
 *   then to the end of the head, as browsers do, or of 1 MiB.
 * - Plain text is not searched, XML by its declaration, CSS by its `@charset`.
 *
 * @param bytes - the decoded body
 * @param contentType - value of the Content-Type field; without it the bytes are taken for HTML,
 *   or for XML if they start with an XML declaration
 * @throws RangeError if `options.default` is neither a label nor `auto`
 *
 * @example
 * ```ts
 * sniffEncoding(Buffer.from('<meta charset=koi8-r>'), 'text/html'); // KOI8-R by meta
 * sniffEncoding(Buffer.from('x'), 'text/html; charset=latin1'); // windows-1252 by header
 * ```
 */
export function sniffEncoding(
  bytes: Uint8Array,
  contentType?: string | MediaType,
  options: SniffEncodingOptions = {},
): SniffedEncoding {
  const fallback = defaultEncoding(options.default);
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { encoding: mark, source: 'bom' };

  const type = typeof contentType === 'string' ? parseMediaType(contentType) : contentType;
  const label = type?.parameters.get('charset');
  const named = label === undefined ? undefined : encodingFromLabel(label);
  if (named !== undefined) return { encoding: named, source: 'header' };

  const declared = declaration(bytes, type);
  const unknown = label ?? declared.unknownLabel;
  const rest = unknown === undefined ? {} : { unknownLabel: unknown };
  if (declared.encoding !== undefined) {
    return { encoding: declared.encoding, source: 'meta', ...rest };
  }
  return { encoding: ownDefault(bytes, type) ?? fallback(bytes), source: 'default', ...rest };
}

/** The encoding that a byte order mark tells: WHATWG Encoding §6, "BOM sniff". */
export function byteOrderMark(bytes: Uint8Array): 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'UTF-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'UTF-16BE' : undefined;
}

/** What the document says about itself, in the manner of its type. */
function declaration(bytes: Uint8Array, type: MediaType | undefined): Declared {
  const wide = wideDeclaration(bytes);
  if (wide !== undefined) return { encoding: wide };
  if (type === undefined || isHtmlType(type)) return scanMeta(bytes);
  if (isXmlType(type)) return scanXmlDeclaration(bytes);
  if (isCssType(type)) return scanCharsetRule(bytes);
  const plain = type.type === 'text' || isJsonType(type) || isScriptType(type);
  return plain ? NOTHING : scanMeta(bytes);
}

/** An XML declaration in UTF-16 without a byte order mark. */
function wideDeclaration(bytes: Uint8Array): string | undefined {
  const [a, b, c, d, e, f] = bytes;
  if (a === 0x3c && b === 0 && c === 0x3f && d === 0 && e === 0x78 && f === 0) return 'UTF-16LE';
  return a === 0 && b === 0x3c && c === 0 && d === 0x3f && e === 0 && f === 0x78
    ? 'UTF-16BE'
    : undefined;
}

/** UTF-8 where the format says so. */
function ownDefault(bytes: Uint8Array, type: MediaType | undefined): string | undefined {
  if (type === undefined) {
    const xml = bytes[0] === 0x3c && bytes[1] === 0x3f && bytes[2] === 0x78 && bytes[3] === 0x6d;
    return xml ? 'UTF-8' : undefined;
  }
  return isXmlType(type) || isJsonType(type) || isCssType(type) || isScriptType(type)
    ? 'UTF-8'
    : undefined;
}

function defaultEncoding(label = 'windows-1252'): (bytes: Uint8Array) => string {
  if (label === 'auto') return (bytes) => (isWholeUtf8(bytes) ? 'UTF-8' : 'windows-1252');
  const encoding = encodingFromLabel(label);
  if (encoding === undefined) {
    throw new RangeError(
      `default: expected the label of an encoding or "auto", got ${show(label)}`,
    );
  }
  return () => encoding;
}

/** Whether bytes are valid UTF-8; behind others, a character cut at the very end is let pass. */
function isWholeUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    const rest = bytes.subarray(0, bytes.length - back);
    return length > back && !isAscii(rest) && isUtf8(rest);
  }
  return false;
}
