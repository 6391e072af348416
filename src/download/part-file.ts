import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { type FileHandle, link, open, unlink } from 'node:fs/promises';
import { asSinkFailed } from './file-error.js';
import { type ExistingFile, placeFile } from './place-file.js';
import type { TargetFolder } from './target-folder.js';

/** More bytes than these do not wait for the disk: the sender has to. */
const MAX_WAITING = 1_048_576;

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
    await this.#then((file) => file.datasync());
    await this.#close();
    return this.#hash.digest('hex');
  }

  /**
   * Gives the file its name, once it is closed.
   *
   * @param twin - a file with the same content, which gets a second name instead if it can
   */
  async place(exists: ExistingFile, twin?: string): Promise<void> {
    this.#work = this.#work.then(async () => {
      try {
        if (twin !== undefined) await this.#replaceBy(twin);
        if (this.#temporary !== undefined) await placeFile(this.#temporary, this.path, exists);
      } catch (cause) {
        throw asSinkFailed(this.path, cause);
      }
    });
    await this.#work;
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

  async #replaceBy(twin: string): Promise<void> {
    const other = await this.#folder.temporaryBeside(this.path);
    try {
      await link(twin, other);
    } catch {
      // It is gone, or the file system knows no links: then there are two copies.
      return;
    }
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

/** A write may take less than it is given. */
async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
