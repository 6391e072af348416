import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { defer, type Observable } from 'rxjs';
import { CrawlError, isCrawlError, type BarePage } from '../core/index.js';
import { checkNames, checkType } from '../fetch/check-options.js';
import { filePathOf } from './safe-file-name.js';

/** A file that was written. */
export interface SavedFile {
  /** The URL that answered. */
  readonly url: string;
  /** Absolute path. */
  readonly path: string;
  /** Size, bytes. */
  readonly bytes: number;
  /** `Content-Type` as the server named it. */
  readonly contentType: string | undefined;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
}

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
  readonly exists?: 'refuse' | 'overwrite' | 'keep';
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
  checkNames('saveFile', options, ['dir', 'name', 'exists']);
  const { dir, name = nameByUrl, exists = 'refuse' } = options;
  if (typeof dir !== 'string' || dir === '') {
    throw new TypeError(`saveFile: dir: expected a path, got ${JSON.stringify(dir)}`);
  }
  checkType('saveFile', 'name', name, 'function');
  if (!['refuse', 'overwrite', 'keep'].includes(exists)) {
    throw new TypeError(
      `saveFile: exists: expected "refuse", "overwrite" or "keep", got ${JSON.stringify(exists)}`,
    );
  }
  const root = resolve(dir);

  return (page) =>
    defer(async (): Promise<SavedFile> => {
      const path = resolve(root, name(page));
      try {
        await write(root, path, page.bytes, exists);
      } catch (cause) {
        throw isCrawlError(cause) ? cause : failed(path, messageOf(cause), cause);
      }
      return {
        url: page.url,
        path,
        bytes: page.bytes.length,
        contentType: contentTypeOf(page),
        sha256: createHash('sha256').update(page.bytes).digest('hex'),
      };
    });
}

async function write(
  root: string,
  path: string,
  bytes: Uint8Array,
  exists: 'refuse' | 'overwrite' | 'keep',
): Promise<void> {
  if (!isInside(root, path)) throw failed(path, 'the name leads out of the folder');
  const folder = dirname(path);
  await makeFolder(root, folder);
  // Exclusive: whatever has been put under this name, a link for one, is not followed.
  const temporary = join(folder, `.${randomBytes(9).toString('hex')}.part`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (exists === 'overwrite') await rename(temporary, path);
    else await putInPlace(temporary, path, exists);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
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
      throw failed(path, 'the file exists; choose "keep" or "overwrite"', cause);
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
      throw failed(join(folder, basename(made)), 'a link leads out of the folder');
    }
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function nameByUrl(page: BarePage): string {
  return filePathOf(page.url, { contentType: contentTypeOf(page) });
}

function contentTypeOf({ headers }: BarePage): string | undefined {
  const contentType = headers['content-type'];
  return typeof contentType === 'string' ? contentType : undefined;
}

function failed(path: string, what: string, cause?: unknown): CrawlError {
  return new CrawlError('sink-failed', `${JSON.stringify(path)}: ${what}`, { cause });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
