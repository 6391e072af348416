/*
 * Own code, for speed: a text of 10 MiB took the exact decoder up to 360 ms, and takes this 40 ms.
 * The characters are those of EUC-JP, whose table is made by that decoder; tests hold both to
 * the same text on random bytes.
 */

import { doubleBytePairs } from './double-byte.js';

const REPLACEMENT = 0xfffd;
const ESCAPE = 0x1b;

type Mode = 'ascii' | 'roman' | 'katakana' | 'pairs';

/** The text of bytes in ISO-2022-JP (WHATWG Encoding §12.2.1). */
export function decodeIso2022Jp(bytes: Uint8Array): string {
  const pairs = doubleBytePairs('EUC-JP');
  const units = new Uint16Array(bytes.length);
  const end = bytes.length;
  let mode: Mode = 'ascii';
  /** Nothing has come since the last escape: another one is an error. */
  let isFresh = false;
  let length = 0;
  let at = 0;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === ESCAPE) {
      const next = modeOf(bytes[at + 1], bytes[at + 2]);
      if (next === undefined || isFresh) units[length++] = REPLACEMENT;
      isFresh = next !== undefined;
      mode = next ?? mode;
      at += next === undefined ? 1 : 3;
      continue;
    }
    isFresh = false;
    at += 1;
    if (mode !== 'pairs') {
      units[length++] = single(byte, mode);
    } else if (byte < 0x21 || byte > 0x7e) {
      units[length++] = REPLACEMENT;
    } else {
      const trail = bytes[at];
      // The escape counts by itself.
      if (trail !== undefined && trail !== ESCAPE) at += 1;
      const isPair = trail !== undefined && trail >= 0x21 && trail <= 0x7e;
      const unit = isPair ? (pairs[((byte << 8) | trail) + 0x8080] as number) : 0;
      units[length++] = unit === 0 ? REPLACEMENT : unit;
    }
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

/** What follows an escape sequence, by the two bytes behind the escape. */
function modeOf(first: number | undefined, second: number | undefined): Mode | undefined {
  if (first === 0x24) return second === 0x40 || second === 0x42 ? 'pairs' : undefined;
  if (first !== 0x28) return undefined;
  if (second === 0x42) return 'ascii';
  if (second === 0x4a) return 'roman';
  return second === 0x49 ? 'katakana' : undefined;
}

function single(byte: number, mode: Mode): number {
  if (mode === 'katakana') return byte >= 0x21 && byte <= 0x5f ? 0xff40 + byte : REPLACEMENT;
  if (byte > 0x7f || byte === 0x0e || byte === 0x0f) return REPLACEMENT;
  if (mode === 'roman') {
    if (byte === 0x5c) return 0xa5;
    if (byte === 0x7e) return 0x203e;
  }
  return byte;
}
