// Builds `dist` where it is missing or older than a source file. What the build prints goes to
// standard error.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the process with 1 if the build fails. */
export function buildIfStale() {
  const built = `${root}dist/cli/main.js`;
  if (existsSync(built) && statSync(built).mtimeMs >= newest(`${root}src`)) return;
  const build = spawnSync('npm run --silent build', {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (build.status !== 0) process.exit(1);
}

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (time, { parentPath, name }) => Math.max(time, statSync(`${parentPath}/${name}`).mtimeMs),
      0,
    );
}
