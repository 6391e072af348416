import { createHash } from 'node:crypto';
import { type BigIntStats, unlinkSync } from 'node:fs';
import { type FileHandle, link, lstat, open, unlink } from 'node:fs/promises';
import { asSinkFailed } from './file-error.js';
import { type ExistingFile, placeFile } from './place-file.js';
import type { TargetFolder } from './target-folder.js';

/** More bytes than these do not wait for the disk: the sender has to. */
const MAX_WAITING = 1_048_576;

/** A file that has its name, and what tells whether another one is under that name meanwhile. */
export interface Twin {
  readonly path: string;
  readonly stats: BigIntStats;
}

/**
 * A file that is written part by part under a temporary name, and has its own when it is whole.
 * Parts are hashed as they are written. After the first failure all that follows fails.
 */
export class PartFile {
  readonly path: string;
  readonly #folder: TargetFolder;
  #temporary: string | undefined;
  #file: FileHandle | undefined;
  #hash = createHash('sha256');
  /** All that has been asked for, one after the other. */
  #work: Promise<void>;
  #waiting = 0;
  #stats: BigIntStats | undefined;
  #size = 0;

  /** @throws CrawlError `sink-failed` if the name leads out of the folder */
  constructor(folder: TargetFolder, name: string) {
    this.path = folder.pathOf(name);
    this.#folder = folder;
    this.#work = this.#open();
    this.#work.catch(() => undefined);
  }

  /** Bytes that were handed over. */
  get size(): number {
    return this.#size;
  }

  /** Takes a part; a promise if the next one has to wait for the disk. */
  write(part: Uint8Array): Promise<void> | undefined {
    const at = this.#size;
    this.#size += part.length;
    this.#waiting += part.length;
    const written = this.#then(async (file) => {
      this.#hash.update(part);
      await writeAt(file, part, at);
      this.#waiting -= part.length;
    });
    return this.#waiting > MAX_WAITING ? written : undefined;
  }

  /** Forgets all parts. */
  restart(): void {
    this.#size = 0;
    void this.#then(async (file) => {
      this.#hash = createHash('sha256');
      await file.truncate(0);
    });
  }

  /** Waits for all parts, makes them durable, and closes the file. Gives the SHA-256, hexadecimal. */
  async close(): Promise<string> {
    await this.#then(async (file) => {
      await file.datasync();
      this.#stats = await file.stat({ bigint: true });
    });
    await this.#close();
    return this.#hash.digest('hex');
  }

  /**
   * Gives the file its name, once it is closed.
   *
   * @param twin - a file with the same content, which gets a second name instead if it can
   * @returns the file, unless what was there is kept
   */
  async place(exists: ExistingFile, twin?: Twin): Promise<Twin | undefined> {
    const placed = this.#work.then(async () => {
      try {
        if (twin !== undefined) await this.#replaceBy(twin);
        if (this.#temporary === undefined) return undefined;
        const isPlaced = await placeFile(this.#temporary, this.path, exists);
        return isPlaced && this.#stats ? { path: this.path, stats: this.#stats } : undefined;
      } catch (cause) {
        throw asSinkFailed(this.path, cause);
      }
    });
    this.#work = placed.then(() => undefined);
    return placed;
  }

  /** Leaves nothing behind but a file that has its name. Never rejects. */
  async discard(): Promise<void> {
    await this.#work.catch(() => undefined);
    await this.#close().catch(() => undefined);
    const temporary = this.#temporary;
    this.#temporary = undefined;
    if (temporary !== undefined) await unlink(temporary).catch(() => undefined);
  }

  /**
   * The same for when nobody can wait: the temporary file is gone when this returns, unless it is
   * just being made. Then, as for the rest, it is as soon as the system has answered.
   */
  abandon(): void {
    try {
      if (this.#temporary !== undefined) unlinkSync(this.#temporary);
    } catch {
      // It has its name already, or is not there yet.
    }
    void this.discard();
  }

  #then(act: (file: FileHandle) => Promise<void>): Promise<void> {
    this.#work = this.#work.then(async () => {
      try {
        if (this.#file !== undefined) await act(this.#file);
      } catch (cause) {
        throw asSinkFailed(this.path, cause);
      }
    });
    this.#work.catch(() => undefined);
    return this.#work;
  }

  async #open(): Promise<void> {
    try {
      this.#temporary = await this.#folder.temporaryBeside(this.path);
      // Exclusive: whatever has been put under this name, a link for one, is not followed.
      this.#file = await open(this.#temporary, 'wx');
    } catch (cause) {
      throw asSinkFailed(this.path, cause);
    }
  }

  async #replaceBy({ path, stats }: Twin): Promise<void> {
    const other = await this.#folder.temporaryBeside(this.path);
    try {
      await link(path, other);
    } catch {
      // It is gone, or the file system knows no links: then there are two copies.
      return;
    }
    if (!isSame(await lstat(other, { bigint: true }), stats)) {
      // Somebody has written to it, or put another file there.
      await unlink(other);
      return;
    }
    this.#stats = stats;
    const copy = this.#temporary;
    this.#temporary = other;
    if (copy !== undefined) await unlink(copy).catch(() => undefined);
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

/** A write may take less than it is given. */
async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
