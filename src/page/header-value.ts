import type { ResponseHeaders } from '../core/index.js';

/** Fields of a header are read up to here; HTTP clients of Node take 16 KiB for the whole head. */
const MAX_FIELD = 65_536;

/** A field of a header as one text. */
export function headerValue(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = typeof value === 'string' ? value : value?.join(', ');
  return text === undefined || text.length <= MAX_FIELD ? text : text.slice(0, MAX_FIELD);
}
