// Runs examples: `npm run example` lists them, `npm run example NAME` runs one, and
// `npm run example all` each. They import `rxcrawl` as its users do, so the package is built
// first where that is needed.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = ['', 'plain/'].flatMap((folder) =>
  readdirSync(`${root}examples/${folder}`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => folder + file.slice(0, -3)),
);

const [name] = process.argv.slice(2);
if (name !== 'all' && !names.includes(name)) {
  console.error('Usage: npm run example NAME, where NAME is "all" or one of\n');
  for (const each of names)
    console.error(`${each.padEnd(26)} ${aboutOf(each).split(/[.:](?: |$)/, 1)[0]}`);
  process.exit(name === undefined ? 0 : 2);
}

buildIfStale();
execFileSync(process.execPath, [`${root}node_modules/.bin/tsc`, '-p', 'tsconfig.examples.json'], {
  cwd: root,
  stdio: 'inherit',
});
for (const each of name === 'all' ? names : [name]) {
  console.log(`${each}: ${aboutOf(each)}\n`);
  const { status } = spawnSync(process.execPath, [`${root}.cache/examples/${each}.js`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  console.log(`\nThe code is in examples/${each}.ts.\n`);
}

/** What an example says of itself: the comment that it begins with, on one line. */
function aboutOf(each) {
  const lines = readFileSync(`${root}examples/${each}.ts`, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('// '));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join(' ');
}
