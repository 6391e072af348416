import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A program that was started: what it prints can be read, errors are shown. */
export type RunningProgram = ChildProcessByStdio<null, Readable, null>;

/**
 * Bundles a program in TypeScript, with what it imports of `src/`, and gives a function that starts
 * it in a process of its own. The bundle is gone after the test file.
 *
 * @param path - absolute
 */
export async function childProgram(
  path: string,
): Promise<(argv: readonly string[], flags?: readonly string[]) => RunningProgram> {
  const cache = join(ROOT, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'child-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  await build({
    configFile: false,
    root: dirname(path),
    logLevel: 'silent',
    build: { ssr: basename(path), outDir: folder, emptyOutDir: false, minify: false },
  });
  const bundle = join(folder, basename(path).replace(/\.ts$/, '.js'));
  return (argv, flags = []) =>
    spawn(process.execPath, [...flags, bundle, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
}
