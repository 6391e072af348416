// Runs the command from a checkout: builds it first where that is needed. Without a URL it
// serves a small bundled site on loopback and crawls that.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
buildIfStale();

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
