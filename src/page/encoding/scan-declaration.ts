import { latin1, startsWith } from './ascii-bytes.js';
import { readable, type Declared, type Unknown } from './declared.js';

/** A declaration stands within these first bytes. */
const HEAD_BYTES = 1024;

/** The encoding of an XML declaration at the start of the bytes. */
export function scanXmlDeclaration(bytes: Uint8Array): Declared {
  const unknown: Unknown = {};
  const encoding = xmlDeclaration(bytes, unknown);
  return { encoding, ...unknown };
}

/** The encoding of a style sheet's `@charset "…";`: CSS Syntax §3.2, which allows no other form. */
export function scanCharsetRule(bytes: Uint8Array): Declared {
  if (!startsWith(bytes, '@charset "')) return { encoding: undefined };
  const close = bytes.subarray(0, HEAD_BYTES).indexOf(0x22, 10);
  if (close === -1 || bytes[close + 1] !== 0x3b) return { encoding: undefined };
  const unknown: Unknown = {};
  const encoding = readable(latin1(bytes, 10, close), unknown);
  return { encoding, ...unknown };
}

/** HTML standard §13.2.3.3, "get an XML encoding". */
export function xmlDeclaration(bytes: Uint8Array, unknown: Unknown): string | undefined {
  if (!startsWith(bytes, '<?xml')) return undefined;
  const end = bytes.subarray(0, HEAD_BYTES).indexOf(0x3e);
  if (end === -1) return undefined;
  const text = latin1(bytes, 0, end);
  let position = text.indexOf('encoding', 5);
  if (position === -1) return undefined;
  position += 8;
  while (position < end && text.charCodeAt(position) <= 0x20) position++;
  if (text.charAt(position) !== '=') return undefined;
  position++;
  while (position < end && text.charCodeAt(position) <= 0x20) position++;
  const quote = text.charAt(position);
  if (quote !== '"' && quote !== "'") return undefined;
  const close = text.indexOf(quote, position + 1);
  if (close === -1) return undefined;
  const label = text.slice(position + 1, close);
  // A label may have blanks around it elsewhere, but not here.
  return label.trim() === label ? readable(label, unknown) : undefined;
}
