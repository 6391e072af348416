import { parseHttpDate } from '../core/parse-http-date.js';
import type { ResponseHeaders } from '../core/index.js';

/**
 * What of an answer may be sent as `If-Range` (RFC 9110 §13.1.5): a strong entity tag, or, only
 * where there is no tag at all, a `Last-Modified` at least a second before the `Date` (§8.8.2.2).
 * `undefined` if nothing tells for sure that a later answer is of the same file.
 *
 * @example
 * ```ts
 * strongValidator({ etag: '"v1"' }); // '"v1"'
 * strongValidator({ etag: 'W/"v1"' }); // undefined
 * ```
 */
export function strongValidator(headers: ResponseHeaders): string | undefined {
  const { etag, date, 'last-modified': modified } = headers;
  if (etag !== undefined) {
    return typeof etag === 'string' && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)
      ? etag
      : undefined;
  }
  if (typeof modified !== 'string' || typeof date !== 'string') return undefined;
  const now = Date.now();
  const [before, at] = [parseHttpDate(modified, now), parseHttpDate(date, now)];
  return before !== undefined && at !== undefined && at - before >= 1_000 ? modified : undefined;
}
