import { markupKind } from './markup-kind.js';
import { parseMediaType, type MediaType } from './parse-media-type.js';
import { byteSignature } from './byte-signature.js';
import { isCssType, isHtmlType, isJsonType, isScriptType, isXmlType } from './type-groups.js';

/** What a body is, for the question of who reads it. */
export type PageKind =
  | 'html'
  | 'xhtml'
  | 'xml'
  | 'rss'
  | 'atom'
  | 'sitemap'
  | 'json'
  | 'text'
  | 'css'
  | 'javascript'
  | 'image'
  | 'audio'
  | 'video'
  | 'font'
  | 'pdf'
  | 'archive'
  | 'binary';

/** How many bytes signatures, control bytes and tags are looked for in. */
const SNIFF_BYTES = 512;

/** How many bytes the root element is looked for in: a licence may stand before it. */
const ROOT_BYTES = 4096;

/** Types that only say that the server knows nothing: WHATWG MIME Sniffing §7, and lies. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/binary',
  'application/unknown',
  'unknown/unknown',
  'application/x-unknown-content-type',
]);

const ARCHIVE_SUBTYPE =
  /^(?:zip|gzip|x-(?:gzip|tar|bzip2?|xz|7z-compressed|rar-compressed)|zstd|java-archive|vnd\.rar)$/;

/**
 * Tells what a body is, by its Content-Type and its first bytes.
 *
 * - The bytes decide between binary and text: an archive is never `html`, whatever its label.
 *   Text that begins as audio, video or a font does (`ID3 is a tag`) is text under a text type.
 * - HTML without a type, or under a type that is none (`application/octet-stream`) or plainly
 *   wrong (`image/png`), is `html`.
 * - HTML under `text/plain` is `text`, as in browsers; so servers show source code.
 * - Feeds and sitemaps are told by their root element, under XML types, `text/html` and none.
 * - SVG is `xml`.
 *
 * Follows WHATWG MIME Sniffing §6 and §7 where that decides what a browser would do; more
 * element names than its table are known, since here no attack by relabelling is at stake.
 *
 * @param bytes - the decoded body, or its first 4,096 bytes at least
 * @param contentType - value of the Content-Type field
 *
 * @example
 * ```ts
 * sniffType(Buffer.from('PK\x03\x04'), 'text/html'); // 'archive'
 * sniffType(Buffer.from('<!doctype html>')); // 'html'
 * ```
 */
export function sniffType(bytes: Uint8Array, contentType?: string | MediaType): PageKind {
  const type = typeof contentType === 'string' ? parseMediaType(contentType) : contentType;
  if (bytes.length === 0) return (type && labelledKind(type)) ?? 'text';
  const wide = isWide(bytes, type);
  const controls = wide ? 0 : controlBytes(bytes);
  const signature = byteSignature(bytes);
  if (signature !== undefined && !(controls === 0 && type && areWords(signature, type))) {
    return signature;
  }

  const head = headText(bytes, wide ? ROOT_BYTES * 2 : ROOT_BYTES, wide);
  if (controls > 0) {
    // Text with a stray control byte is text if its label or its first tag says so.
    const text = type !== undefined && isTextual(type) && controls * 16 < examined(bytes);
    if (!text && !(type && isHtmlType(type) && markupKind(head) !== undefined)) {
      return binaryKind(type);
    }
  }
  return textKind(head, type);
}

/**
 * Whether what looks like media is text, as its label says: some signatures are words (`OTTO`,
 * `ID3`), or letters of another encoding, and media has a control byte soon.
 */
function areWords(signature: PageKind, type: MediaType): boolean {
  return (
    isTextual(type) && (signature === 'audio' || signature === 'video' || signature === 'font')
  );
}

/** The kind of a body that is known to be text. */
function textKind(head: string, type: MediaType | undefined): PageKind {
  if (type === undefined || UNKNOWN_TYPES.has(type.essence)) return markupKind(head) ?? 'text';
  if (isHtmlType(type)) {
    const kind = markupKind(head);
    return kind === 'rss' || kind === 'atom' || kind === 'sitemap' ? kind : 'html';
  }
  if (isXmlType(type)) {
    const kind = markupKind(head);
    if (type.essence === 'application/xhtml+xml')
      return kind === 'html' ? 'xhtml' : (kind ?? 'xhtml');
    if (kind === 'html') return 'xhtml';
    if (kind !== undefined && kind !== 'xml') return kind;
    return labelledKind(type) ?? 'xml';
  }
  const labelled = labelledKind(type);
  if (labelled !== undefined && isTextual(type)) return labelled;
  // A type of binary data for what is text: a lie, or something that nobody here knows.
  return markupKind(head) ?? 'text';
}

/** The kind that a type promises. */
function labelledKind(type: MediaType): PageKind | undefined {
  if (isHtmlType(type)) return 'html';
  switch (type.essence) {
    case 'application/xhtml+xml':
      return 'xhtml';
    case 'application/rss+xml':
      return 'rss';
    case 'application/atom+xml':
      return 'atom';
    case 'application/pdf':
      return 'pdf';
    default:
  }
  if (isXmlType(type)) return 'xml';
  if (isJsonType(type)) return 'json';
  if (isCssType(type)) return 'css';
  if (isScriptType(type)) return 'javascript';
  switch (type.type) {
    case 'text':
      return 'text';
    case 'image':
    case 'audio':
    case 'video':
    case 'font':
      return type.type;
    default:
      return ARCHIVE_SUBTYPE.test(type.subtype) ? 'archive' : undefined;
  }
}

function binaryKind(type: MediaType | undefined): PageKind {
  const kind = type && labelledKind(type);
  switch (kind) {
    case 'image':
    case 'audio':
    case 'video':
    case 'font':
    case 'pdf':
    case 'archive':
      return kind;
    default:
      return 'binary';
  }
}

function isTextual(type: MediaType): boolean {
  return type.type === 'text' || isXmlType(type) || isJsonType(type) || isScriptType(type);
}

function examined(bytes: Uint8Array): number {
  return Math.min(bytes.length, SNIFF_BYTES);
}

/** How many of the first bytes are "binary data bytes": WHATWG MIME Sniffing §3. */
function controlBytes(bytes: Uint8Array): number {
  let count = 0;
  const end = examined(bytes);
  for (let index = 0; index < end; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) {
      count++;
    }
  }
  return count;
}

/** Whether every other byte may be 0 because the text is UTF-16. */
function isWide(bytes: Uint8Array, type: MediaType | undefined): boolean {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return true;
  if ((a === 0x3c && b === 0) || (a === 0 && b === 0x3c)) return true;
  return type?.parameters.get('charset')?.toLowerCase().startsWith('utf-16') ?? false;
}

/** The first bytes as Latin-1 text without byte order mark: good enough to read tag names. */
function headText(bytes: Uint8Array, length: number, wide: boolean): string {
  const end = Math.min(bytes.length, length);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, end);
  const text = view.toString('latin1');
  if (wide) return text.replaceAll('\0', '').replace(/^(?:\xff\xfe|\xfe\xff)/, '');
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text;
}
