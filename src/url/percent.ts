/** Bit sets over ASCII: RFC 3986 §2.3 unreserved characters. */
const UNRESERVED = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~') {
  UNRESERVED[char.charCodeAt(0)] = 1;
}

const PERCENT = 37;

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Brings percent-encoding to one form: hexadecimal digits in upper case, and unreserved characters
 * decoded (RFC 3986 §6.2.2.1 and §6.2.2.2). All other text is left as it is, one linear pass.
 *
 * Idempotent: a character is not decoded where it would complete a lone `%` before it to a new
 * triplet (`%%36%31` is not `%61`).
 */
export function normalizePercent(text: string): string {
  let at = text.indexOf('%');
  if (at === -1) return text;
  let result = '';
  let copied = 0;
  let lone = -3;
  while (at !== -1) {
    const high = hexDigit(text.charCodeAt(at + 1));
    const low = hexDigit(text.charCodeAt(at + 2));
    if (high === -1 || low === -1) {
      lone = at;
      // A run of lone signs is common in attacks; the neighbour is cheaper to look at than to search.
      at = text.charCodeAt(at + 1) === PERCENT ? at + 1 : text.indexOf('%', at + 1);
      continue;
    }
    const code = high * 16 + low;
    const joins = lone === at - 1 || (lone === at - 2 && hexDigit(text.charCodeAt(at - 1)) !== -1);
    if (UNRESERVED[code] === 1 && !joins) {
      result += text.slice(copied, at) + String.fromCharCode(code);
      copied = at + 3;
    } else if (text.charCodeAt(at + 1) >= 97 || text.charCodeAt(at + 2) >= 97) {
      result += text.slice(copied, at) + text.slice(at, at + 3).toUpperCase();
      copied = at + 3;
    }
    at = text.indexOf('%', at + 3);
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Turns each `%` that begins no triplet into `%25`. */
export function escapeLonePercent(text: string): string {
  return text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
}
