import { flatString, joinFlat } from './flat-string.js';

/** May stand in a path without being changed by the URL parser. */
const IN_PATH = 1;
/** May stand in a query or fragment without being changed by the URL parser. */
const IN_QUERY = 2;

const PLAIN = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&()*+,;=:@/%') {
  PLAIN[char.charCodeAt(0)] = IN_PATH | IN_QUERY;
}
PLAIN[0x27] = IN_PATH;
PLAIN[0x3f] = IN_QUERY;

const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const QUESTION = 0x3f;

/** Longer references (characters) are dropped unread: their URLs would be refused anyway. */
export const MAX_REFERENCE = 65_536;
/** Beginnings that settle the scheme, so that a picture in a `data:` URL is not parsed. */
const OPAQUE = ['data:', 'javascript:', 'mailto:', 'tel:'];
/** At most so many different attribute values of one page are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Resolves the links of one page.
 *
 * `new URL()` takes 630 ns, and changes nothing in most links: a reference that is a plain path is
 * joined to the base by hand, in 160 ns. The short cut is taken only for characters that the URL parser
 * leaves as they are, and never for a dot segment other than leading `../`; everything else goes
 * to `new URL()`. A property test holds both to be equal.
 */
export class LinkResolver {
  /** How many links had a scheme other than `http:` and `https:`. Keys such as `mailto:`. */
  readonly schemes: Map<string, number> = new Map<string, number>();
  /** How many links are no URL. */
  invalid = 0;

  private readonly base: string;
  /** `https://host:port`, or empty where short cuts do not hold. */
  private readonly origin: string;
  private readonly withoutQuery: string;
  private readonly withoutFragment: string;
  /** The base's folder, its parent, and so on; each ends in `/`. */
  private readonly folders: string[] = [];
  private readonly known = new Map<string, string>();
  /** References that are none, with the scheme that they are counted under. */
  private readonly refused = new Map<string, string>();
  private readonly origins = new Map<string, string>();
  private readonly encodeQuery: ((query: string) => string) | undefined;

  /**
   * @param base - absolute URL in the form of `URL.href`
   * @param encodeQuery - percent-encodes what is not ASCII in a query, for pages that are
   * not in a Unicode encoding
   */
  constructor(base: string, encodeQuery?: (query: string) => string) {
    this.base = base;
    this.encodeQuery = encodeQuery;
    const fragment = base.indexOf('#');
    this.withoutFragment = fragment === -1 ? base : base.slice(0, fragment);
    const query = this.withoutFragment.indexOf('?');
    this.withoutQuery = query === -1 ? this.withoutFragment : this.withoutFragment.slice(0, query);
    const authority = isHttp(base) ? base.indexOf('/') + 2 : -1;
    const path = authority === -1 ? -1 : this.withoutQuery.indexOf('/', authority);
    this.origin = path === -1 ? '' : base.slice(0, path);
    if (path === -1) return;
    this.origins.set(this.origin, this.origin);
    let end = this.withoutQuery.lastIndexOf('/') + 1;
    while (end > path) {
      this.folders.push(base.slice(0, end));
      end = base.lastIndexOf('/', end - 2) + 1;
    }
  }

  /**
   * The absolute URL of a reference, or `undefined` if it is no `http:` or `https:` URL, which
   * is then counted.
   */
  resolve(reference: string): string | undefined {
    const scheme = opaqueScheme(reference);
    if (scheme !== undefined || reference.length > MAX_REFERENCE) {
      this.count(scheme ?? '');
      return undefined;
    }
    const { known } = this;
    const before = known.get(reference);
    if (before !== undefined) return before;
    const href = this.join(reference) ?? this.parse(reference);
    if (href !== undefined && known.size < MAX_REMEMBERED) known.set(reference, href);
    return href;
  }

  /** Counts a reference that is no link; the scheme is empty where it is no URL. */
  private count(scheme: string): void {
    if (scheme === '') this.invalid += 1;
    else this.schemes.set(scheme, (this.schemes.get(scheme) ?? 0) + 1);
  }

  private refuse(reference: string, scheme: string): void {
    this.count(scheme);
    if (this.refused.size < MAX_REMEMBERED) this.refused.set(reference, scheme);
  }

  private parse(reference: string): string | undefined {
    const scheme = this.refused.get(reference);
    if (scheme !== undefined) {
      this.refuse(reference, scheme);
      return undefined;
    }
    const { encodeQuery } = this;
    const text = encodeQuery === undefined ? reference : withQuery(reference, encodeQuery);
    let url: URL;
    try {
      url = this.absolute(text);
    } catch {
      this.refuse(reference, '');
      return undefined;
    }
    const { protocol } = url;
    if (protocol === 'http:' || protocol === 'https:') return url.href;
    this.refuse(reference, flatString(protocol));
    return undefined;
  }

  /** The parser of Node 20 (Ada 2.9) loses an empty query of the base. */
  private absolute(text: string): URL {
    const { withoutFragment } = this;
    if (withoutFragment.endsWith('?')) {
      const rest = withoutControls(text);
      if (rest === '' || rest.startsWith('#')) return new URL(withoutFragment + rest);
    }
    return new URL(text, this.base);
  }

  /** The short cut; `undefined` where it does not hold. */
  private join(reference: string): string | undefined {
    if (this.origin === '') return undefined;
    const first = reference.charCodeAt(0);
    if (first === HASH) {
      return isPlain(reference, 1, true) ? joinFlat(this.withoutFragment, reference) : undefined;
    }
    if (first === QUESTION) {
      return isPlain(reference, 1, true) ? joinFlat(this.withoutQuery, reference) : undefined;
    }
    if (first === SLASH) {
      // `//host` is another host.
      return reference.charCodeAt(1) !== SLASH && isPlain(reference, 0, false)
        ? joinFlat(this.origin, reference)
        : undefined;
    }
    if (isHttp(reference)) {
      const path = reference.indexOf('/', reference.indexOf('/') + 2);
      const origin = path === -1 ? '' : this.knownOrigin(reference.slice(0, path));
      return origin !== '' && isPlain(reference, path, false)
        ? joinFlat(origin, reference.slice(path))
        : undefined;
    }
    let up = 0;
    let at = 0;
    while (reference.startsWith('../', at)) {
      up += 1;
      at += 3;
    }
    if (at === reference.length || reference.charCodeAt(at) === SLASH) return undefined;
    const folder = this.folders[Math.min(up, this.folders.length - 1)];
    if (
      folder === undefined ||
      (at === 0 && hasScheme(reference)) ||
      !isPlain(reference, at, false)
    ) {
      return undefined;
    }
    return joinFlat(folder, at === 0 ? reference : reference.slice(at));
  }

  /** A text, if it is a URL's origin in just the form that the URL parser gives it, or ''. */
  private knownOrigin(text: string): string {
    const before = this.origins.get(text);
    if (before !== undefined) return before;
    const known = originOf(text) === text ? text : '';
    if (this.origins.size < MAX_REMEMBERED) this.origins.set(text, known);
    return known;
  }
}

/** One of {@link OPAQUE}, unless slashes follow, behind which there may be a bad host. */
export function opaqueScheme(reference: string): string | undefined {
  const first = reference.charCodeAt(0);
  // d, j, m, t
  if (first !== 0x64 && first !== 0x6a && first !== 0x6d && first !== 0x74) return undefined;
  return OPAQUE.find(
    (scheme) => reference.startsWith(scheme) && reference.charCodeAt(scheme.length) !== SLASH,
  );
}

/** `URL.canParse` is of no use here: in Node 20 it is wrong about texts that are not ASCII. */
function originOf(text: string): string {
  try {
    return new URL(text).origin;
  } catch {
    return '';
  }
}

function isHttp(url: string): boolean {
  return url.startsWith('https://') || url.startsWith('http://');
}

/** Whether there is a colon before the first `/`, `?` or `#`. */
function hasScheme(reference: string): boolean {
  const colon = reference.indexOf(':');
  if (colon === -1) return false;
  for (let i = 0; i < colon; i += 1) {
    const code = reference.charCodeAt(i);
    if (code === SLASH || code === QUESTION || code === HASH) return false;
  }
  return true;
}

/**
 * Whether the URL parser leaves `text` as it is from `start` on, which is in the path, or behind
 * `?` or `#` if `tail`.
 */
function isPlain(text: string, start: number, tail: boolean): boolean {
  let allowed = tail ? IN_QUERY : IN_PATH;
  let fragment = tail && text.charCodeAt(0) === HASH;
  let segment = !tail;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 128 && ((PLAIN[code] ?? 0) & allowed) !== 0) {
      if (allowed === IN_PATH) {
        // A segment that begins with a dot, also as %2e, may be a dot segment.
        if (segment && (code === DOT || code === PERCENT)) return false;
        segment = code === SLASH;
      }
    } else if (code === QUESTION && allowed === IN_PATH) {
      allowed = IN_QUERY;
    } else if (code === HASH && !fragment) {
      allowed = IN_QUERY;
      fragment = true;
    } else {
      return false;
    }
  }
  return true;
}

/** A reference with its query, if there is one and it is not ASCII, encoded. */
function withQuery(text: string, encode: (query: string) => string): string {
  const reference = withoutControls(text);
  const hash = reference.indexOf('#');
  const end = hash === -1 ? reference.length : hash;
  const start = reference.indexOf('?');
  if (start === -1 || start > end) return reference;
  for (let i = start; i < end; i += 1) {
    if (reference.charCodeAt(i) > 127) {
      const query = encode(reference.slice(start + 1, end));
      return reference.slice(0, start + 1) + query + reference.slice(end);
    }
  }
  return reference;
}

/**
 * As the URL parser does before anything else: without C0 controls and spaces around it, and tabs
 * and line ends in it. Other blanks, such as U+00A0, are part of the URL.
 */
function withoutControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= SPACE) start += 1;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end -= 1;
  return text.slice(start, end).replace(/[\t\n\r]/g, '');
}
