import { UsageError } from './usage-error.js';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// RFC 9110 §5.5: no CR, LF or NUL in a value; nor any other control but the tab.
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f]/;
// Beyond this a character is no byte, and HTTP/1.1 has no way to send it.
const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** Written by the connection itself: a second opinion about them breaks the message. */
const OWN_FIELDS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads one `-H` argument, `Name: value`. No message ever repeats the value: it may be a secret.
 *
 * @returns the name in lower case and the value without blanks around it
 * @throws UsageError
 *
 * @example
 * ```ts
 * parseHeader('Accept-Language: de'); // ['accept-language', 'de']
 * ```
 */
export function parseHeader(text: string): readonly [name: string, value: string] {
  const subject = 'option -H, --header';
  const colon = text.indexOf(':');
  if (colon === -1) {
    throw new UsageError(subject, '"Name: value"; there is no colon in what was given');
  }
  const name = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  if (!TOKEN.test(name)) {
    throw new UsageError(subject, 'a header name of letters, digits and dashes before the colon');
  }
  const key = name.toLowerCase();
  if (OWN_FIELDS.has(key)) {
    throw new UsageError(subject, 'a header that the connection does not set itself', name);
  }
  if (key === 'user-agent') {
    throw new UsageError(subject, 'any other header; this one is set by --user-agent', name);
  }
  if (FORBIDDEN.test(value)) {
    throw new UsageError(`${subject} ${name}`, 'a value without control characters');
  }
  if (BEYOND_LATIN_1.test(value)) {
    throw new UsageError(`${subject} ${name}`, 'a value of ISO-8859-1 characters');
  }
  return [key, value];
}
