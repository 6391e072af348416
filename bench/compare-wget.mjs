/**
 * Crawls a folder of HTML, served on loopback, with both strategies and with `wget -r`, and
 * compares the sets of pages that the server was asked for.
 *
 *     node bench/compare-wget.mjs --root /usr/share/doc/python3/html [--start /index.html] [--default-limits]
 *
 * Without `--default-limits` depth and links per page are unlimited, as wget's are. Prints one
 * JSON object; ends with 1 if a strategy asked for a page twice or the strategies differ.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build } from './prepare.mjs';

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    start: { type: 'string', default: '/' },
    'default-limits': { type: 'boolean', default: false },
  },
});
if (values.root === undefined) throw new TypeError('compare-wget: --root names no folder');
build();
const { all, crawl, pathPrefix, queued, sameHost, simple } = await import('../dist/index.js');

/** Serves the folder while `act` runs, and gives what the server was asked for. */
async function served(act) {
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, 'site-server.mjs'), '--root', resolve(values.root), '--list'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  try {
    const origin = new URL((await lines.next()).value);
    const started = performance.now();
    const extra = await act(new URL(values.start, origin).href);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    server.kill('SIGTERM');
    const { answers } = JSON.parse((await lines.next()).value);
    const pages = answers.filter(({ status, type }) => status === 200 && /html/.test(type));
    return { pages: new Map(pages.map((answer) => [answer.url, answer])), answers, seconds, extra };
  } finally {
    server.kill('SIGTERM');
  }
}

async function crawled(strategy, seed) {
  const skips = {};
  const failures = {};
  const limits = values['default-limits'] ? {} : { maxDepth: Infinity, maxLinksPerPage: Infinity };
  await crawl({
    ...{ strategy, ...limits, delay: 0, perHost: 16, robots: false },
    scope: all(sameHost(), pathPrefix(posix.dirname(`${values.start}x`))),
  })(seed).forEach((event) => {
    if (event.type === 'skip') {
      const name = event.detail ? `${event.reason}: ${event.detail}` : event.reason;
      skips[name] = (skips[name] ?? 0) + event.count;
    } else if (event.type === 'failure') {
      failures[event.error.code] = (failures[event.error.code] ?? 0) + 1;
    }
  });
  return { skips, failures };
}

function wget(seed) {
  const folder = mkdtempSync(join(tmpdir(), 'compare-wget-'));
  try {
    const flags = ['-q', '-r', '-l', 'inf', '--no-parent', '-e', 'robots=off', '-P', folder, seed];
    // 8: some answer was an error.
    const { status, error } = spawnSync('wget', flags, { stdio: 'inherit' });
    if (status !== 0 && status !== 8) throw error ?? new Error(`wget ended with ${status}`);
    return {};
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const without = (one, other) => [...one.keys()].filter((url) => !other.has(url)).sort();
const repeated = ({ answers }) => answers.filter(({ times }) => times > 1).map(({ url }) => url);

const queuedRun = await served((seed) => crawled(queued(16), seed));
const simpleRun = await served((seed) => crawled(simple(16), seed));
const wgetRun = await served(async (seed) => wget(seed));

const strategiesDiffer = [
  ...without(queuedRun.pages, simpleRun.pages),
  ...without(simpleRun.pages, queuedRun.pages),
];
const askedTwice = [...repeated(queuedRun), ...repeated(simpleRun)];
const figures = ({ pages, answers, seconds, extra }) => ({
  pages: pages.size,
  urls: answers.length,
  seconds,
  ...extra,
});
console.log(
  JSON.stringify(
    {
      root: values.root,
      queued: figures(queuedRun),
      simple: figures(simpleRun),
      wget: figures(wgetRun),
      strategiesDiffer,
      askedTwice,
      onlyRxcrawl: without(queuedRun.pages, wgetRun.pages),
      onlyWget: without(wgetRun.pages, queuedRun.pages),
    },
    null,
    2,
  ),
);
process.exitCode = strategiesDiffer.length + askedTwice.length > 0 ? 1 : 0;
