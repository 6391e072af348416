import { bodyHash } from './body-hash.js';
import { canonicalUrl } from './canonical-url.js';
import type { UrlPolicy } from './url-policy.js';

/** The parts of a request that make it what it is. */
export interface KeyParts {
  readonly url: string;
  readonly method?: string | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/**
 * The key of a request for dedupe: requests with the same key are the same page.
 *
 * For a GET without a body it is the canonical URL; else the method, the canonical URL and a
 * 128-bit hash of the body, so that no form data stands in keys. User information is never part.
 *
 * @throws InvalidUrlError if the URL cannot be parsed
 * @throws TypeError if the policy has an unknown option or a wrong value
 *
 * @example
 * ```ts
 * requestKey({ url: 'http://h.example/a#b' }); // 'http://h.example/a'
 * requestKey({ url: 'http://h.example/a', method: 'HEAD' }); // 'HEAD http://h.example/a'
 * ```
 */
export function requestKey(request: KeyParts, policy?: UrlPolicy): string {
  const url = canonicalUrl(request.url, policy);
  const { method, body } = request;
  if (body === undefined && (method === undefined || method === 'GET')) return url;
  const name = (method ?? 'GET').toUpperCase();
  if (body !== undefined) return `${name} ${url} ${bodyHash(body)}`;
  return name === 'GET' ? url : `${name} ${url}`;
}
