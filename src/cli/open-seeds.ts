import { open, type FileHandle } from 'node:fs/promises';
import type { SeedSource } from './parse-options.js';
import { readSeeds } from './read-seeds.js';
import { UsageError } from './usage-error.js';

/** Standard input, as far as it is used here. */
export interface SeedInput extends AsyncIterable<Uint8Array | string> {
  destroy(): unknown;
}

/** The seeds of a crawl. */
export interface OpenedSeeds {
  /** Read as they are used, once. */
  readonly seeds: AsyncIterable<string>;
  /** Lets go of every file, and of standard input; a program that reads it could not end. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the files that seeds come from, so that one that cannot be read is known before
 * anything is fetched, and chains all sources to one list that is read as it is used.
 *
 * @param sources - in the order in which they are read
 * @param stdin - asked for only if it is among the sources
 * @param onReadError - told when a file or standard input breaks while it is read; the sources
 *   after it are still read
 * @throws UsageError if a file cannot be opened
 */
export async function openSeeds(
  sources: readonly SeedSource[],
  stdin: () => SeedInput,
  onReadError: (where: string, error: unknown) => void,
): Promise<OpenedSeeds> {
  const parts: (() => AsyncIterable<string> | Iterable<string>)[] = [];
  const closers: (() => unknown)[] = [];
  for (const source of sources) {
    switch (source.from) {
      case 'argument':
        parts.push(() => [source.url]);
        break;
      case 'file': {
        const handle = await openFile(source.path);
        closers.push(() => handle.close());
        parts.push(() => guard(handle.createReadStream(), source.path));
        break;
      }
      case 'stdin':
        closers.push(() => stdin().destroy());
        parts.push(() => guard(stdin(), 'standard input'));
        break;
      case 'demo':
        break;
    }
  }

  async function* guard(
    bytes: AsyncIterable<Uint8Array | string>,
    where: string,
  ): AsyncGenerator<string> {
    try {
      yield* readSeeds(bytes);
    } catch (error) {
      onReadError(where, error);
    }
  }

  async function* chain(): AsyncGenerator<string> {
    for (const part of parts) yield* part();
  }
  return {
    seeds: chain(),
    close: async () => {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

async function openFile(path: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    if (!(await handle.stat()).isDirectory()) return handle;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError('option -i, --input', `a file that can be read (${why})`, path);
  }
  await handle.close();
  throw new UsageError('option -i, --input', 'a file, not a folder', path);
}
