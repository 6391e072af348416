/** The kinds of binary data that are known by their first bytes. */
export type BinaryKind = 'image' | 'audio' | 'video' | 'font' | 'pdf' | 'archive' | 'binary';

/**
 * First bytes in Latin-1, longest first where one begins like another: WHATWG MIME Sniffing §6,
 * and what crawlers meet besides. Signatures of two letters (`BM`, `MZ`) are not here: text may
 * begin so, and such files have control bytes anyhow.
 */
const SIGNATURES: readonly (readonly [BinaryKind, string])[] = [
  ['image', '\x89PNG\r\n\x1a\n'],
  ['image', '\xff\xd8\xff'],
  ['image', 'GIF87a'],
  ['image', 'GIF89a'],
  ['image', 'II*\0'],
  ['image', 'MM\0*'],
  ['image', '\0\0\x01\0'],
  ['image', '\0\0\x02\0'],
  ['pdf', '%PDF-'],
  ['archive', 'PK\x03\x04'],
  ['archive', 'PK\x05\x06'],
  ['archive', '\x1f\x8b\x08'],
  ['archive', 'Rar!\x1a\x07'],
  ['archive', 'Rar \x1a\x07'],
  ['archive', '7z\xbc\xaf\x27\x1c'],
  ['archive', '\xfd7zXZ\0'],
  ['archive', '\x28\xb5\x2f\xfd'],
  ['archive', 'BZh91AY&SY'],
  ['font', 'wOFF'],
  ['font', 'wOF2'],
  ['font', 'OTTO'],
  ['font', 'ttcf'],
  ['font', '\0\x01\0\0'],
  ['audio', 'ID3'],
  ['audio', 'fLaC'],
  ['audio', 'OggS\0'],
  ['audio', 'MThd\0\0\0\x06'],
  ['audio', '.snd'],
  ['video', '\x1a\x45\xdf\xa3'],
  ['binary', '\x7fELF'],
  ['binary', '\xca\xfe\xba\xbe'],
  ['binary', '\0asm'],
];

const BY_FIRST_BYTE: readonly (readonly (readonly [BinaryKind, string])[] | undefined)[] =
  Array.from({ length: 256 }, (_, byte) => {
    const own = SIGNATURES.filter(([, text]) => text.charCodeAt(0) === byte);
    return own.length === 0 ? undefined : own;
  });

/**
 * The kind of binary data that bytes are by their signature, or `undefined`.
 *
 * @param bytes - the start of the body
 */
export function byteSignature(bytes: Uint8Array): BinaryKind | undefined {
  const candidates = BY_FIRST_BYTE[bytes[0] ?? 0x20];
  const found = candidates?.find(([, text]) => hasAt(bytes, 0, text));
  if (found !== undefined) return found[0];
  if (hasAt(bytes, 0, 'RIFF') || hasAt(bytes, 0, 'FORM')) return riffKind(bytes);
  // A box of less than 16 MiB, so that no text about `ftyp` is one.
  if (bytes[0] === 0 && hasAt(bytes, 4, 'ftyp')) return isoMediaKind(bytes);
  if (hasAt(bytes, 257, 'ustar')) return 'archive';
  if (hasAt(bytes, 34, 'LP') && bytes[3] === 0) return 'font';
  // A bitmap's two reserved fields: text may begin with these letters.
  if (hasAt(bytes, 0, 'BM') && hasAt(bytes, 6, '\0\0\0\0')) return 'image';
  // An MPEG audio frame without a tag before it.
  const frame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2 && bytes[1] !== 0xfe;
  return frame ? 'audio' : undefined;
}

function riffKind(bytes: Uint8Array): BinaryKind | undefined {
  if (hasAt(bytes, 8, 'WEBPVP')) return 'image';
  if (hasAt(bytes, 8, 'AVI ')) return 'video';
  return hasAt(bytes, 8, 'WAVE') || hasAt(bytes, 8, 'AIFF') ? 'audio' : undefined;
}

/** MP4 and its relatives, by their major brand. */
function isoMediaKind(bytes: Uint8Array): BinaryKind {
  if (['avif', 'avis', 'heic', 'heix', 'mif1'].some((brand) => hasAt(bytes, 8, brand))) {
    return 'image';
  }
  return hasAt(bytes, 8, 'M4A') || hasAt(bytes, 8, 'M4B') ? 'audio' : 'video';
}

function hasAt(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
