/**
 * Puts the four larger examples beside the same programs without rxcrawl, as Markdown: lines of
 * code, and time on the same site, served by this process.
 *
 *     node bench/examples.mjs [--lines] [--latency MS] [--runs N] [--cold] [--only NAME,…]
 *
 * A line counts if it is neither blank nor a comment; the sites, and what starts an example on
 * its site, are the same for both and not counted. `--lines` prints the first table alone.
 *
 * Each run has a process of its own, which prints the time from the call to the result. Before
 * that it does the same on a site without latency, unless `--cold` is given: these sites are so
 * small that otherwise the compiler would be measured. Runs are interleaved; medians are printed.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from './prepare.mjs';

const { values } = parseArgs({
  options: {
    lines: { type: 'boolean', default: false },
    latency: { type: 'string', default: '20' },
    runs: { type: 'string', default: '5' },
    cold: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

const project = join(import.meta.dirname, '..');

/** The examples, the sites that they are about, and what their plain twins share. */
const EXAMPLES = {
  'city-crawler': { site: 'withPeople', shared: ['visit-all'] },
  'image-finder': { site: 'withGallery', shared: ['visit-all', 'save-body'] },
  'modular-framework': { site: 'withGallery', shared: ['visit-all', 'save-body'] },
  'job-board': { site: 'withJobBoard', shared: ['visit-all'] },
};
const CONTESTANTS = {
  'one worker': ['plain', '1'],
  'pool of 16': ['plain', '16'],
  '`simple(16)`': ['simple', '16'],
  '`queued(16)`': ['queued', '16'],
};

const names = values.only?.split(',') ?? Object.keys(EXAMPLES);
console.log(lineTable());
if (!values.lines) console.log(`\n${await timeTable()}`);

function lineTable() {
  const rows = names.map((name) => {
    const own = linesOf(`plain/${name}`);
    const shared = EXAMPLES[name].shared.map((file) => linesOf(`plain/support/${file}`));
    const all = shared.reduce((sum, lines) => sum + lines, own);
    return [name, linesOf(name), own, `${all} = ${[own, ...shared].join(' + ')}`];
  });
  return table(['lines of code', 'rxcrawl', 'plain: itself', 'plain: with what it needs'], rows);
}

function linesOf(name) {
  const text = readFileSync(join(project, 'examples', `${name}.ts`), 'utf8');
  return text
    .split(/^await mainOn/m, 1)[0]
    .split('\n')
    .filter((line) => !/^\s*$|^\s*(?:\/\/|\/\*|\*)|made-up-sites/.test(line)).length;
}

async function timeTable() {
  build();
  const tsc = join(project, 'node_modules/.bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.examples.json'], {
    cwd: project,
    stdio: 'inherit',
  });
  const sites = await import('../.cache/examples/support/made-up-sites.js');
  const rows = [];
  for (const name of names) {
    const withSite = sites[EXAMPLES[name].site];
    const ms = Object.fromEntries(Object.keys(CONTESTANTS).map((contestant) => [contestant, []]));
    const urls = new Set();
    for (let run = 0; run < Number(values.runs); run++) {
      for (const [contestant, args] of Object.entries(CONTESTANTS)) {
        const measure = async (site, ...warmUp) => {
          ms[contestant].push(await timeOf(name, ...args, site.url, ...warmUp));
          urls.add(site.asked.length);
        };
        await withSite(
          (site) => (values.cold ? measure(site) : withSite((warm) => measure(site, warm.url))),
          { latencyMs: Number(values.latency) },
        );
      }
    }
    if (urls.size !== 1) throw new Error(`${name}: not all asked for the same: ${[...urls]}`);
    rows.push([name, ...urls, ...Object.values(ms).map((all) => seconds(median(all)))]);
  }
  return table([`${values.latency} ms an answer`, 'URLs', ...Object.keys(CONTESTANTS)], rows);
}

/** What a run takes, ms. What it writes is removed. */
async function timeOf(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-examples-'));
  try {
    const runner = join(import.meta.dirname, 'runners', 'example.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [runner, ...args], {
      env: { ...process.env, TMPDIR: folder },
    });
    return Number(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function median(all) {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

function table(heads, rows) {
  const all = [heads, heads.map((_, column) => (column === 0 ? '---' : '--:')), ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
