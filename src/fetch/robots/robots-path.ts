import { Buffer } from 'node:buffer';
import { tryParseUrl } from '../../url/index.js';

/** Text in which nothing has to change for comparison, neither as a pattern nor as a path. */
const CANONICAL = /^[\w\-.~!&'()+,;=:@/?[\]]*$/;
/** What only a URL parser resolves: backslashes, dot segments, characters that it drops. */
const NEEDS_PARSER = /[\\\t\n\r]|\/(?:\.|%2e)/i;
const PATH_START = /[/?;]/g;
const ABSOLUTE = /^https?:\/\//i;

const HEX = '0123456789ABCDEF';

/** How each octet is written for comparison; `undefined` for `%`, `*` and `$`. */
const WRITTEN: readonly (string | undefined)[] = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  if ('%*$'.includes(character)) return undefined;
  return CANONICAL.test(character) ? character : percent(octet);
});

/**
 * The part of a URL that rules are compared with: path and query. Takes what crawlers hold in
 * hand: absolute URLs, `//host/path`, `host/path` and `/path`.
 */
export function robotsPath(url: string): string {
  const parsed = ABSOLUTE.test(url) && NEEDS_PARSER.test(url) ? tryParseUrl(url) : undefined;
  if (parsed) return parsed.pathname + parsed.search;
  const from = hostStart(url);
  PATH_START.lastIndex = from;
  const start = PATH_START.exec(url)?.index;
  const hash = url.indexOf('#', from);
  if (start === undefined || (hash !== -1 && hash < start)) return '/';
  const path = hash === -1 ? url.slice(start) : url.slice(start, hash);
  return path.startsWith('/') ? path : `/${path}`;
}

function hostStart(url: string): number {
  if (url.startsWith('//')) return 2;
  PATH_START.lastIndex = 0;
  const early = PATH_START.exec(url)?.index ?? url.length;
  const scheme = url.indexOf('://');
  return scheme === -1 || early < scheme ? 0 : scheme + 3;
}

/** A URL's path and query as they are compared: `*` and `$` are plain characters there. */
export function comparablePath(path: string): string {
  return CANONICAL.test(path) ? path : write(Buffer.from(path, 'utf8'), '%2A');
}

/**
 * A pattern as it is compared, given as octets (one character each): percent-encoded as RFC 9309
 * §2.2.2 asks, with `*` as the wildcard. A `$` at its end is an anchor and must be cut before.
 */
export function comparablePattern(octets: string): string {
  return CANONICAL.test(octets) ? octets : write(Buffer.from(octets, 'latin1'), '*');
}

function write(octets: Uint8Array, star: string): string {
  let written = '';
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i] ?? 0;
    const plain = WRITTEN[octet];
    if (plain !== undefined) {
      written += plain;
    } else if (octet === 0x25) {
      const encoded = hexPair(octets, i + 1);
      if (encoded === -1) {
        written += '%';
        continue;
      }
      const decoded = WRITTEN[encoded];
      written += isUnreserved(encoded) && decoded !== undefined ? decoded : percent(encoded);
      i += 2;
    } else {
      written += octet === 0x2a ? star : '%24';
    }
  }
  return written;
}

/**
 * Unreserved characters mean the same encoded or not (RFC 3986 §2.3). The apostrophe is added,
 * because URL parsers write it as %27 in queries.
 */
function isUnreserved(octet: number): boolean {
  return octet < 128 && /[\w\-.~']/.test(String.fromCharCode(octet));
}

function hexPair(octets: Uint8Array, at: number): number {
  const high = hexDigit(octets[at]);
  const low = hexDigit(octets[at + 1]);
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function hexDigit(octet: number | undefined): number {
  if (octet === undefined) return -1;
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const letter = octet | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function percent(octet: number): string {
  return `%${HEX.charAt(octet >> 4)}${HEX.charAt(octet & 15)}`;
}
