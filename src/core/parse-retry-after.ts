import { parseHttpDate } from './parse-http-date.js';

/**
 * Reads a `Retry-After` header field (RFC 9110 §10.2.3): whole seconds, or a date in one of the
 * three HTTP forms.
 *
 * @param value - the field's value
 * @param now - the time to count a date from
 * @returns how long to wait, ms: 0 for a date that is past, `undefined` for what is neither, as if
 *   the field were absent. Not limited: a server may ask for years.
 *
 * @example
 * ```ts
 * parseRetryAfter('120', Date.now()); // 120000
 * parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', Date.now()); // 0
 * parseRetryAfter('soon', Date.now()); // undefined
 * ```
 */
export function parseRetryAfter(
  value: string | null | undefined,
  now: Date | number,
): number | undefined {
  if (value == null) return undefined;
  if (/^[\t ]*\d+[\t ]*$/.test(value)) {
    return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  }
  const from = Number(now);
  const date = parseHttpDate(value, from);
  return date === undefined ? undefined : Math.max(0, date - from);
}
