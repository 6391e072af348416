import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, startSite } from '../servers/site-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MB = 2 ** 20;
let folder: string;
let site: SiteServer;

beforeAll(async () => {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.cache/lifecycle-'));
  await promisify(execFile)(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist')],
    { cwd: ROOT },
  );
  const filler = 'lorem ipsum dolor sit amet '.repeat(MB / 27);
  const fill = `<p>${filler}</p>`;
  site = await startSite((path) => {
    const [, kind, name] = path.split('/');
    if (kind === 'small') return `<title>${path}</title><a href="/small/${Number(name) + 1}">x</a>`;
    if (kind === 'large')
      return `<title>${`A title of forty characters: ${name ?? ''}`.padEnd(40)}</title>${fill}`;
    return undefined;
  });
}, 60_000);
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

/** Runs a program that has `rxcrawl` and `rxjs` at hand; what it printed, and how it ended. */
async function run(
  program: string,
  ...flags: string[]
): Promise<{ code: number; out: string; err: string }> {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    file,
    `import * as rx from 'rxjs';
     import v8 from 'node:v8';
     import { crawl, items, pages, queued, simple, undiciFetcher } from './dist/index.js';
     const ORIGIN = ${JSON.stringify(site.origin)};
     process.on('exit', () => console.log('exit at', Date.now()));
     ${program}`,
  );
  // The flag: see test/fetch/process-exit.test.ts.
  const child = spawn(process.execPath, ['--liftoff-only', ...flags, file]);
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}
const numberAfter = (word: string, text: string): number =>
  Number(new RegExp(`${word} (\\d+)`).exec(text)?.[1]);

describe('a process', () => {
  it.each([
    [
      'when its crawl is complete',
      `crawl({ delay: 0, maxPages: 20 })(ORIGIN + '/small/0').pipe(pages(), rx.count())
         .subscribe((n) => console.log('pages', n, '\\ndone at', Date.now()));`,
    ],
    [
      'when its crawl is unsubscribed, though a handler hangs',
      `const sub = crawl({ delay: 500, handle: () => new Promise(() => {}) })(ORIGIN + '/small/0').subscribe();
       setTimeout(() => { sub.unsubscribe(); console.log('done at', Date.now()); }, 150);`,
    ],
    [
      'when a handler rejects after the crawl has ended',
      `const sub = crawl({ delay: 0, handle: async () => { await new Promise((r) => setTimeout(r, 200)); throw new Error('late'); } })
         (ORIGIN + '/small/0').subscribe();
       setTimeout(() => { sub.unsubscribe(); console.log('done at', Date.now()); }, 150);`,
    ],
  ])('ends by itself %s', async (_when, program) => {
    const { code, out, err } = await run(program);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(numberAfter('exit at', out) - numberAfter('done at', out)).toBeLessThan(1_000);
  });
});

describe('memory', () => {
  it('of 2,000 pages of 1 MB, of which a title each is kept, stays under 16 MB', async () => {
    const { code, out, err } = await run(
      `const seeds = Array.from({ length: 2000 }, (_, i) => ORIGIN + '/large/' + i);
       globalThis.gc();
       const start = process.memoryUsage().heapUsed;
       crawl({ strategy: queued(4), delay: 0, perHost: 4, *handle(page) { yield page.title; } })(seeds)
         .pipe(items(), rx.toArray())
         .subscribe((titles) => {
           globalThis.gc();
           const { heapUsed } = process.memoryUsage();
           console.log('titles', titles.length, 'length', titles[0].length);
           console.log('kept', Math.max(0, Math.round((heapUsed - start) / 1024)));
         });`,
      '--expose-gc',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(numberAfter('titles', out)).toBe(2_000);
    expect(numberAfter('kept', out)).toBeLessThan(16 * 1024);
  }, 240_000);

  it('of a slow consumer is that of a page a worker', async () => {
    const { code, out, err } = await run(
      `const seeds = Array.from({ length: 400 }, (_, i) => ORIGIN + '/large/' + i);
       let most = 0;
       crawl({
         strategy: queued(4), delay: 0, perHost: 4,
         handle: (page) => [page],
         sink: () => rx.timer(2),
       })(seeds).pipe(items(), rx.filter((_, i) => i % 20 === 19)).subscribe({
         next: () => { globalThis.gc(); const { heapUsed, external } = process.memoryUsage(); most = Math.max(most, heapUsed + external); },
         complete: () => console.log('most', Math.round(most / 2 ** 20)),
       });`,
      '--expose-gc',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(numberAfter('most', out)).toBeLessThan(96);
  }, 240_000);

  // What survives quick collections waits for a full one. That may keep every request that was
  // ever answered, if a single thing that is long dead still leads to it: see src/core/roster.ts.
  it.each(['queued', 'simple'])(
    'of answered requests needs no full collection: %s',
    async (name) => {
      const { code, out, err } = await run(
        `const seeds = Array.from({ length: 4000 }, (_, i) => ORIGIN + '/small/' + i);
       const fetch = undiciFetcher();
       const fetcher = (request, context) => fetch(request, { ...context, ballast: new Array(4000).fill(0) });
       const oldSpace = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size;
       let before, survived = 0;
       crawl({ fetcher, strategy: ${name}(16), delay: 0, perHost: 16, maxDepth: 0 })(seeds)
         .pipe(pages(), rx.bufferCount(20), rx.skip(50))
         .subscribe({
           next: () => { const now = oldSpace(); survived += Math.max(0, now - (before ?? now)); before = now; },
           complete: () => console.log('survived', Math.round(survived / 2 ** 20)),
         });`,
        '--max-semi-space-size=4',
        // With it V8 may take the lists of teardowns in rxjs for long-lived, and they do the same.
        '--no-allocation-site-pretenuring',
      );
      expect({ code, err }).toEqual({ code: 0, err: '' });
      // With a Set of running exchanges it is 90 MB.
      expect(numberAfter('survived', out)).toBeLessThan(45);
    },
  );
});
