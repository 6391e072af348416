// Own code: the canonical form is asked for once per link of every page, and nearly all links
// are canonical already. One match of a regular expression takes 0.07 µs for a URL of 64
// characters, reading them one by one 0.17 µs, and parsing with `new URL` 0.28 µs plus garbage.

/** Longer texts go to the parser: the matcher keeps a state for each segment it may go back to. */
const LONGEST = 8192;

const LABEL = '[a-z0-9_]+(?:-[a-z0-9_]+)*';
// The last label must not begin with a digit, because then it may be a spelling of an address.
const NAME = `(?:${LABEL}\\.)*[a-z_][a-z0-9_]*(?:-[a-z0-9_]+)*`;
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const PORT = '(?!(?:80|443)/)(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3})';
const NEVER = '\\0-\\x20\\x7f-\\uffff"#<>';
const SEGMENT = `/(?!\\.|%2[eE])[^/${NEVER}?^\`{}\\\\]*`;

/**
 * `http:` and `https:` URLs in the very form that the URL parser gives back, without user
 * information. Each repetition is delimited by a character that it cannot hold itself, so the
 * match is linear.
 */
const CANONICAL = new RegExp(
  `^https?://(?:${NAME}|(?:${BYTE}\\.){3}${BYTE})(?::${PORT})?(?:${SEGMENT})+(?:\\?[^${NEVER}']*)?(?=#|$)`,
);

/**
 * Whether a text is an `http:` or `https:` URL in the form that the URL parser gives back, apart
 * from its fragment, and without user information. May say no to one that is (a host in Punycode,
 * a path with `/.well-known/`), never yes to one that is not.
 */
export function isPlainHref(text: string): boolean {
  return text.length <= LONGEST && CANONICAL.test(text);
}
