import { createHash } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { defer, type Observable } from 'rxjs';
import type { BarePage, SavedFile } from '../core/index.js';
import { expectFunction } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { contentTypeOf } from './content-type-of.js';
import { asSinkFailed } from './file-error.js';
import { expectExisting, expectFolder, type ExistingFile, placeFile } from './place-file.js';
import { filePathOf } from './safe-file-name.js';
import { TargetFolder } from './target-folder.js';

/** What {@link saveFile} takes. */
export interface SaveFileOptions {
  /** Folder for all files; made if it is absent. Nothing is ever written outside of it. */
  readonly dir: string;
  /**
   * Path inside of `dir` for a page, with `/`. Default {@link filePathOf}: by the URL. For what
   * servers propose see {@link safeFileName}.
   */
  readonly name?: (page: BarePage) => string;
  /** What to do with a file that exists. Default `refuse`. */
  readonly exists?: ExistingFile;
}

/**
 * Makes a function that saves the body of a page as a file. The file appears under its name only
 * when it is whole and durable: it is written under a temporary name in the same folder, flushed,
 * then renamed. A symbolic link that leads out of the folder is not followed, and nothing that
 * exists is replaced unless asked for.
 *
 * Cold; each subscription saves. Errors with `sink-failed`: the disk is full, the folder cannot be
 * written to, the file exists, a name leads out of the folder. No temporary file is left then.
 *
 * @throws TypeError for a wrong option
 *
 * @example
 * ```ts
 * const save = saveFile({ dir: 'pdfs' });
 * crawl({
 *   handle: (page) => (page.url.endsWith('.pdf') ? save(page) : page.follow()),
 * })('https://a.example/').pipe(items()).subscribe(({ path, bytes }) => console.log(path, bytes));
 * ```
 */
export function saveFile(options: SaveFileOptions): (page: BarePage) => Observable<SavedFile> {
  expectOptions('saveFile', options, {
    dir: expectFolder,
    name: expectFunction,
    exists: expectExisting,
  });
  const { dir, name = nameByUrl, exists = 'refuse' } = options;
  expectFolder('saveFile: dir', dir);
  const folder = new TargetFolder(dir);

  return (page) =>
    defer(async (): Promise<SavedFile> => {
      const path = folder.pathOf(name(page));
      try {
        await write(folder, path, page.bytes, exists);
      } catch (cause) {
        throw asSinkFailed(path, cause);
      }
      return {
        url: page.url,
        path,
        bytes: page.bytes.length,
        contentType: contentTypeOf(page.headers),
        sha256: createHash('sha256').update(page.bytes).digest('hex'),
      };
    });
}

async function write(
  folder: TargetFolder,
  path: string,
  bytes: Uint8Array,
  exists: ExistingFile,
): Promise<void> {
  const temporary = await folder.temporaryBeside(path);
  try {
    // Exclusive: whatever has been put under this name, a link for one, is not followed.
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await placeFile(temporary, path, exists);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

function nameByUrl(page: BarePage): string {
  return filePathOf(page.url, { contentType: contentTypeOf(page.headers) });
}
