import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lastValueFrom, toArray } from 'rxjs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crawl, queued, simple } from '../src/index.js';
import { type DocTree, docTree } from './doc-tree.js';
import { scratchFolder } from './helpers/scratch-folder.js';
import { type SiteServer, startSite } from './servers/site-server.js';

const hasWget = spawnSync('wget', ['--version']).status === 0;

const folder = scratchFolder();
let tree: DocTree;
let site: SiteServer;

beforeAll(async () => {
  tree = docTree(300, 4);
  site = await startSite(tree.pages);
});
afterAll(() => site.close());
beforeEach(() => {
  site.log.requests.length = 0;
});

/** Pages of the tree that were asked for, in the order of their names. */
function pagesAsked(): string[] {
  return site.log.requests
    .map(({ path }) => path)
    .filter((path) => tree.pages.has(path))
    .sort();
}

describe('a tree of documentation', () => {
  it('has pages that no link leads to', () => {
    expect(tree.reachable.size).toBeGreaterThan(250);
    expect(tree.reachable.size).toBeLessThan(tree.pages.size);
  });

  it.each([
    ['simple', simple(16)],
    ['queued', queued(16)],
  ])('is crawled to its end, and each page asked for once, with %s', async (_name, strategy) => {
    const events = await lastValueFrom(
      crawl({ strategy, delay: 0, perHost: 16 })(site.url('/index.html')).pipe(toArray()),
    );
    expect(pagesAsked()).toEqual([...tree.reachable].sort());
    const asked = site.log.requests.map(({ path }) => path);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((path) => path.includes('decoy'))).toEqual([]);
    expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
  });

  it.skipIf(!hasWget)('has the pages that wget -r finds', async () => {
    const flags = ['-q', '-r', '-l', 'inf', '-e', 'robots=off', '-P', folder];
    const wget = spawn('wget', [...flags, site.url('/index.html')], { stdio: 'ignore' });
    await once(wget, 'exit');
    expect([...new Set(pagesAsked())]).toEqual([...tree.reachable].sort());
  });
});
