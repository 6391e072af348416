import { link, lstat, open, rename } from 'node:fs/promises';
import { show } from '../core/expect.js';
import { type Expect, oneOf } from '../core/expect-options.js';

import { codeOf, sinkFailed } from './file-error.js';

/** What to do with a file that exists. */
export type ExistingFile = 'refuse' | 'overwrite' | 'keep';

export const expectExisting: Expect = oneOf('refuse', 'overwrite', 'keep');

export function expectFolder(name: string, path: unknown): void {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return;
  throw new TypeError(`${name}: expected a path, got ${show(path)}`);
}

/**
 * Gives a temporary file its name. It may be left over, for the caller to remove.
 *
 * @returns whether it has the name; otherwise what was there is kept
 */
export async function placeFile(
  temporary: string,
  path: string,
  exists: ExistingFile,
): Promise<boolean> {
  if (exists !== 'overwrite') return putInPlace(temporary, path, exists);
  await expectFile(path);
  await rename(temporary, path);
  return true;
}

/** Gives a file its name unless something has it: a rename would replace that. */
async function putInPlace(
  temporary: string,
  path: string,
  exists: 'refuse' | 'keep',
): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') {
      if (exists === 'keep') {
        await expectFile(path);
        return false;
      }
      throw sinkFailed(path, 'the file exists; choose "keep" or "overwrite"', cause);
    }
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(cause))) throw cause;
    // A file system without links: take the name first, then replace what is ours.
    const taken = await open(path, 'wx');
    await taken.close();
    await rename(temporary, path);
    return true;
  }
}

/** Nothing else is kept for a file or replaced by one: a folder, a device, a pipe. */
async function expectFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return;
  throw sinkFailed(path, 'expected a file, something else is there');
}
