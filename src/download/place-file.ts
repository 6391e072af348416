import { link, open, rename } from 'node:fs/promises';
import { type Expect, oneOf } from '../core/expect-options.js';
import { show } from '../core/index.js';
import { codeOf, sinkFailed } from './file-error.js';

/** What to do with a file that exists. */
export type ExistingFile = 'refuse' | 'overwrite' | 'keep';

export const expectExisting: Expect = oneOf('refuse', 'overwrite', 'keep');

export function expectFolder(name: string, path: unknown): void {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return;
  throw new TypeError(`${name}: expected a path, got ${show(path)}`);
}

/** Gives a temporary file its name. It may be left over, for the caller to remove. */
export async function placeFile(
  temporary: string,
  path: string,
  exists: ExistingFile,
): Promise<void> {
  if (exists === 'overwrite') await rename(temporary, path);
  else await putInPlace(temporary, path, exists);
}

/** Gives a file its name unless something has it: a rename would replace that. */
async function putInPlace(
  temporary: string,
  path: string,
  exists: 'refuse' | 'keep',
): Promise<void> {
  try {
    await link(temporary, path);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') {
      if (exists === 'keep') return;
      throw sinkFailed(path, 'the file exists; choose "keep" or "overwrite"', cause);
    }
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(cause))) throw cause;
    // A file system without links: take the name first, then replace what is ours.
    const taken = await open(path, 'wx');
    await taken.close();
    await rename(temporary, path);
  }
}
