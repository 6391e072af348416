import {
  CrawlError,
  isCrawlError,
  type CrawlErrorCode,
  type CrawlErrorOptions,
} from '../core/index.js';
import { tryParseUrl } from '../url/index.js';

/**
 * How far an exchange had come when it failed. The same closed socket means three things:
 * `waiting`: no byte of an answer had come; `head`: the answer had begun; `body`: its head was
 * complete.
 */
export type ExchangeStage = 'waiting' | 'head' | 'body';

/** Codes of Node, OpenSSL and undici that mean one thing wherever they come from. */
const CODES: Readonly<Record<string, CrawlErrorCode>> = {
  ENOTFOUND: 'dns-not-found',
  ENODATA: 'dns-not-found',
  EAI_NONAME: 'dns-not-found',
  EAI_NODATA: 'dns-not-found',
  EAI_AGAIN: 'dns-failed',
  EAI_FAIL: 'dns-failed',
  EAI_MEMORY: 'dns-failed',
  ESERVFAIL: 'dns-failed',
  EREFUSED: 'dns-failed',
  EBADNAME: 'dns-failed',
  EBADRESP: 'dns-failed',
  EFORMERR: 'dns-failed',
  ENOTIMP: 'dns-failed',
  ETIMEOUT: 'timeout-dns',

  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-reset',
  ECONNABORTED: 'connection-reset',
  EPIPE: 'connection-reset',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',

  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-wrong-host',
  HOSTNAME_MISMATCH: 'tls-wrong-host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-unknown-issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-unknown-issuer',
  CERT_UNTRUSTED: 'tls-unknown-issuer',
  CERT_REVOKED: 'tls-revoked',
  EPROTO: 'tls-protocol',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls-protocol',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'tls-protocol',
  ERR_SSL_NO_PROTOCOLS_AVAILABLE: 'tls-protocol',
  ERR_SSL_VERSION_TOO_LOW: 'tls-protocol',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'tls-protocol',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'tls-protocol',
  ERR_SSL_SSL_TLSV1_ALERT_HANDSHAKE_FAILURE: 'tls-protocol',
  ERR_SSL_NO_SHARED_CIPHER: 'tls-protocol',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls-protocol',
  ERR_SSL_DH_KEY_TOO_SMALL: 'tls-protocol',
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: 'tls-protocol',

  UND_ERR_CONNECT_TIMEOUT: 'timeout-connect',
  UND_ERR_HEADERS_TIMEOUT: 'timeout-headers',
  UND_ERR_BODY_TIMEOUT: 'timeout-idle',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  // undici's parser asserts on statuses below 100.
  ERR_ASSERTION: 'protocol-error',
  UND_ERR_PRX_TLS: 'proxy-failed',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  ABORT_ERR: 'aborted',
  UND_ERR_ABORT: 'aborted',
  UND_ERR_INVALID_ARG: 'invalid-request',
  UND_ERR_NOT_SUPPORTED: 'invalid-request',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'invalid-request',
};

/** What a message says about each code. */
const TEXTS: Readonly<Partial<Record<CrawlErrorCode, string>>> = {
  'dns-not-found': 'the host name does not exist',
  'dns-failed': 'the host name could not be looked up',
  'connection-refused': 'the connection was refused',
  'connection-reset': 'the connection was reset',
  unreachable: 'the host cannot be reached',
  'address-refused': 'the address is not allowed',
  'proxy-failed': 'the proxy failed',
  'network-error': 'the connection failed',
  'tls-expired': 'the certificate has expired',
  'tls-not-yet-valid': 'the certificate is not valid yet',
  'tls-wrong-host': 'the certificate is for another host',
  'tls-self-signed': 'the certificate is self-signed',
  'tls-unknown-issuer': 'the issuer of the certificate is not known',
  'tls-revoked': 'the certificate was revoked',
  'tls-protocol': 'the server speaks no TLS that is accepted here',
  'tls-failed': 'the TLS handshake failed',
  'timeout-dns': 'looking up the host name took too long',
  'timeout-connect': 'connecting took too long',
  'timeout-tls': 'the TLS handshake took too long',
  'timeout-headers': 'the head of the answer took too long',
  'timeout-idle': 'the server stopped sending',
  'timeout-total': 'the whole exchange took too long',
  'too-slow': 'the server sends too slowly',
  'protocol-error': 'the answer is not valid HTTP',
  'empty-reply': 'the server closed the connection without an answer',
  'headers-too-large': 'the head of the answer is too large',
  truncated: 'the answer ends too early',
  'too-large': 'the body is too large',
  'bad-encoding': 'the body is coded in a way that cannot be undone',
  'invalid-location': 'the answer names several locations',
  aborted: 'the request was aborted',
  'invalid-request': 'the request cannot be sent',
  internal: 'unexpected error',
};

/**
 * Turns whatever undici, Node, OpenSSL, a resolver or the HTTP parser failed with into
 * a {@link CrawlError} with a stable code. The message names host and port and never
 * credentials; the error is kept as `cause`. A `CrawlError` is handed back as it is.
 *
 * | met | code |
 * | --- | --- |
 * | resolver: no such name / other failures | `dns-not-found` / `dns-failed`, `timeout-dns` |
 * | `ECONNREFUSED`, `ECONNRESET`, `EHOSTUNREACH` … | `connection-refused`, `connection-reset`, `unreachable` |
 * | certificate and handshake | `tls-…` |
 * | closed before, within, after the head | `empty-reply`, `truncated`, `truncated` |
 * | closed before `content-length` bytes or the last chunk came | `truncated` |
 * | head over the limit | `headers-too-large` |
 * | any other breach of HTTP/1.1 | `protocol-error` |
 * | any other system error / anything else | `network-error` / `internal` |
 *
 * @param error - what was thrown
 * @param url - of the request; only its host is used
 * @param stage - how far the exchange had come; guessed from the socket when not given
 *
 * @example
 * ```ts
 * toCrawlError(Object.assign(new Error('boom'), { code: 'ECONNRESET' }), 'http://a.example/').code;
 * // 'connection-reset'
 * ```
 */
export function toCrawlError(error: unknown, url: string | URL, stage?: ExchangeStage): CrawlError {
  if (isCrawlError(error)) return error;
  const code = classify(error, stage);
  const technical = error instanceof Error ? technicalReason(error) : undefined;
  return crawlError(code, url, { cause: error }, technical);
}

/**
 * A {@link CrawlError} with the standard message of its code.
 *
 * @param code - what happened
 * @param url - of the request; only its host is used
 * @param options - cause, status, detail
 * @param extra - further words, put in brackets
 */
export function crawlError(
  code: CrawlErrorCode,
  url: string | URL,
  options?: CrawlErrorOptions,
  extra?: string,
): CrawlError {
  const text = TEXTS[code] ?? code;
  return new CrawlError(
    code,
    `${hostOf(url)}: ${text}${extra === undefined ? '' : ` (${extra})`}`,
    options,
  );
}

/** Host and port, without credentials, path and query. */
function hostOf(url: string | URL): string {
  if (typeof url !== 'string') return url.host;
  return tryParseUrl(url)?.host ?? 'invalid URL';
}

function classify(error: unknown, stage: ExchangeStage | undefined): CrawlErrorCode {
  if (!(error instanceof Error)) return 'internal';
  const { code, syscall } = details(error);
  const message = error.message;
  if (error.name === 'HTTPParserError') return brokenHttp(error);
  if (code === undefined) {
    // An AggregateError of all addresses that were tried.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
    return first === undefined
      ? error.name === 'AbortError'
        ? 'aborted'
        : 'internal'
      : classify(first, stage);
  }
  switch (code) {
    case 'UND_ERR_SOCKET':
      return closedSocket(error, message, stage);
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      // The parser reports every fault of a head that has a length in this way.
      return stage === 'body' ? 'truncated' : 'protocol-error';
    case 'UND_ERR_ABORTED':
      return message.startsWith('Proxy response') ? 'proxy-failed' : 'aborted';
    case 'ETIMEDOUT':
      return syscall === 'connect' || stage === undefined ? 'timeout-connect' : 'connection-reset';
    case 'UND_ERR_INFO':
    case 'ERR_HTTP2_STREAM_ERROR':
      // An HTTP/2 stream that its server has reset.
      return stage === 'body' ? 'truncated' : 'connection-reset';
    case 'ECONNRESET':
      return message.includes('secure TLS connection') ? 'tls-failed' : 'connection-reset';
    case 'ECONNREFUSED':
      // A name server can refuse, too.
      return isLookup(syscall) ? 'dns-failed' : 'connection-refused';
  }
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  if (known !== undefined) return known;
  if (/^(?:ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_)/.test(code)) return 'tls-failed';
  if (code.startsWith('ERR_HTTP2_')) return 'protocol-error';
  if (code.startsWith('UND_ERR_SOCKS5')) return 'proxy-failed';
  if (isLookup(syscall)) return 'dns-failed';
  return 'network-error';
}

function isLookup(syscall: string | undefined): boolean {
  return (
    syscall !== undefined && (syscall.startsWith('getaddrinfo') || syscall.startsWith('query'))
  );
}

/** The parser gives no code, but what it had not read yet when it gave up. */
function brokenHttp(error: Error): CrawlErrorCode {
  if (error.message.includes('Invalid EOF')) return 'truncated';
  const rest: unknown = 'data' in error ? error.data : undefined;
  // A coding that could not be undone in any case, in a head with further faults.
  const transfer = typeof rest === 'string' && /^transfer-encoding:(.*)$/im.exec(rest)?.[1];
  return transfer && transfer.trim().toLowerCase() !== 'chunked'
    ? 'bad-encoding'
    : 'protocol-error';
}

function closedSocket(
  error: Error,
  message: string,
  stage: ExchangeStage | undefined,
): CrawlErrorCode {
  // An answer that switches protocols without being asked.
  if (message === 'bad upgrade') return 'protocol-error';
  // A dispatcher that is not ours gives up on an interim `100 Continue`: no final answer came.
  if (message === 'bad response') return 'truncated';
  if (stage !== undefined) return stage === 'waiting' ? 'empty-reply' : 'truncated';
  const socket: unknown = 'socket' in error ? error.socket : undefined;
  const read =
    typeof socket === 'object' && socket !== null && 'bytesRead' in socket ? socket.bytesRead : 0;
  return read === 0 ? 'empty-reply' : 'truncated';
}

/** The few words of a low-level error that help, free of anything that a user typed. */
function technicalReason(error: Error): string | undefined {
  if (error.name === 'HTTPParserError') return /\(([^)]*)\)$/.exec(error.message)?.[1];
  const { code } = details(error);
  return code ?? (error instanceof AggregateError ? technicalReason(firstOf(error)) : undefined);
}

function firstOf(error: AggregateError): Error {
  const first: unknown = error.errors[0];
  return first instanceof Error ? first : new Error();
}

function details(error: Error): { code: string | undefined; syscall: string | undefined } {
  const code: unknown = 'code' in error ? error.code : undefined;
  const syscall: unknown = 'syscall' in error ? error.syscall : undefined;
  return {
    code: typeof code === 'string' ? code : undefined,
    syscall: typeof syscall === 'string' ? syscall : undefined,
  };
}
