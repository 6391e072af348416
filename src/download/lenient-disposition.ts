/*
 * Own code for what no library reads: `content-disposition` keeps to RFC 6266, while browsers find a
 * name in what servers really send.
 */
import { decodeAs, encodingFromLabel } from '../page/encoding/index.js';
import type { ContentDisposition } from './parse-content-disposition.js';

/** Parameters that are names, and may be encoded in ways that are meant for mails. */
const NAMES: readonly string[] = ['filename', 'name'];
/** A part of a value that was too long for one line of a mail (RFC 2231 §3). */
const PART = /^([^*]+)\*(0|[1-9]\d{0,2})(\*?)$/;
/** RFC 2047 §2, and RFC 2231 §5 for the language. */
const ENCODED_WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;
const BETWEEN_WORDS = /\?=[ \t\r\n]+(?==\?)/g;
const Q_OCTET = /=([0-9a-f]{2})/gi;
const BROKEN_OCTET = /%(?![0-9a-f]{2})/i;
const PERCENT = 0x25;

/**
 * Reads a `Content-Disposition` field as browsers do, whatever is wrong with it.
 *
 * @param extended - whether `name*` and the parts `name*0`, `name*1` … become `name`
 */
export function parseLeniently(value: string, extended: boolean): ContentDisposition {
  const { type, rest } = splitType(value);
  const parameters = Object.create(null) as Record<string, string>;
  for (const [name, text] of parametersOf(rest)) parameters[name] ??= text;
  const sent = Object.entries(parameters);
  for (const name of NAMES) {
    const text = parameters[name];
    if (text !== undefined) parameters[name] = readName(text);
  }
  if (!extended) return { type, parameters };
  for (const [name, text] of joined(sent)) parameters[name] = text;
  for (const [name, text] of sent) {
    if (!name.endsWith('*') || PART.test(name)) continue;
    const decoded = decodeExtended(text);
    if (decoded !== undefined) parameters[name.slice(0, -1)] = decoded;
  }
  return { type, parameters };
}

/** The type, and the parameters behind it; without a type it is an attachment. */
function splitType(value: string): { readonly type: string; readonly rest: string } {
  const text = value.replace(/^[\s,:;]+/, '');
  const [token = ''] = /^[^\s,:;="]*/.exec(text) ?? [];
  const behind = text.slice(token.length);
  if (token === '' || /^\s*=/.test(behind)) return { type: 'attachment', rest: text };
  return { type: token.toLowerCase(), rest: behind.replace(/^[\s,:]+/, '') };
}

/** Names in lower case, and their values without quotes; what is not both is left out. */
function* parametersOf(text: string): Generator<readonly [string, string]> {
  let quotesEnd = text.length;
  for (let start = 0; start < text.length;) {
    let end = endOfParameter(text, start, quotesEnd);
    if (end === undefined) {
      // A quote that is never closed opens nothing, and neither does one behind it.
      quotesEnd = start;
      end = endOfParameter(text, start, quotesEnd) ?? text.length;
    }
    const parameter = text.slice(start, end);
    const equals = parameter.indexOf('=');
    const name = parameter.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== '') yield [name, unquote(parameter.slice(equals + 1).trim())];
    start = end + 1;
  }
}

/** The next semicolon that is not between quotes, or the end; nothing if a quote is not closed. */
function endOfParameter(text: string, start: number, quotesEnd: number): number | undefined {
  let isQuoted = false;
  for (let i = start; i < text.length; i++) {
    const character = text[i];
    if (character === '"') isQuoted = !isQuoted && i < quotesEnd;
    else if (character === '\\' && isQuoted) i += 1;
    else if (character === ';' && !isQuoted) return i;
  }
  return isQuoted ? undefined : text.length;
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  let closing = -1;
  let last = -1;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') {
      last = i;
      if (closing === -1) closing = i;
    }
  }
  // Quotes inside of quotes belong to the value, and what follows them does not.
  const end = last === text.length - 1 ? last : closing;
  return text.slice(1, end === -1 ? undefined : end).replace(/\\([^])/g, '$1');
}

/** Undoes whatever encoding a server has thought of for a plain name. */
function readName(text: string): string {
  const plain = utf8Of(text) ?? text;
  if (plain.includes('=?')) return decodeWords(plain);
  return plain.includes('%') ? (decodeOctets(plain, 'utf-8') ?? plain) : plain;
}

/** Fields are read as Latin-1; what is UTF-8 in truth shows in its bytes. */
function utf8Of(text: string): string | undefined {
  return /^[\0-\xff]*$/.test(text) ? decode(Buffer.from(text, 'latin1'), 'utf-8') : undefined;
}

function decodeWords(text: string): string {
  return text
    .replace(BETWEEN_WORDS, '?=')
    .replace(ENCODED_WORD, (word, charset: string, kind: string, coded: string) => {
      const isBase64 = kind.toLowerCase() === 'b';
      const bytes = isBase64 ? Buffer.from(coded, 'base64') : octetsOf(percentCoded(coded));
      return decode(bytes, charset) ?? word;
    });
}

/** The coding of RFC 2047 §4.2 as that of URLs. */
function percentCoded(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('_', ' ').replace(Q_OCTET, '%$1');
}

interface Part {
  readonly text: string;
  readonly isEncoded: boolean;
}

/** Values that came in parts, from part 0 on as far as there are any. */
function joined(sent: readonly (readonly [string, string])[]): readonly [string, string][] {
  const values = new Map<string, Map<number, Part>>();
  for (const [key, text] of sent) {
    const [, name, place, star] = PART.exec(key) ?? [];
    if (name === undefined) continue;
    const parts = values.get(name) ?? new Map<number, Part>();
    values.set(name, parts);
    // That of `name*0*` and `name*0` which came first.
    if (!parts.has(Number(place))) parts.set(Number(place), { text, isEncoded: star === '*' });
  }
  return Array.from(values, ([name, parts]) => [name, join(parts)] as const).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
}

function join(parts: ReadonlyMap<number, Part>): string | undefined {
  const first = parts.get(0);
  if (first === undefined) return undefined;
  const head = first.isEncoded ? splitExtended(first.text) : { charset: 'utf-8', text: first.text };
  if (head === undefined) return undefined;
  let coded = '';
  let part: Part | undefined = { ...first, text: head.text };
  for (let place = 1; part !== undefined; place++) {
    // What is not encoded has percent signs of its own.
    coded += part.isEncoded ? part.text : part.text.replaceAll('%', '%25');
    part = parts.get(place);
  }
  return decodeOctets(coded, head.charset);
}

function decodeExtended(value: string): string | undefined {
  const extended = splitExtended(value);
  return extended && decodeOctets(extended.text, extended.charset);
}

/** RFC 8187 §3.2: `charset'language'octets`. */
function splitExtended(
  value: string,
): { readonly charset: string; readonly text: string } | undefined {
  const first = value.indexOf("'");
  const second = first === -1 ? -1 : value.indexOf("'", first + 1);
  if (second === -1) return undefined;
  return { charset: value.slice(0, first), text: value.slice(second + 1) };
}

function decodeOctets(text: string, charset: string): string | undefined {
  return BROKEN_OCTET.test(text) ? undefined : decode(octetsOf(text), charset);
}

/** Bytes that are written as `%xx`, and all else in UTF-8. */
function octetsOf(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  let size = 0;
  for (let i = 0; i < bytes.length; i++, size++) {
    if (bytes[i] === PERCENT) {
      bytes[size] = Number.parseInt(bytes.toString('latin1', i + 1, i + 3), 16);
      i += 2;
    } else bytes[size] = bytes[i] as number;
  }
  return bytes.subarray(0, size);
}

/** The text of bytes; nothing if they are none in that encoding. */
function decode(bytes: Uint8Array, charset: string): string | undefined {
  const encoding = encodingFromLabel(charset);
  if (encoding === undefined) return undefined;
  const text = decodeAs(bytes, encoding);
  return text.includes('\ufffd') ? undefined : text;
}
