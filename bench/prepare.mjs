/** What the benchmarks need before they run: a fresh build, and the peers from npm. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const bench = import.meta.dirname;
const project = join(bench, '..');

function npm(...args) {
  execFileSync('npm', args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Builds `dist` if it is missing or older than a source file. */
export function build() {
  const built = join(project, 'dist', 'index.js');
  const source = join(project, 'src');
  const time = existsSync(built) ? statSync(built).mtimeMs : 0;
  const files = readdirSync(source, { recursive: true });
  if (files.some((file) => statSync(join(source, file)).mtimeMs > time)) npm('run', 'build');
}

/** Installs what `bench/package-lock.json` names, if it is not there. */
export function installPeers() {
  if (!existsSync(join(bench, 'node_modules'))) npm('ci', '--prefix', bench, '--ignore-scripts');
}
