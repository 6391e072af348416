import type { WriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { lastWholeRow } from '../items/last-whole-row.js';
import { OutputError } from './output-error.js';
import type { OutputFile } from './parse-options.js';
import { UsageError } from './usage-error.js';

const FLAGS = { refuse: 'wx', replace: 'w', append: 'a' } as const;
const BLOCK = 65_536;

/**
 * Opens a file for output. Whether it exists is decided by the opening itself, so that two
 * commands at once cannot both believe that a file is new.
 *
 * A file that is added to and does not end with a whole line was cut off, by a kill or a full
 * disk: the rest of a record is removed, any other text is given the end of line it lacks.
 *
 * @param subject - the option, for messages
 * @throws UsageError if the file exists and is neither to be replaced nor to be added to
 * @throws OutputError if it cannot be opened
 */
export async function openOutput(file: OutputFile, subject: string): Promise<WriteStream> {
  try {
    if (file.existing === 'append') await endLastLine(file.path);
    const handle = await open(file.path, FLAGS[file.existing]);
    return handle.createWriteStream({ encoding: 'utf8' });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new UsageError(
        subject,
        'a file that does not exist yet, or --force or --append beside it',
        file.path,
      );
    }
    if (codeOf(error) === 'EISDIR') {
      throw new UsageError(subject, 'the path of a file, not of a folder', file.path);
    }
    throw new OutputError(file.path, error);
  }
}

/**
 * Cuts off what a disk that was full has taken of the last record. Does nothing where that cannot be
 * done.
 *
 * @param isCsv - whether there may be line ends inside of quotes
 */
export async function cutLastLine(path: string, isCsv: boolean): Promise<void> {
  try {
    const handle = await open(path, 'r+');
    try {
      const { size } = await handle.stat();
      const end = isCsv
        ? (await lastWholeRow(handle, size)).keep
        : await startOfLastLine(handle, size);
      if (end < size) await handle.truncate(end);
    } finally {
      await handle.close();
    }
  } catch {
    // What went wrong before is what is told.
  }
}

async function endLastLine(path: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r+');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return;
    const start = await startOfLastLine(handle, stats.size);
    if (start === stats.size) return;
    const head = await readAt(handle, start, Math.min(8, stats.size - start));
    if (head.toString('latin1') === '{"type":') await handle.truncate(start);
    else await handle.write('\n', stats.size);
  } finally {
    await handle.close();
  }
}

/** Where the text after the last line feed begins; the size of the file if there is none. */
async function startOfLastLine(handle: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; end -= BLOCK) {
    const from = Math.max(0, end - BLOCK);
    const at = (await readAt(handle, from, end - from)).lastIndexOf(0x0a);
    if (at !== -1) return from + at + 1;
  }
  return 0;
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
