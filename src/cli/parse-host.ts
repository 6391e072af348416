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
  const url = `https://${text}/`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname === text.toLowerCase() ? hostname : undefined;
}
