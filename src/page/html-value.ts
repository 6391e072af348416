import { decodeHTMLAttribute } from 'entities/decode';

/**
 * Names that `entities` 7 takes for references where a letter follows that a longer name has, and
 * which are none in an attribute: `&ltle` is read as `<le`.
 */
const MISREAD = /&(?:divideo|gt[lqr]|lt[ilq]|times[bd])/;
const LONGER_NAMES = /&(?:divide|gt|lt|times)[a-zA-Z0-9]+;?/g;

/** The value of an attribute as a browser sees it: references decoded, U+0000 replaced. */
export function attributeValue(raw: string): string {
  const text = raw.includes('&')
    ? decodeHTMLAttribute(MISREAD.test(raw) ? raw.replace(LONGER_NAMES, kept) : raw)
    : raw;
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

/** HTML §13.2.5.73: with more letters behind it, a name without a semicolon is none. */
function kept(name: string): string {
  const isWhole = name.endsWith(';') && !decodeHTMLAttribute(name).endsWith(';');
  return isWhole ? name : `&amp;${name.slice(1)}`;
}
