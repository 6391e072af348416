import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

import { show } from '../core/expect.js';
import { makeFolder } from '../fetch/make-folder.js';
import { codeOf, sinkFailed } from './file-error.js';

const TEMPORARY = /^\.[0-9a-f]{18}\.part$/;
/** Whatever is still being written has changed since, ms. */
const STALE = 3_600_000;
/** Bytes of a path: what Linux takes. Longer ones would be made folder by folder, in vain. */
const MAX_PATH = 4_095;
/** Folders that are remembered as swept. */
const MAX_SWEPT = 10_000;

/** The folder of all files of a run. Nothing is made outside of it. */
export class TargetFolder {
  readonly #root: string;
  readonly #swept = new Set<string>();

  constructor(dir: string) {
    this.#root = resolve(dir);
  }

  /**
   * The absolute path of a file.
   *
   * @param name - whatever a function of the user returned
   * @throws CrawlError `sink-failed` if it lies outside, or can be no path
   */
  pathOf(name: unknown): string {
    if (typeof name !== 'string' || name.includes('\0')) {
      throw sinkFailed(this.#root, `expected the name of a file, got ${show(name)}`);
    }
    const path = resolve(this.#root, name);
    if (!isInside(this.#root, path)) throw sinkFailed(path, 'the name leads out of the folder');
    if (Buffer.byteLength(path) > MAX_PATH) {
      throw sinkFailed(
        this.#root,
        `expected a path of at most ${MAX_PATH} bytes, got ${show(path)}`,
      );
    }
    return path;
  }

  /**
   * A path for a temporary file in the folder of another one, which is made. Temporary files that
   * a process that was killed has left there are removed.
   *
   * @throws CrawlError `sink-failed` if a link on the way leads out
   */
  async temporaryBeside(path: string): Promise<string> {
    const folder = dirname(path);
    await this.#make(folder);
    if (!this.#swept.has(folder)) {
      if (this.#swept.size >= MAX_SWEPT) this.#swept.clear();
      this.#swept.add(folder);
      await sweep(folder);
    }
    return join(folder, `.${randomBytes(9).toString('hex')}.part`);
  }

  /** Makes a folder, and makes sure that no link on the way leads out. */
  async #make(folder: string): Promise<void> {
    await makeFolder(this.#root);
    const realRoot = await realpath(this.#root);
    let made = realRoot;
    for (const segment of folder.slice(this.#root.length).split(sep)) {
      if (segment === '') continue;
      made = join(made, segment);
      if (!(await isLink(made))) continue;
      const link = made;
      made = await realpath(link);
      if (made !== realRoot && !isInside(realRoot, made)) {
        throw sinkFailed(link, 'the link leads out of the folder');
      }
    }
  }
}

/** Makes a folder where nothing is; whether a link is there. */
async function isLink(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return false;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return (await lstat(path)).isSymbolicLink();
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Others may do the same at once, or use the folder in other ways: what cannot be removed stays. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => TEMPORARY.test(each))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > STALE) await unlink(path).catch(() => undefined);
  }
}
