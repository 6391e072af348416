import { readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cityCrawler } from '../../examples/city-crawler.js';
import { imageFinder } from '../../examples/image-finder.js';
import { jobBoard } from '../../examples/job-board.js';
import { modularFramework } from '../../examples/modular-framework.js';
import { withGallery, withJobBoard, withPeople } from '../../examples/support/made-up-sites.js';
import { queued, simple } from '../../src/index.js';

describe.each([10, 50, 100, 1_000])('city-crawler with %i workers', (workers) => {
  it.each([
    ['simple', simple(workers)],
    ['queued', queued(workers)],
  ])('finds everybody under %s', async (_name, strategy) => {
    const { profiles, file } = await withPeople((site) => cityCrawler(site, strategy));
    try {
      expect(profiles.map(({ no }) => no)).toEqual(Array.from({ length: 517 }, (_, i) => i + 1));
      const names = new Set(profiles.map(({ name }) => name));
      expect(names.size).toBe(517);
      const person = profiles.find(({ name }) => name === 'Person 1470');
      expect(person).toMatchObject({ city: 'City 470', age: 40, income: 147_000 });
      const stored = (await readFile(file, 'utf8')).trimEnd().split('\n');
      expect(stored.map((line) => JSON.parse(line) as unknown)).toEqual(profiles);
    } finally {
      await rm(dirname(file), { recursive: true });
    }
  });
});

it('image-finder saves each image once', async () => {
  const files = await withGallery(imageFinder);
  expect(files).toHaveLength(24);
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
  expect(sizes.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => 8 + i + 1));
  await rm(folderOf(files[0]!.path), { recursive: true });
});

it('modular-framework sends each page to its module', async () => {
  const { photos, photographers, files, modules } = await withGallery(modularFramework);
  expect(new Set(photos).size).toBe(24);
  expect(photographers.sort()).toEqual(['Photographer 0', 'Photographer 1', 'Photographer 2']);
  expect(new Set(files).size).toBe(24);
  expect(modules.map(({ id, completed }) => [id, completed])).toEqual([
    ['/album/:no', 6],
    ['/photo/:no', 24],
    ['/by/:no', 3],
    ['downloader', 24],
    ['otherwise', 1],
    ['unmatched', 0],
  ]);
  await rm(folderOf(files[0]!), { recursive: true });
});

it('job-board finds each job, whatever its list', async () => {
  const jobs = await withJobBoard(jobBoard);
  expect(jobs).toHaveLength(45);
  const counts = new Map<string, number>();
  for (const { place } of jobs) counts.set(place, (counts.get(place) ?? 0) + 1);
  expect(counts.get('city-1, district-1')).toBe(10);
  expect(counts.get('city-3, district-2')).toBe(5);
  expect(jobs.every(({ title }) => /^job \d$/.test(title))).toBe(true);
});

/** The folder of an example, of which files are three levels down: host, folder, name. */
function folderOf(path: string): string {
  return dirname(dirname(dirname(path)));
}
