import type { CrawlRequest, FetchedResponse, ResponseHeaders } from '../../core/index.js';
import { cacheControl } from './cache-control.js';
import { hasLifetime } from './freshness.js';

/** Final answers that say the same until they are changed; redirects that are permanent. */
const STATUSES: ReadonlySet<number> = new Set([200, 203, 301, 308]);

/** Fields of a request that make its answer one for this request alone. */
const OWN = ['authorization', 'cookie', 'range', 'if-match', 'if-none-match', 'if-range'] as const;

/**
 * Whether a request may be answered from a cache, and its answer be kept: a GET that carries no
 * secret, asks for the whole and has no conditions of its own.
 */
export function isCacheable({ method, url, headers, body }: CrawlRequest): boolean {
  if (method !== 'GET' || body !== undefined) return false;
  // User information: credentials that are sent as `authorization`.
  const end = url.indexOf('/', 8);
  if (url.slice(0, end).includes('@')) return false;
  if (headers === undefined) return true;
  if (OWN.some((name) => headers[name] !== undefined)) return false;
  if (headers['if-modified-since'] !== undefined) return false;
  const control = cacheControl({ 'cache-control': headers['cache-control'] });
  return !control.has('no-store') && !control.has('no-cache');
}

/**
 * Whether an answer may be kept (RFC 9111 §3): it is whole, for everyone, and there is a way to use
 * it later: a validator, or, given the time at which it came, a time for which it is fresh.
 */
export function isStorable(response: FetchedResponse, at: number | undefined): boolean {
  const { status, headers, truncated } = response;
  if (!STATUSES.has(status) || truncated === true || headers['set-cookie'] !== undefined) {
    return false;
  }
  if (variesBy(headers).includes('*')) return false;
  const control = cacheControl(headers);
  if (control.has('no-store') || control.has('private')) return false;
  return hasValidator(headers) || (at !== undefined && hasLifetime(headers, at));
}

/** Whether an answer can be asked for on condition that it has changed. */
export function hasValidator(headers: ResponseHeaders): boolean {
  return typeof headers['etag'] === 'string' || typeof headers['last-modified'] === 'string';
}

/** The fields that `Vary` names, in lower case. */
export function variesBy({ vary }: ResponseHeaders): readonly string[] {
  if (typeof vary !== 'string') return [];
  return vary
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
