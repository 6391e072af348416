/** One link of a `Link` header field. */
export interface HeaderLink {
  /** Not resolved. */
  readonly url: string;
  /** Relations, lower case. */
  readonly rel: readonly string[];
  /** All parameters; names lower case, of equal names the first. No prototype. */
  readonly parameters: Readonly<Record<string, string>>;
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

/**
 * Reads a `Link` header field (RFC 8288 §3 and appendix B.2). What is malformed is skipped up
 * to the next comma outside of quotes. Linear time.
 *
 * @param value - the field's value; several fields joined with commas
 *
 * @example
 * ```ts
 * parseLinkHeader('</page/2>; rel="next"')[0]; // { url: '/page/2', rel: ['next'], … }
 * ```
 */
export function parseLinkHeader(value: string): HeaderLink[] {
  const links: HeaderLink[] = [];
  let at = 0;
  while (at < value.length) {
    const char = value.charAt(at);
    if (char === '<') {
      const end = value.indexOf('>', at);
      if (end === -1) return links;
      const parameters = Object.create(null) as Record<string, string>;
      const url = value.slice(at + 1, end).trim();
      at = readParameters(value, end + 1, parameters);
      const rel = (parameters['rel'] ?? '').toLowerCase().split(/[\t ]+/);
      links.push({ url, rel: rel.filter((token) => token !== ''), parameters });
    } else if (char === ',' || isBlank(char)) {
      at += 1;
    } else {
      at = readParameters(value, at, {});
    }
  }
  return links;
}

/** Reads `; name=value` up to the comma that ends the link; returns the index after it. */
function readParameters(value: string, from: number, into: Record<string, string>): number {
  let at = from;
  while (at < value.length) {
    const char = value.charAt(at);
    if (char === ',') return at + 1;
    if (char === ';' || isBlank(char)) {
      at += 1;
      continue;
    }
    const start = at;
    while (at < value.length && !'=;,'.includes(value.charAt(at))) at += 1;
    const name = value.slice(start, at).trim().toLowerCase();
    let text = '';
    if (value.charAt(at) === '=') {
      at += 1;
      while (isBlank(value.charAt(at))) at += 1;
      const end = value.charAt(at) === '"' ? quotedEnd(value, at) : tokenEnd(value, at);
      text =
        value.charAt(at) === '"'
          ? value.slice(at + 1, end - 1).replace(/\\([^])/g, '$1')
          : value.slice(at, end).trim();
      at = end;
    }
    if (name !== '' && !(name in into)) into[name] = text;
  }
  return at;
}

/** Index after the quote that ends the string at `start`, or after the text. */
function quotedEnd(value: string, start: number): number {
  let at = start + 1;
  while (at < value.length) {
    if (value.charAt(at) === '"') return at + 1;
    at += value.charAt(at) === '\\' ? 2 : 1;
  }
  return value.length + 1;
}

function tokenEnd(value: string, start: number): number {
  let at = start;
  while (at < value.length && value.charAt(at) !== ';' && value.charAt(at) !== ',') at += 1;
  return at;
}
