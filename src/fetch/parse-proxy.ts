import { tryParseUrl } from '../url/index.js';
import { basicAuthorization } from './request-headers.js';

/** A proxy, and what opens it. */
export interface Proxy {
  /** As `URL.origin`. */
  readonly origin: string;
  readonly protocol: 'http:' | 'https:';
  /** Without brackets. */
  readonly hostname: string;
  /** Host, and port where it is not the one of the scheme: for messages. */
  readonly host: string;
  readonly port: string;
  /** Value of `proxy-authorization`. */
  readonly authorization: string | undefined;
}

/**
 * Reads the URL of a proxy: scheme `http` or `https`, host, port, and user information where the
 * proxy asks for it.
 *
 * @param name - what messages call it
 * @throws TypeError that never shows the user information
 *
 * @example
 * ```ts
 * parseProxy('option proxy', 'http://user:pass@proxy.example:3128').origin; // 'http://proxy.example:3128'
 * ```
 */
export function parseProxy(name: string, text: unknown): Proxy {
  const expected = `${name}: expected a URL such as "http://proxy.example:3128", got`;
  if (typeof text !== 'string') {
    throw new TypeError(`${expected} ${text === null ? 'null' : typeof text}`);
  }
  // A text without a scheme may still have credentials in it.
  const url = tryParseUrl(text);
  if (url === undefined) {
    throw new TypeError(`${expected} ${JSON.stringify(text.slice(text.lastIndexOf('@') + 1))}`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const hint = url.protocol.startsWith('socks') ? '; SOCKS proxies are not supported' : '';
    throw new TypeError(`${expected} one with the scheme ${JSON.stringify(url.protocol)}${hint}`);
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new TypeError(`${expected} one with a path for ${JSON.stringify(url.host)}`);
  }
  return {
    origin: url.origin,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    host: url.host,
    port: url.port,
    authorization: url.username === '' && url.password === '' ? undefined : basicAuthorization(url),
  };
}
