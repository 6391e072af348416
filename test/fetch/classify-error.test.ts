import { describe, expect, it } from 'vitest';
import { CrawlError } from '../../src/core/index.js';
import { toCrawlError, type ExchangeStage } from '../../src/fetch/index.js';

const URL_WITH_SECRETS = 'https://user:secret@a.example:8443/path?token=abc';

function coded(code: string, message = 'low-level words', extra: object = {}): Error {
  return Object.assign(new Error(message), { code }, extra);
}

describe('toCrawlError', () => {
  it.each<[string, Error, string]>([
    ['refused', coded('ECONNREFUSED'), 'connection-refused'],
    ['a name server refused', coded('ECONNREFUSED', '', { syscall: 'queryA' }), 'dns-failed'],
    ['reset', coded('ECONNRESET'), 'connection-reset'],
    ['broken pipe', coded('EPIPE'), 'connection-reset'],
    ['no route', coded('EHOSTUNREACH'), 'unreachable'],
    ['no network', coded('ENETUNREACH'), 'unreachable'],
    ['TCP gave up', coded('ETIMEDOUT', '', { syscall: 'connect' }), 'timeout-connect'],
    ['no name', coded('ENOTFOUND'), 'dns-not-found'],
    ['an unknown resolver error', coded('EWHATEVER', '', { syscall: 'getaddrinfo' }), 'dns-failed'],
    ['no files left', coded('EMFILE'), 'network-error'],
    ['expired', coded('CERT_HAS_EXPIRED'), 'tls-expired'],
    ['revoked', coded('CERT_REVOKED'), 'tls-revoked'],
    ['another certificate fault', coded('CERT_CHAIN_TOO_LONG'), 'tls-failed'],
    ['another list fault', coded('CRL_HAS_EXPIRED'), 'tls-failed'],
    ['another OpenSSL fault', coded('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), 'tls-failed'],
    ['too many headers', coded('UND_ERR_HEADERS_OVERFLOW'), 'headers-too-large'],
    ['a parser assertion', coded('ERR_ASSERTION'), 'protocol-error'],
    [
      'a proxy that refuses',
      coded('UND_ERR_ABORTED', 'Proxy response (407) !== 200'),
      'proxy-failed',
    ],
    ['a SOCKS proxy', coded('UND_ERR_SOCKS5_AUTH_FAILED'), 'proxy-failed'],
    ['aborted', coded('UND_ERR_ABORTED', 'Request aborted'), 'aborted'],
    ['a bad argument', coded('UND_ERR_INVALID_ARG'), 'invalid-request'],
    ['a code that is also a property', coded('constructor'), 'network-error'],
    ['no code', new Error('what'), 'internal'],
    ['several addresses', new AggregateError([coded('ECONNREFUSED')]), 'connection-refused'],
    ['no address', new AggregateError([]), 'internal'],
  ])('%s', (_, error, code) => {
    const result = toCrawlError(error, URL_WITH_SECRETS);
    expect(result).toBeInstanceOf(CrawlError);
    expect(result.code).toBe(code);
    expect(result.cause).toBe(error);
    expect(result.message).toContain('a.example:8443: ');
    expect(result.message).not.toMatch(/user|secret|token|abc|path/);
  });

  it.each<[ExchangeStage | undefined, object, string]>([
    ['waiting', {}, 'empty-reply'],
    ['head', {}, 'truncated'],
    ['body', {}, 'truncated'],
    [undefined, {}, 'empty-reply'],
    [undefined, { socket: { bytesRead: 0 } }, 'empty-reply'],
    [undefined, { socket: { bytesRead: 9 } }, 'truncated'],
  ])('a closed socket while %s %j', (stage, extra, code) => {
    const error = coded('UND_ERR_SOCKET', 'other side closed', extra);
    expect(toCrawlError(error, URL_WITH_SECRETS, stage).code).toBe(code);
  });

  it('a length that is not kept is a cut body, or a broken head', () => {
    const error = coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH');
    expect(toCrawlError(error, URL_WITH_SECRETS, 'body').code).toBe('truncated');
    expect(toCrawlError(error, URL_WITH_SECRETS, 'head').code).toBe('protocol-error');
  });

  it.each(['text', undefined, null, 7, {}])('what is no error: %j', (thrown) => {
    const result = toCrawlError(thrown, 'http://a.example/');
    expect(result.code).toBe('internal');
    expect(result.cause).toBe(thrown);
  });

  it('hands back its own errors', () => {
    const error = new CrawlError('too-slow', 'x');
    expect(toCrawlError(error, URL_WITH_SECRETS)).toBe(error);
  });

  it('takes what is no URL', () => {
    expect(toCrawlError(new Error('x'), 'user:secret').message).not.toContain('secret');
  });
});
