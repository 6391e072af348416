/** What part of a file an answer holds. */
export interface ContentRange {
  /** Place of the first byte, from 0. */
  readonly first: number;
  /** Place of the last byte. */
  readonly last: number;
  /** Size of the whole file, bytes; `undefined` if the server does not know. */
  readonly total: number | undefined;
}

const RANGE = /^bytes +(\d{1,16})-(\d{1,16})\/(?:(\d{1,16})|\*)$/i;

/**
 * Reads a `Content-Range` field of a single part (RFC 9110 §14.4); `undefined` for anything else.
 *
 * @example
 * ```ts
 * parseContentRange('bytes 5-9/10'); // { first: 5, last: 9, total: 10 }
 * ```
 */
export function parseContentRange(value: unknown): ContentRange | undefined {
  if (typeof value !== 'string') return undefined;
  const match = RANGE.exec(value.trim());
  if (match === null) return undefined;
  const range = {
    first: Number(match[1]),
    last: Number(match[2]),
    total: match[3] === undefined ? undefined : Number(match[3]),
  };
  const { first, last, total = Infinity } = range;
  return first <= last && last < total ? range : undefined;
}
