/** Fields that the connection sets itself; a second one could split or smuggle requests. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110 §5.5: no control characters but the tab; Latin-1 is the most that a field can carry. */
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * What is wrong with a header field, or `undefined` if it may be sent. CR, LF, NUL and all other
 * control characters are refused (RFC 9110 §5.5), as are fields that belong to the connection.
 * Never repeats the value, which may be a secret.
 */
export function headerProblem(name: string, value: unknown): string | undefined {
  if (!TOKEN.test(name)) {
    return `header name ${JSON.stringify(name)}: expected a token of letters, digits and !#$%&'*+-.^_\`|~`;
  }
  if (OWN_FIELDS.has(name.toLowerCase())) return `header "${name}" is set by the connection itself`;
  if (typeof value !== 'string') {
    return `header "${name}": expected a string, got ${value === null ? 'null' : typeof value}`;
  }
  const bad = BAD_VALUE.exec(value);
  if (bad === null) return undefined;
  const point = value.codePointAt(bad.index) ?? 0;
  const hex = point.toString(16).toUpperCase().padStart(4, '0');
  return `header "${name}": expected no line breaks, NUL, control characters or characters beyond Latin-1, got U+${hex} at index ${bad.index}`;
}

/**
 * Why a field cannot be one of all requests: the URL names the host, and politeness, robots.txt,
 * cookies and the address guard go by it.
 */
export function hostProblem(name: string): string | undefined {
  return name.toLowerCase() === 'host' ? `header "${name}" is set from the URL` : undefined;
}

/** Whether a value can be the method of a request. `CONNECT` opens tunnels and is refused. */
export function isMethod(method: string): boolean {
  return TOKEN.test(method) && method.toUpperCase() !== 'CONNECT';
}

/** `Basic` credentials (RFC 7617) of the user information of a URL. */
export function basicAuthorization(url: URL): string {
  const pair = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
