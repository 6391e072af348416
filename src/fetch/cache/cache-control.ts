import type { ResponseHeaders } from '../../core/index.js';

/** Name, and an argument as a token or in quotes. */
const DIRECTIVE = /([^\s,=]+)(?:[ \t]*=[ \t]*(?:"([^"]*)"|([^\s,]*)))?/g;

/**
 * The directives of a `Cache-Control` field (RFC 9111 §5.2), by lower-case names; the value of
 * one without argument is `''`. The first of several equal ones counts (§4.2.1).
 */
export function cacheControl(headers: ResponseHeaders): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  const field = headers['cache-control'];
  if (typeof field !== 'string') return directives;
  for (const [, name = '', quoted, token] of field.matchAll(DIRECTIVE)) {
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? token ?? '');
  }
  return directives;
}
