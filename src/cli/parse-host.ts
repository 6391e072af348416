import { tryParseUrl } from '../url/index.js';

/**
 * Reads a host name or address as it stands in URLs, without scheme and port.
 *
 * @returns it in lower case, or `undefined` if the text is none
 *
 * @example
 * ```ts
 * parseHost('Intranet.example'); // 'intranet.example'
 * ```
 */
export function parseHost(text: string): string | undefined {
  const hostname = tryParseUrl(`https://${text}/`)?.hostname;
  return hostname === text.toLowerCase() ? hostname : undefined;
}
