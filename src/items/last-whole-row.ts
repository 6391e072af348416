import type { FileHandle } from 'node:fs/promises';
import type { Inspected } from './output-file.js';

const BLOCK = 65_536;
const QUOTE = 0x22;
const LF = 0x0a;

/** Reads a file of CSV once: line breaks inside of quotes end no row. */
export async function lastWholeRow(
  file: FileHandle,
  size: number,
): Promise<Inspected & { readonly head: string | undefined }> {
  const block = Buffer.alloc(BLOCK);
  let isQuoted = false;
  let headEnd = 0;
  let keep = 0;
  for (let start = 0; start < size; start += BLOCK) {
    const { bytesRead } = await file.read(block, 0, BLOCK, start);
    for (let i = 0; i < bytesRead; i++) {
      if (block[i] === QUOTE) isQuoted = !isQuoted;
      else if (block[i] === LF && !isQuoted) {
        keep = start + i + 1;
        headEnd ||= keep;
      }
    }
  }
  const head = Buffer.alloc(headEnd);
  await file.read(head, 0, headEnd, 0);
  return { keep, head: headEnd === 0 ? undefined : head.toString() };
}
