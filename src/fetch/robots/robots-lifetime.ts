import type { ResponseHeaders } from '../../core/index.js';
import { parseHttpDate } from '../../core/parse-http-date.js';

const MAX_AGE = /(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*"?(\d+)/i;

/**
 * How long an answer stays fresh by its own words (RFC 9111 §4.2.1), ms; `undefined` if it does
 * not say. Always 0 for one that must not be stored.
 */
export function robotsLifetime(headers: ResponseHeaders, now: number): number | undefined {
  const control = text(headers['cache-control']) ?? '';
  if (/(?:^|[\s,])no-(?:cache|store)\b/i.test(control)) return 0;
  const seconds = MAX_AGE.exec(control)?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds) * 1000, Number.MAX_SAFE_INTEGER);
  const expires = text(headers['expires']);
  if (expires === undefined) return undefined;
  const until = parseHttpDate(expires, now);
  // "0" and other nonsense mean the past.
  if (until === undefined) return 0;
  return Math.max(0, until - (parseHttpDate(text(headers['date']) ?? '', now) ?? now));
}

function text(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
