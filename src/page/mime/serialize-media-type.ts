import { isToken, type MediaType } from './parse-media-type.js';

/**
 * The text of a media type: WHATWG MIME Sniffing §4.5. Values that are no token are quoted.
 *
 * @example
 * ```ts
 * serializeMediaType(parseMediaType('TEXT/HTML; charset = x; a="b c"')!); // 'text/html;a="b c"'
 * ```
 */
export function serializeMediaType(mediaType: MediaType): string {
  let text = mediaType.essence;
  for (const [name, value] of mediaType.parameters) {
    text += `;${name}=${isToken(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`;
  }
  return text;
}
