import type { CrawlErrorCode } from '../core/index.js';

const CODES: ReadonlySet<CrawlErrorCode> = new Set<CrawlErrorCode>([
  'dns-not-found',
  'dns-failed',
  'connection-refused',
  'unreachable',
  'timeout-dns',
  'timeout-connect',
  'timeout-tls',
  'proxy-failed',
]);

/** Whether a failure means that no connection to the host could be made. */
export function isNoConnection(code: CrawlErrorCode): boolean {
  return CODES.has(code) || code.startsWith('tls-');
}
