// Runs the test suite on another Node: `node scripts/test-on-node.mjs 22.23.3`. The runtime comes
// from npm as a plain package, which needs no install script, and is asked for its version first:
// a runtime that silently stayed the system's must not pass for another.
import { spawnSync } from 'node:child_process';

const version = process.argv[2] ?? '';
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('usage: node scripts/test-on-node.mjs MAJOR.MINOR.PATCH');
  process.exit(2);
}

function node(args, stdio) {
  const runtime = `node-${process.platform}-${process.arch}@${version}`;
  return spawnSync('npx', ['-y', '-p', runtime, '--', 'node', ...args], {
    stdio,
    encoding: 'utf8',
  });
}

const got = node(['--version'], ['ignore', 'pipe', 'inherit']).stdout.trim();
if (got !== `v${version}`) {
  console.error(`expected Node v${version}, got ${got || 'none'}`);
  process.exit(1);
}
console.log(`Tests on Node ${got}`);
process.exit(node(['node_modules/vitest/vitest.mjs', 'run'], 'inherit').status ?? 1);
