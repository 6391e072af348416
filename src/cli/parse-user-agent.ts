// RFC 9110 §10.1.5: a product token first. It is also the name that robots.txt is asked about.
const USER_AGENT = /^[A-Za-z_-][!#$%&'*+.^_`|~0-9A-Za-z-]*(?:[/ ][\x20-\x7e]*)?$/;

/**
 * Reads a user agent: a product token, then anything that a header can carry.
 *
 * @returns the text, or `undefined` if it is none
 *
 * @example
 * ```ts
 * parseUserAgent('shopbot/1.0 (+https://me.example/bot)');
 * ```
 */
export function parseUserAgent(text: string): string | undefined {
  const trimmed = text.trim();
  return USER_AGENT.test(trimmed) ? trimmed : undefined;
}
