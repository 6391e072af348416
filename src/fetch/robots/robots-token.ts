const OUTSIDE_TOKEN = /[^A-Za-z_-]/;
/** `Mozilla/5.0 (compatible; ExampleBot/2.1; …)`: the name that robots.txt files use is the second. */
const COMPATIBLE = /^Mozilla\/[\d.]+ \(compatible; ?([A-Za-z_-]+)/;

/** Whether a text is a product token as robots.txt uses it: letters, `_` and `-` only (RFC 9309 §2.2.1). */
export function isProductToken(text: string): boolean {
  return text !== '' && !OUTSIDE_TOKEN.test(text);
}

/**
 * The product token at the start of a text, in lower case. A text that begins with none
 * (`360Bot`, `*`) is its own token up to the first blank, so that it equals only itself.
 */
export function productToken(text: string): string {
  const end = text.search(OUTSIDE_TOKEN);
  if (end === -1) return text.toLowerCase();
  if (end > 0) return text.slice(0, end).toLowerCase();
  const blank = text.search(/[\t ]/);
  return (blank === -1 ? text : text.slice(0, blank)).toLowerCase();
}

/**
 * The token under which robots.txt files know a crawler: the product token at the start of
 * its user agent, or the one after `compatible;` where the user agent begins like a browser's.
 *
 * @throws TypeError if the user agent has no such token
 *
 * @example
 * ```ts
 * robotsToken('ExampleBot/2.1 (+https://bot.example/)'); // 'ExampleBot'
 * robotsToken('Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/)'); // 'ExampleBot'
 * ```
 */
export function robotsToken(userAgent: string): string {
  expectString(userAgent);
  const token = COMPATIBLE.exec(userAgent)?.[1] ?? userAgent.split(OUTSIDE_TOKEN, 1)[0];
  if (token === undefined || token === '') {
    throw new TypeError(
      'userAgent: expected a text that begins with a product token of letters, "_" and "-", ' +
        `such as "ExampleBot/1.0 (+https://bot.example/)", got ${JSON.stringify(userAgent)}`,
    );
  }
  return token;
}

/** Options come from JavaScript and from files, too. */
function expectString(userAgent: unknown): void {
  if (typeof userAgent === 'string') return;
  throw new TypeError(`userAgent: expected a string, got ${String(userAgent)}`);
}
