import { inflateRawSync } from 'node:zlib';

/** Header flags of RFC 1952 §2.3.1. */
const [FHCRC, FEXTRA, FNAME, FCOMMENT] = [2, 4, 8, 16] as const;
const TRAILER = 8;

/**
 * Decodes the gzip members at the start of `bytes` and ignores what follows the last one, as
 * browsers do: servers append log lines and blanks to a compressed page. Node's `gunzipSync`
 * ignores only zeros there, so this is tried when that has failed.
 *
 * @returns the body, or `undefined` if `bytes` does not begin with a whole member
 * @throws what zlib throws
 */
export function decodeMembers(bytes: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const bodies: Uint8Array[] = [];
  let size = 0;
  let rest = bytes;
  for (;;) {
    const start = headerLength(rest);
    if (start === undefined) break;
    const { buffer, engine } = inflateWithInfo(rest.subarray(start), maxBytes - size);
    const end = start + engine.bytesWritten + TRAILER;
    if (end > rest.length) break;
    bodies.push(buffer);
    size += buffer.length;
    rest = rest.subarray(end);
    if (size >= maxBytes) break;
  }
  return bodies.length === 0 ? undefined : Buffer.concat(bodies);
}

/** With `info`, zlib also hands out its engine, which knows where the stream ended. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function inflateWithInfo(bytes: Uint8Array, maxOutputLength: number): Inflated {
  return inflateRawSync(bytes, { maxOutputLength, info: true }) as unknown as Inflated;
}

/** Length of the header of a member, or `undefined` where none begins. */
function headerLength(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined;
  const flags = bytes[3] ?? 0;
  let at = 10;
  if ((flags & FEXTRA) !== 0) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  if ((flags & FNAME) !== 0) at = afterZero(bytes, at);
  if ((flags & FCOMMENT) !== 0) at = afterZero(bytes, at);
  if ((flags & FHCRC) !== 0) at += 2;
  return at < bytes.length ? at : undefined;
}

function afterZero(bytes: Uint8Array, from: number): number {
  const zero = bytes.indexOf(0, from);
  return zero < 0 ? bytes.length : zero + 1;
}
