import type { CrawlErrorCode } from './errors.js';

const CODES: ReadonlySet<CrawlErrorCode> = new Set<CrawlErrorCode>([
  'dns-not-found',
  'dns-failed',
  'connection-refused',
  'unreachable',
  'timeout-dns',
  'timeout-connect',
  'timeout-tls',
]);

/**
 * Whether a failure says that a host cannot be talked to, whatever the URL: no such name, nobody
 * there, no TLS that is accepted here.
 */
export function isHostDown(code: CrawlErrorCode): boolean {
  return CODES.has(code) || code.startsWith('tls-');
}

/** Whether no connection to the host could be made, be it the host's fault or that of a proxy. */
export function isNoConnection(code: CrawlErrorCode): boolean {
  return code === 'proxy-failed' || isHostDown(code);
}
