import { open, type FileHandle } from 'node:fs/promises';
import { defer, ignoreElements, Observable } from 'rxjs';
import { show } from '../core/expect.js';
import { type Expect, oneOf } from '../core/expect-options.js';
import { CrawlError, isCrawlError } from '../core/index.js';
import { messageOf } from '../core/message-of.js';

/** What to do with a file that exists: go on behind its last whole record, replace it, or fail. */
export type FileMode = 'append' | 'overwrite' | 'refuse';

/** Looks at a file that is appended to. */
export type Inspect = (file: FileHandle, size: number) => Promise<Inspected>;

/** What is kept of a file that is appended to. */
export interface Inspected {
  /** Bytes to keep; a record that is cut by a crash lies behind them. */
  readonly keep: number;
  /** Text that its last record lacks. */
  readonly complete?: string;
}

interface Waiting {
  readonly makeText: () => string;
  settle: (error?: unknown) => void;
}

const FLAGS = { append: 'a+', overwrite: 'w', refuse: 'wx' } as const;

/**
 * A text file that is only appended to, in whole records: what waits while a write is on its way
 * goes out as one. A write that fails takes back what it has written and fails its records alone.
 */
export class OutputFile {
  readonly #path: string;
  readonly #mode: FileMode;
  readonly #inspect: Inspect;
  readonly #begin: () => string;
  readonly #waiting: Waiting[] = [];
  #file: FileHandle | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #size = 0;

  /** @param begin - gives what is written when the file has been opened; may throw */
  constructor(path: string, mode: FileMode, inspect: Inspect, begin: () => string = () => '') {
    this.#path = path;
    this.#mode = mode;
    this.#inspect = inspect;
    this.#begin = begin;
  }

  /** Bytes of the file; 0 before it is open. */
  get size(): number {
    return this.#size;
  }

  /** Opens the file, once. */
  open(): Observable<never> {
    return defer(() => this.#open()).pipe(ignoreElements());
  }

  /**
   * Writes whole records. Completes when the system has them.
   *
   * @param makeText - called when it is their turn, the file is open then; may throw
   */
  write(makeText: () => string): Observable<never> {
    return new Observable((subscriber) => {
      if (this.#closing) {
        subscriber.error(this.#failed('the output is closed', undefined));
        return;
      }
      const waiting: Waiting = {
        makeText,
        settle: (error) => (error === undefined ? subscriber.complete() : subscriber.error(error)),
      };
      this.#waiting.push(waiting);
      this.#draining ??= this.#drain();
      // Nobody waits any more, but half a record helps nobody either: it is written.
      subscriber.add(() => (waiting.settle = () => undefined));
    });
  }

  /** Writes what waits, makes it durable and closes, once. */
  close(): Observable<never> {
    return defer(() => (this.#closing ??= this.#close())).pipe(ignoreElements());
  }

  async #open(): Promise<void> {
    this.#opening ??= this.#openNow();
    await this.#opening;
  }

  async #openNow(): Promise<void> {
    try {
      const file = await open(this.#path, FLAGS[this.#mode]);
      this.#file = file;
      if (this.#mode === 'append') await this.#goOn(file);
      await this.#append(this.#begin());
    } catch (cause) {
      await this.#file?.close();
      this.#file = undefined;
      throw isCrawlError(cause) ? cause : this.#failed(openProblem(cause), cause);
    }
  }

  /** Repairs what a crash has left. */
  async #goOn(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    const { keep, complete = '' } = await this.#inspect(file, size);
    if (keep < size) await file.truncate(keep);
    this.#size = keep;
    await this.#append(complete);
  }

  /** Writes all of a text or nothing of it. */
  async #append(text: string): Promise<void> {
    if (text === '') return;
    const bytes = Buffer.from(text);
    try {
      await this.#file?.appendFile(bytes);
      this.#size += bytes.length;
    } catch (cause) {
      // Of a full disk, some bytes may have come through.
      await this.#file?.truncate(this.#size).catch(() => undefined);
      throw cause;
    }
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const openError = await this.#open().catch((error: unknown) => error);
      const batch = this.#waiting.splice(0);
      const error = openError ?? (await this.#writeAll(batch));
      for (const { settle } of batch) settle(error);
    }
    this.#draining = undefined;
  }

  /** Writes a batch, without the records that have no text. */
  async #writeAll(batch: readonly Waiting[]): Promise<CrawlError | undefined> {
    let text = '';
    for (const waiting of batch) {
      try {
        text += waiting.makeText();
      } catch (error) {
        waiting.settle(error);
      }
    }
    try {
      await this.#append(text);
      return undefined;
    } catch (cause) {
      return this.#failed(messageOf(cause), cause);
    }
  }

  async #close(): Promise<void> {
    await this.#draining;
    // A crawl without items leaves an empty file, not that of the last one.
    await this.#open();
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.datasync();
    } catch (cause) {
      // Pipes and devices have nothing to make durable.
      if (!isCode(cause, 'EINVAL', 'ENOTSUP')) throw this.#failed(messageOf(cause), cause);
    } finally {
      await file?.close();
    }
  }

  #failed(what: string, cause: unknown): CrawlError {
    return new CrawlError('sink-failed', `${JSON.stringify(this.#path)}: ${what}`, { cause });
  }
}

function openProblem(cause: unknown): string {
  return isCode(cause, 'EEXIST')
    ? 'the file exists; choose the mode "append" or "overwrite"'
    : messageOf(cause);
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(String((error as { code?: unknown } | undefined)?.code));
}

/** Checks the option `mode`; its default, `refuse`, is the one that destroys nothing. */
export const expectMode: Expect = oneOf('append', 'overwrite', 'refuse');

/** Checks where a file shall be. */
export function expectPath(name: string, path: unknown): void {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return;
  throw new TypeError(`${name}: expected the path of a file, got ${show(path)}`);
}
