import { decodeHTMLAttribute } from 'entities/decode';

/**
 * The value of an attribute as a browser sees it: references decoded, U+0000 replaced.
 *
 * By `entities` 6: version 7 reads `&eta=`, `&centerdot-` and 650 more as what they are not, in
 * attributes and in text. htmlparser2 10.0 is made with version 6, and 10.1 with 7.
 */
export function attributeValue(raw: string): string {
  const text = raw.includes('&') ? decodeHTMLAttribute(raw) : raw;
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
