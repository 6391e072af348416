// Reading ASCII syntax in bytes whose encoding is not known yet.

/** ASCII white space. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c;
}

/** ASCII letters. */
export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Whether bytes begin with an ASCII text. */
export function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Whether the bytes from `start` to `end` are an ASCII word in lower case, without regard to case. */
export function isWord(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length || end > bytes.length) return false;
  for (let index = 0; index < word.length; index++) {
    const byte = bytes[start + index] ?? 0;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lower !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** Bytes from `start` to `end` as Latin-1 text. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.toString('latin1', start, end);
}
