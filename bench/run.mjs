/**
 * Crawls one site with rxcrawl and with its peers, and prints what each took.
 *
 *     npm run bench -- [--pages N | --root DIR [--start PATH]] [--runs N] [--only NAME,…] [--json FILE]
 *
 * Each crawl has a process of its own, and so has the site. Runs are interleaved, so that a
 * slow minute of the machine does not fall on one of them alone; medians are printed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { build, installPeers } from './prepare.mjs';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    root: { type: 'string' },
    start: { type: 'string', default: '/' },
    runs: { type: 'string', default: '1' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});

const here = (...path) => join(import.meta.dirname, ...path);
const node = (script, ...args) => [process.execPath, here('runners', script), ...args];
const FLOOR = 'bare loop';

/**
 * The contestants: command line for a seed. `measured` ones print what they took themselves;
 * of the others the process is watched from outside, so starting up counts for them. A
 * contestant whose `needs` command does not run is left out.
 */
const CONTESTANTS = {
  [FLOOR]: { command: (seed) => node('bare.mjs', seed), measured: true },
  'rxcrawl simple': { command: (seed) => node('rxcrawl.mjs', seed, 'simple'), measured: true },
  'rxcrawl queued': { command: (seed) => node('rxcrawl.mjs', seed, 'queued'), measured: true },
  'rxcrawl bare fetcher': {
    command: (seed) => node('rxcrawl.mjs', seed, 'queued', 'bare'),
    measured: true,
  },
  'rxcrawl with $': { command: (seed) => node('rxcrawl.mjs', seed, 'queued', '$'), measured: true },
  'Crawlee CheerioCrawler': { command: (seed) => node('crawlee.mjs', seed), measured: true },
  Scrapy: {
    needs: ['/usr/bin/python3', '-c', 'import scrapy'],
    command: (seed) => ['/usr/bin/python3', here('runners', 'scrapy_links.py'), seed],
  },
  'wget -r': {
    needs: ['wget', '--version'],
    command: (seed, folder) => [
      ...['wget', '-q', '-r', '-l', 'inf', '-e', 'robots=off', '--delete-after', '-P', folder],
      seed,
    ],
  },
};

/** Serves the site while `use` runs; adds what the server saw to the result. */
async function withSite(use) {
  const site = options.root === undefined ? ['--pages', options.pages] : ['--root', options.root];
  const server = spawn(process.execPath, [here('site-server.mjs'), ...site], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout });
  try {
    const [address] = await once(lines, 'line');
    const result = await use(new URL(options.start, address).href);
    const answer = once(lines, 'line');
    server.kill('SIGTERM');
    return { ...result, served: JSON.parse((await answer)[0]) };
  } finally {
    server.kill('SIGKILL');
  }
}

/** CPU and peak memory of a running process, from /proc; `undefined` once it has ended. */
function usage(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    if (peak === null) return undefined;
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, peakMb: peak[1] / 1024 };
  } catch {
    return undefined;
  }
}

async function crawl(contestant, seed) {
  const folder = mkdtempSync(join(tmpdir(), 'rxcrawl-bench-'));
  const [program, ...args] = contestant.command(seed, folder);
  const start = performance.now();
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let watched;
  child.stdout.on('data', (chunk) => (output += chunk));
  const watch = setInterval(() => (watched = usage(child.pid) ?? watched), 20);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  rmSync(folder, { recursive: true });
  if (!contestant.measured) return { ...watched, wallMs: performance.now() - start };
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return JSON.parse(output);
}

function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function summary(name, results) {
  const pages = results[0].served.pages;
  const of = (pick) => median(results.map(pick));
  return {
    name,
    pages,
    cpuMsPerPage: of(({ cpuMs }) => cpuMs / pages),
    pagesPerSecond: of(({ wallMs }) => (pages / wallMs) * 1000),
    peakMb: of(({ peakMb }) => peakMb),
  };
}

function table(rows) {
  const floor = rows.find(({ name }) => name === FLOOR)?.cpuMsPerPage;
  const cells = [
    ['crawler', 'pages', 'CPU ms/page', 'of bare loop', 'pages/s', 'peak MB'],
    ['---', '--:', '--:', '--:', '--:', '--:'],
    ...rows.map((row) => [
      row.name,
      String(row.pages),
      row.cpuMsPerPage.toFixed(2),
      floor === undefined ? '–' : (row.cpuMsPerPage / floor).toFixed(2),
      row.pagesPerSecond.toFixed(0),
      row.peakMb.toFixed(0),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const pad = (cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return cells.map((row) => `| ${row.map(pad).join(' | ')} |`).join('\n');
}

function isInstalled({ needs }) {
  return needs === undefined || spawnSync(needs[0], needs.slice(1)).status === 0;
}

const wanted = options.only?.split(',') ?? Object.keys(CONTESTANTS);
for (const name of wanted) {
  if (!(name in CONTESTANTS)) {
    console.error(`--only: no ${name}; there are ${Object.keys(CONTESTANTS).join(', ')}`);
    process.exit(2);
  }
}
if (wanted.some((name) => name.startsWith('rxcrawl'))) build();
if (wanted.some((name) => name.startsWith('Crawlee'))) installPeers();
const names = wanted.filter((name) => {
  const installed = isInstalled(CONTESTANTS[name]);
  if (!installed) console.error(`${name}: not installed, left out`);
  return installed;
});

const results = new Map(names.map((name) => [name, []]));
for (let run = 1; run <= Number(options.runs); run++) {
  for (const name of names) {
    console.error(`run ${run} of ${options.runs}: ${name}`);
    results.get(name).push(await withSite((seed) => crawl(CONTESTANTS[name], seed)));
  }
}

const rows = names.map((name) => summary(name, results.get(name)));
console.log(table(rows));
if (options.json !== undefined) {
  writeFileSync(
    options.json,
    `${JSON.stringify({ options, rows, results: [...results] }, null, 2)}\n`,
  );
}

/** All must have found the same number of pages, and have read as many as they were served. */
const expected = options.root === undefined ? Number(options.pages) : rows[0].pages;
for (const [name, runs] of results) {
  for (const { served, pages = served.pages } of runs) {
    if (served.pages === expected && pages === expected) continue;
    process.exitCode = 1;
    console.error(`${name}: served ${served.pages} pages, read ${pages}, expected ${expected}`);
  }
}
