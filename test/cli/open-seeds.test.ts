import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSeeds, type OpenedSeeds } from '../../src/cli/open-seeds.js';
import type { SeedSource } from '../../src/cli/parse-options.js';
import { UsageError } from '../../src/cli/usage-error.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-seeds-'));
});
afterEach(() => rm(folder, { recursive: true }));

const errors: string[] = [];
function open(sources: readonly SeedSource[], stdin = Readable.from([])): Promise<OpenedSeeds> {
  errors.length = 0;
  return openSeeds(sources, {
    stdin: () => stdin,
    onReadError: (where) => errors.push(where),
    onDemo: () => undefined,
  });
}

async function collect({ seeds, close }: OpenedSeeds): Promise<string[]> {
  const all: string[] = [];
  for await (const seed of seeds) all.push(seed);
  close();
  return all;
}

describe('openSeeds', () => {
  it('chains its sources', async () => {
    const path = join(folder, 'list.txt');
    await writeFile(path, 'b\nc\n');
    const sources: SeedSource[] = [
      { from: 'argument', url: 'a' },
      { from: 'file', path },
      { from: 'stdin' },
      { from: 'argument', url: 'e' },
    ];
    expect(await collect(await open(sources, Readable.from(['d\n'])))).toEqual([
      ...['a', 'b', 'c', 'd', 'e'],
    ]);
  });

  it('refuses what cannot be read before anything is', async () => {
    const missing = open([{ from: 'file', path: join(folder, 'missing.txt') }]);
    await expect(missing).rejects.toThrow(UsageError);
    await expect(missing).rejects.toThrow(/-i, --input: expected a file that can be read \(ENOENT/);
    await expect(open([{ from: 'file', path: folder }])).rejects.toThrow(/a file, not a folder/);
  });

  it('tells of a source that breaks, and reads the others', async () => {
    const broken = new PassThrough();
    broken.write('a\n');
    setImmediate(() => broken.destroy(new Error('cut')));
    const opened = await open([{ from: 'stdin' }, { from: 'argument', url: 'b' }], broken);
    expect(await collect(opened)).toEqual(['a', 'b']);
    expect(errors).toEqual(['standard input']);
  });

  it('lets go of standard input that still waits', async () => {
    const stdin = new PassThrough();
    const { seeds, close, exhausted } = await open([{ from: 'stdin' }], stdin);
    const next = seeds[Symbol.asyncIterator]().next();
    close();
    await expect(next).resolves.toMatchObject({ done: true });
    expect(stdin.destroyed).toBe(true);
    expect(errors).toEqual([]);
    expect(exhausted()).toBe(false);
  });
});
