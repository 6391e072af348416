import type { ResponseHeaders } from '../core/index.js';

/** The `Content-Type` field as it was sent. */
export function contentTypeOf(headers: ResponseHeaders): string | undefined {
  const contentType = headers['content-type'];
  return typeof contentType === 'string' ? contentType : undefined;
}
