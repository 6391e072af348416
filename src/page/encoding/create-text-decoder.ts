/*
 * Decoders of `@exodus/bytes`, not Node's own: Node 20's `TextDecoder` takes windows-1252 for
 * Latin-1, knows no ISO-8859-16, gets KOI8-U and EUC-KR wrong in places, and which it knows at
 * all depends on how Node was built.
 */

import { TextDecoder as ExactTextDecoder } from '@exodus/bytes/encoding.js';
import { encodingFromLabel } from './encoding-label.js';

/** Turns chunks of bytes into text; a character may be cut between two chunks. */
export interface ChunkDecoder {
  /** The text of the next bytes, as far as it is certain. */
  write(bytes: Uint8Array): string;
  /** The text of what was left. */
  end(): string;
}

/**
 * Makes a decoder for bytes that come in chunks. The text is the same wherever the bytes are
 * cut. Bad bytes become U+FFFD and take no following ASCII with them; a byte order mark of the
 * encoding itself is dropped.
 *
 * @param label - an encoding's name or label
 * @throws RangeError if nobody knows that label
 *
 * @example
 * ```ts
 * const decoder = createTextDecoder('utf-8');
 * decoder.write(Buffer.from([0xe2, 0x82])); // ''
 * decoder.write(Buffer.from([0xac])); // '€'
 * ```
 */
export function createTextDecoder(label: string): ChunkDecoder {
  const encoding = encodingFromLabel(label);
  if (encoding === undefined) {
    throw new RangeError(
      `createTextDecoder: expected the label of an encoding, got ${JSON.stringify(label)}`,
    );
  }
  if (encoding === 'replacement') return replacementDecoder();
  const decoder = new ExactTextDecoder(encoding);
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

/** Encodings that could be used to smuggle markup are one U+FFFD: WHATWG Encoding §14.1. */
function replacementDecoder(): ChunkDecoder {
  let empty = true;
  return {
    write(bytes) {
      if (!empty || bytes.length === 0) return '';
      empty = false;
      return '\ufffd';
    },
    end: () => '',
  };
}
