// Runs the command from a checkout: builds it first where that is needed. Without a URL it
// serves a small bundled site on loopback and crawls that.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (time, { parentPath, name }) => Math.max(time, statSync(`${parentPath}/${name}`).mtimeMs),
      0,
    );
}

if (!existsSync(command) || statSync(command).mtimeMs < newest(`${root}/src`)) {
  const { status } = spawnSync('npm run --silent build', {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (status !== 0) process.exit(1);
}

const given = process.argv.slice(2);
const { status, signal } = spawnSync(
  process.execPath,
  [command, ...(given.length > 0 ? given : ['--demo'])],
  {
    stdio: 'inherit',
  },
);
process.exitCode = signal ? 1 : (status ?? 1);
