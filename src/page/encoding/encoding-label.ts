import { labelToName } from '@exodus/bytes/encoding.js';

/**
 * The encoding that a label means: WHATWG Encoding §4.2, "get an encoding". All 228 labels
 * are known; anything else (UTF-7 among it) is no label. Case and ASCII white space around
 * the label do not matter.
 *
 * @param label - as in `charset=…`
 * @returns the standard's name (`UTF-8`, `windows-1252`, `replacement`, …), or `undefined`
 *
 * @example
 * ```ts
 * encodingFromLabel('latin1'); // 'windows-1252'
 * encodingFromLabel('utf-7'); // undefined
 * ```
 */
export function encodingFromLabel(label: string): string | undefined {
  // The longest label has 19 characters: what is far longer is not worth a copy.
  if (label.length > 256) return undefined;
  return labelToName(label) ?? undefined;
}
