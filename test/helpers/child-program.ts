import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A program that was started: what it prints can be read, what it complains of is shown. */
export type RunningProgram = ChildProcessByStdio<null, Readable, null>;

/**
 * Bundles a program in TypeScript, with what it imports of `src/`, before the tests of a file, and
 * removes the bundle after them.
 *
 * @param path - absolute
 * @returns starts the program in a process of its own; for use in tests
 */
export function childProgram(
  path: string,
): (argv: readonly string[], flags?: readonly string[]) => RunningProgram {
  let folder: string;
  beforeAll(async () => {
    const cache = join(ROOT, '.cache');
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, 'child-'));
    await build({
      configFile: false,
      root: dirname(path),
      logLevel: 'silent',
      build: { ssr: basename(path), outDir: folder, emptyOutDir: false, minify: false },
    });
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true }));
  return (argv, flags = []) => {
    const bundle = join(folder, basename(path).replace(/\.ts$/, '.js'));
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    return spawn(process.execPath, [...flags, bundle, ...argv], { stdio: [...stdio] });
  };
}
