import { parseHttpDate, type ResponseHeaders } from '../../core/index.js';
import { cacheControl } from './cache-control.js';
import type { StoredResponse } from './cache-store.js';

/**
 * Whether a stored answer may be used without asking its server (RFC 9111 §4.2): only for the time
 * that the server itself has named, in `max-age` or `Expires`. What cannot be read is no time.
 *
 * @param now - ms since 1970
 */
export function isFresh({ headers, at }: StoredResponse, now: number): boolean {
  if (cacheControl(headers).has('no-cache')) return false;
  return ageOf(headers, at) + Math.max(0, now - at) < lifetimeOf(headers, at);
}

/** Whether the server has named a time for which an answer stays fresh. */
export function hasLifetime(headers: ResponseHeaders, at: number): boolean {
  return lifetimeOf(headers, at) > 0;
}

/** How old the answer was when it came, ms. */
function ageOf(headers: ResponseHeaders, at: number): number {
  const { age, date } = headers;
  const apparent = typeof date === 'string' ? at - (parseHttpDate(date, at) ?? at) : 0;
  return Math.max(0, apparent, typeof age === 'string' ? seconds(age) : 0);
}

/** ms. A cache of one user: `s-maxage` is for shared ones. */
function lifetimeOf(headers: ResponseHeaders, at: number): number {
  const maxAge = cacheControl(headers).get('max-age');
  if (maxAge !== undefined) return seconds(maxAge);
  const { expires, date } = headers;
  if (typeof expires !== 'string') return 0;
  const from = (typeof date === 'string' ? parseHttpDate(date, at) : undefined) ?? at;
  return Math.max(0, (parseHttpDate(expires, at) ?? from) - from);
}

function seconds(text: string): number {
  return /^\d{1,10}$/.test(text.trim()) ? Number(text) * 1000 : 0;
}
