import { readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { cityCrawler } from '../../examples/city-crawler.js';
import { imageFinder } from '../../examples/image-finder.js';
import { jobBoard } from '../../examples/job-board.js';
import { modularFramework } from '../../examples/modular-framework.js';
import * as plainCities from '../../examples/plain/city-crawler.js';
import * as plainImages from '../../examples/plain/image-finder.js';
import * as plainJobs from '../../examples/plain/job-board.js';
import * as plainModules from '../../examples/plain/modular-framework.js';
import type { SavedBody } from '../../examples/plain/support/save-body.js';
import {
  type MadeUpSite,
  type OpenSite,
  withGallery,
  withJobBoard,
  withPeople,
} from '../../examples/support/made-up-sites.js';
import { queued, simple, type Strategy } from '../../src/index.js';

/** Runs an example on its site, and tells how much the site was asked for, nothing twice. */
async function on<R>(open: OpenSite, run: (site: MadeUpSite) => Promise<R>) {
  return open(async (site) => {
    const result = await run(site);
    expect(new Set(site.asked).size).toBe(site.asked.length);
    return { result, asked: site.asked.length };
  });
}

/** An example under both strategies, and the same without the library. */
function waysOf<R>(
  example: (site: MadeUpSite, strategy: Strategy) => Promise<R>,
  plain: (site: MadeUpSite, concurrency: number) => Promise<R>,
): [string, (site: MadeUpSite) => Promise<R>][] {
  return [
    ['simple(16)', (site) => example(site, simple(16))],
    ['queued(16)', (site) => example(site, queued(16))],
    ['one plain worker', (site) => plain(site, 1)],
    ['a plain pool of 16', (site) => plain(site, 16)],
  ];
}

interface Images {
  readonly dir: string;
  readonly files: readonly SavedBody[];
}

interface Modules {
  readonly dir: string;
  readonly photos: readonly string[];
  readonly photographers: readonly string[];
  readonly files: readonly string[];
  readonly modules: readonly { readonly id: string; readonly completed: number }[];
}

describe.concurrent('city-crawler', () => {
  const finds = async (run: (site: MadeUpSite) => ReturnType<typeof cityCrawler>) => {
    const { result, asked } = await on(withPeople, run);
    const { profiles, file } = result;
    try {
      expect(asked).toBe(1_035);
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
  };

  describe.each([10, 50, 100, 1_000])('with %i workers', (workers) => {
    it.each([
      ['simple', simple(workers)],
      ['queued', queued(workers)],
    ])('finds everybody under %s', async (_name, strategy) => {
      await finds((site) => cityCrawler(site, strategy));
    });
  });

  it.each([1, 100])('finds everybody without the library, %i at a time', async (width) => {
    await finds((site) => plainCities.cityCrawler(site, width));
  });
});

describe.concurrent('city-crawler on a site where one connection in ten breaks', () => {
  const found = async (run: (site: MadeUpSite) => ReturnType<typeof cityCrawler>) => {
    const { profiles, file } = await withPeople(run, { breaks: true });
    await rm(dirname(file), { recursive: true });
    return new Set(profiles.map(({ name }) => name)).size;
  };

  it.each([
    ['simple', simple(100)],
    ['queued', queued(100)],
  ])('finds everybody under %s', async (_name, strategy) => {
    expect(await found((site) => cityCrawler(site, strategy))).toBe(517);
  });

  it('misses some without the library', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(await found((site) => plainCities.cityCrawler(site, 100))).toBe(470);
    expect(warn).toHaveBeenCalledTimes(47);
    warn.mockRestore();
  });
});

describe.concurrent('image-finder', () => {
  it.each(waysOf<Images>(imageFinder, plainImages.imageFinder))(
    'saves each image once, by %s',
    async (_way, run) => {
      const { result, asked } = await on(withGallery, run);
      const { dir, files } = result;
      try {
        expect(asked).toBe(58);
        expect(files.map(({ url }) => Number(/(\d+)\.png$/.exec(url)?.[1])).sort(byValue)).toEqual(
          Array.from({ length: 24 }, (_, i) => i + 1),
        );
        for (const { url, path, bytes } of files) {
          expect(bytes).toBe(8 + Number(/(\d+)\.png$/.exec(url)?.[1]));
          expect((await stat(path)).size).toBe(bytes);
        }
        expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(24);
      } finally {
        await rm(dir, { recursive: true });
      }
    },
  );
});

describe.concurrent('modular-framework', () => {
  it.each(waysOf<Modules>(modularFramework, plainModules.modularFramework))(
    'sends each page to its module, by %s',
    async (_way, run) => {
      const { result, asked } = await on(withGallery, run);
      const { dir, photos, photographers, files, modules } = result;
      try {
        expect(asked).toBe(58);
        expect(new Set(photos).size).toBe(24);
        expect(photos).toHaveLength(24);
        expect(photographers.toSorted()).toEqual([
          'Photographer 0',
          'Photographer 1',
          'Photographer 2',
        ]);
        expect(new Set(files).size).toBe(24);
        expect(modules.filter(({ completed }) => completed > 0)).toMatchObject([
          { id: 'album', completed: 6 },
          { id: 'photo', completed: 24 },
          { id: 'photographer', completed: 3 },
          { id: 'downloader', completed: 24 },
          { id: 'otherwise', completed: 1 },
        ]);
      } finally {
        await rm(dir, { recursive: true });
      }
    },
  );
});

describe.concurrent('job-board', () => {
  it.each(waysOf(jobBoard, plainJobs.jobBoard))(
    'finds each job, whatever its list, by %s',
    async (_way, run) => {
      const { result: jobs, asked } = await on(withJobBoard, run);
      expect(asked).toBe(70);
      expect(jobs).toHaveLength(45);
      const counts = new Map<string, number>();
      for (const { place } of jobs) counts.set(place, (counts.get(place) ?? 0) + 1);
      expect(counts.get('city-1, district-1')).toBe(10);
      expect(counts.get('city-3, district-2')).toBe(5);
      expect(jobs.every(({ title }) => /^job \d$/.test(title))).toBe(true);
    },
  );
});

function byValue(a: number, b: number): number {
  return a - b;
}
