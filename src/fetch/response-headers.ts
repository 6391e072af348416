import { isUtf8 } from 'node:buffer';
import type { ResponseHeaders } from '../core/index.js';

/**
 * Header fields of an answer in the form of {@link ResponseHeaders}.
 *
 * Values come as bytes. Those that are valid UTF-8 are read as UTF-8 (what servers mean by raw
 * letters in `location` and `content-disposition`), all others as Latin-1. `set-cookie` is always
 * Latin-1, so that a cookie goes back with the very bytes that it came with.
 *
 * @param parsed - undici's fields: names lower case, values Latin-1, repeated ones as lists
 */
export function responseHeaders(
  parsed: Readonly<Record<string, string | readonly string[] | undefined>>,
): ResponseHeaders {
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  for (const name of Object.keys(parsed)) {
    const value = parsed[name];
    if (value === undefined) continue;
    if (name === 'set-cookie') headers[name] = typeof value === 'string' ? [value] : value;
    else headers[name] = decode(typeof value === 'string' ? value : value.join(', '));
  }
  return headers;
}

/** Number of header lines. */
export function countLines(
  parsed: Readonly<Record<string, string | readonly string[] | undefined>>,
): number {
  let lines = 0;
  for (const name of Object.keys(parsed)) {
    const value = parsed[name];
    lines += typeof value === 'string' ? 1 : (value?.length ?? 0);
  }
  return lines;
}

/** Bytes of all names and values. */
export function countBytes(
  parsed: Readonly<Record<string, string | readonly string[] | undefined>>,
): number {
  let bytes = 0;
  for (const name of Object.keys(parsed)) {
    const value = parsed[name];
    const values = typeof value === 'string' ? [value] : (value ?? []);
    for (const each of values) bytes += name.length + each.length;
  }
  return bytes;
}

/** The one value of a field that must not be repeated; its first where it is a list. */
export function single(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;

function decode(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
