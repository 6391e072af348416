import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The command, compiled once for a test file. */
export interface BuiltCommand {
  /** Path of the script. */
  readonly main: string;
  /** Starts it with open pipes; everything that it writes is kept. */
  readonly start: (argv: readonly string[]) => RunningCommand;
  /** Runs it to its end, with nothing on standard input. */
  readonly run: (...argv: readonly string[]) => Promise<EndedCommand>;
  readonly remove: () => Promise<void>;
}

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<EndedCommand>;
}

export interface EndedCommand {
  /** `null` if a signal killed it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Compiles the project to a folder of its own, as `npm run build` would. */
export async function buildCommand(): Promise<BuiltCommand> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'cli-'));
  await promisify(execFile)(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['-p', 'tsconfig.build.json', '--outDir', folder],
    { cwd: ROOT },
  );
  const main = join(folder, 'cli/main.js');
  const start = (argv: readonly string[]): RunningCommand =>
    watch(spawn(process.execPath, [main, ...argv], { env: { PATH: process.env['PATH'] } }));
  return {
    main,
    start,
    run: (...argv) => {
      const running = start(argv);
      running.child.stdin.end();
      return running.ended;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Collects what a child process writes. */
export function watch(child: ChildProcessWithoutNullStreams): RunningCommand {
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const ended = new Promise<EndedCommand>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { child, out: () => out, err: () => err, ended };
}
