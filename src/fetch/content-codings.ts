import * as zlib from 'node:zlib';

/** Content codings that can be undone here (RFC 9110 §8.4.1, RFC 7932, RFC 8878). */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/**
 * Whether the zlib of this Node can undo zstd. Node 22 can as well, but takes a body that is cut for
 * a whole one, and an empty page is worse than a larger answer.
 */
export const HAS_ZSTD: boolean = noticesCutZstd();

/** The `accept-encoding` that names exactly what can be undone. */
export const ACCEPT_ENCODING: string = HAS_ZSTD ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

/** More codings than this on one body are refused: each multiplies what a small body can become. */
export const MAX_CODINGS = 3;

/**
 * Reads a `content-encoding` field.
 *
 * @param value - the field; several lines joined with commas
 * @returns the codings in the order in which they were applied, or `undefined` if one of them
 *   is unknown or there are more than {@link MAX_CODINGS}
 */
export function parseCodings(value: string | undefined): readonly Coding[] | undefined {
  if (value === undefined) return NONE;
  const codings: Coding[] = [];
  for (const part of value.split(',')) {
    const name = part.trim().toLowerCase();
    if (name === '' || name === 'identity' || name === 'none') continue;
    if (codings.length === MAX_CODINGS) return undefined;
    if (name === 'gzip' || name === 'x-gzip') codings.push('gzip');
    else if (name === 'deflate' || name === 'br') codings.push(name);
    else if (name === 'zstd' && HAS_ZSTD) codings.push(name);
    else return undefined;
  }
  return codings;
}

const NONE: readonly Coding[] = [];

interface ZstdZlib {
  readonly zstdCompressSync?: (bytes: string) => Buffer;
  readonly zstdDecompressSync?: (bytes: Uint8Array) => Buffer;
}

function noticesCutZstd(): boolean {
  // Newer than the types of the oldest Node that is supported.
  const { zstdCompressSync, zstdDecompressSync } = zlib as ZstdZlib;
  if (!zstdCompressSync || !zstdDecompressSync) return false;
  try {
    zstdDecompressSync(zstdCompressSync('cut').subarray(0, -1));
    return false;
  } catch {
    return true;
  }
}
