import { randomBytes } from 'node:crypto';
import { link, mkdir, open, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type Expect, oneOf } from '../core/expect-options.js';
import { CrawlError, isCrawlError, show } from '../core/index.js';

/** What to do with a file that exists. */
export type ExistingFile = 'refuse' | 'overwrite' | 'keep';

export const expectExisting: Expect = oneOf('refuse', 'overwrite', 'keep');

export function expectFolder(name: string, path: unknown): void {
  if (typeof path === 'string' && path !== '') return;
  throw new TypeError(`${name}: expected a path, got ${show(path)}`);
}

/**
 * A path for a temporary file in the folder of another one, which is made.
 *
 * @throws CrawlError `sink-failed` if the path, or a link on the way, leads out of the root
 */
export async function temporaryBeside(root: string, path: string): Promise<string> {
  checkInside(root, path);
  const folder = dirname(path);
  await makeFolder(root, folder);
  return join(folder, `.${randomBytes(9).toString('hex')}.part`);
}

/** @throws CrawlError `sink-failed` if the path leads out of the root */
export function checkInside(root: string, path: string): void {
  if (!isInside(root, path)) throw sinkFailed(path, 'the name leads out of the folder');
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

/** Makes a folder below the root, and makes sure that no link on the way leads out of it. */
async function makeFolder(root: string, folder: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const realRoot = await realpath(root);
  let made = realRoot;
  for (const segment of folder.slice(root.length).split(sep)) {
    if (segment === '') continue;
    made = join(made, segment);
    await mkdir(made).catch((cause: unknown) => {
      if (codeOf(cause) !== 'EEXIST') throw cause;
    });
    made = await realpath(made);
    if (made !== realRoot && !isInside(realRoot, made)) {
      throw sinkFailed(join(folder, basename(made)), 'a link leads out of the folder');
    }
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** What went wrong with a file, as an error of its request. */
export function asSinkFailed(path: string, cause: unknown): CrawlError {
  if (isCrawlError(cause)) return cause;
  return sinkFailed(path, cause instanceof Error ? cause.message : String(cause), cause);
}

function sinkFailed(path: string, what: string, cause?: unknown): CrawlError {
  return new CrawlError('sink-failed', `${JSON.stringify(path)}: ${what}`, { cause });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
