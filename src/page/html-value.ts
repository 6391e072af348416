import { decodeHTMLAttribute } from 'entities/decode';

/** The value of an attribute as a browser sees it: references decoded, U+0000 replaced. */
export function attributeValue(raw: string): string {
  const text = raw.includes('&') ? decodeHTMLAttribute(raw) : raw;
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
