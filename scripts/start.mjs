// Runs the command from a checkout: builds it first where that is needed. Without a URL it
// serves a small bundled site on loopback and crawls that.
import { spawn, spawnSync } from 'node:child_process';
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
  const build = spawnSync('npm run --silent build', {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (build.status !== 0) process.exit(1);
}

const given = process.argv.slice(2);
// A seed has a dot or a colon in it; numbers, times and names of options have none.
const standsAlone = given.some(
  (word) => /[.:]/.test(word) || /^(-$|-i|-h|--(input|demo|help|version|list-fields))/.test(word),
);
const child = spawn(process.execPath, [command, ...given, ...(standsAlone ? [] : ['--demo'])], {
  stdio: 'inherit',
});
// Ctrl-C reaches both from the terminal; the command decides when to end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (status) => (process.exitCode = status ?? 1));
