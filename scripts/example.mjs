// Runs examples: `npm run example` lists them, `npm run example NAME` runs one. They import
// `rxcrawl` as its users do, so the package must have been built.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(`${root}examples`)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));

const [name] = process.argv.slice(2);
if (name !== 'all' && !names.includes(name)) {
  console.error(`Usage: npm run example NAME, where NAME is one of ${names.join(', ')}, or "all"`);
  process.exit(name === undefined ? 0 : 2);
}
if (!existsSync(`${root}dist/index.js`)) {
  console.error('The examples use the built package: run `npm run build` first.');
  process.exit(1);
}

execFileSync(process.execPath, [`${root}node_modules/.bin/tsc`, '-p', 'tsconfig.examples.json'], {
  cwd: root,
  stdio: 'inherit',
});
for (const each of name === 'all' ? names : [name]) {
  if (name === 'all') console.log(`\n${each}`);
  const { status } = spawnSync(process.execPath, [`${root}.cache/examples/${each}.js`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
