import { type FileHandle, open } from 'node:fs/promises';
import { Subscription } from 'rxjs';
import { messageOf } from '../core/message-of.js';
import { demoSite } from './demo-site.js';
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
  /** Whether all of them have been read. */
  readonly exhausted: () => boolean;
  /** Ends the list where it is; what was waiting for more input stops waiting. */
  readonly stop: () => void;
  /** Lets go of every file and server, and of standard input: a program that reads it cannot end. */
  readonly close: () => void;
}

/** What {@link openSeeds} needs of the world. */
export interface SeedSystem {
  /** Asked for only if standard input is among the sources. */
  readonly stdin: () => SeedInput;
  /** Told when a file or standard input breaks; the sources after it are still read. */
  readonly onReadError: (where: string, error: unknown) => void;
  /** Told where the demo site is. */
  readonly onDemo: (url: string) => void;
}

/**
 * Opens the files that seeds come from, so that one that cannot be read is known before
 * anything is fetched, and chains all sources to one list that is read as it is used.
 *
 * @param sources - in the order in which they are read
 * @throws UsageError if a file cannot be opened
 */
export async function openSeeds(
  sources: readonly SeedSource[],
  system: SeedSystem,
): Promise<OpenedSeeds> {
  const parts: (() => AsyncIterable<string> | Iterable<string>)[] = [];
  const inputs: SeedInput[] = [];
  const demo = new Subscription();
  let stopped = false;
  let exhausted = false;

  const addInput = (input: SeedInput, where: string): void => {
    inputs.push(input);
    parts.push(() => guard(input, where));
  };

  async function* guard(input: SeedInput, where: string): AsyncGenerator<string> {
    try {
      yield* readSeeds(input);
    } catch (error) {
      if (!stopped) system.onReadError(where, error);
    }
  }

  async function* chain(): AsyncGenerator<string> {
    for (const part of parts) {
      for await (const seed of part()) {
        if (stopped) return;
        yield seed;
      }
    }
    exhausted = !stopped;
  }

  const stop = (): void => {
    stopped = true;
    for (const input of inputs) input.destroy();
  };

  for (const source of sources) {
    switch (source.from) {
      case 'argument':
        parts.push(() => [source.url]);
        break;
      case 'file':
        addInput(await openFile(source.path), source.path);
        break;
      case 'stdin':
        addInput(system.stdin(), 'standard input');
        break;
      case 'demo':
        parts.push(() => startDemo(demo, system.onDemo));
        break;
    }
  }

  return {
    seeds: chain(),
    exhausted: () => exhausted,
    stop,
    close: () => {
      stop();
      demo.unsubscribe();
    },
  };
}

async function* startDemo(
  running: Subscription,
  onStart: (url: string) => void,
): AsyncGenerator<string> {
  yield await new Promise<string>((resolve, reject) => {
    running.add(
      demoSite().subscribe({
        next: (url) => {
          onStart(url);
          resolve(url);
        },
        error: reject,
      }),
    );
  });
}

async function openFile(path: string): Promise<SeedInput> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError('option -i, --input', `a file that can be read (${why})`, path);
  }
  await handle.close();
  throw new UsageError('option -i, --input', 'a file, not a folder', path);
}
