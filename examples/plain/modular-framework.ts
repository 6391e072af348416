// The modular framework without rxcrawl.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MadeUpSite, mainOn, withGallery } from '../support/made-up-sites.js';
import { saveBody } from './support/save-body.js';
import { readPage, type Visit, visitAll } from './support/visit-all.js';

/** One kind of pages: how they are known, and what is done with them. */
export interface Module {
  readonly id: string;
  readonly matches: RegExp;
  readonly visit: Visit;
  completed: number;
}

/** A module that has `width` pages in work at most; others wait. */
function moduleFor(id: string, matches: RegExp, visit: Visit, width = Infinity): Module {
  let running = 0;
  const waiting: (() => void)[] = [];
  const module: Module = {
    id,
    matches,
    completed: 0,
    async visit(response) {
      if (running < width) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        const found = await visit(response);
        module.completed += 1;
        return found;
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
  return module;
}

export async function modularFramework(
  { url }: MadeUpSite,
  concurrency = 16,
): Promise<{
  dir: string;
  photos: string[];
  photographers: string[];
  files: string[];
  modules: readonly Module[];
}> {
  const dir = await mkdtemp(join(tmpdir(), 'gallery-'));
  const photos: string[] = [];
  const photographers: string[] = [];
  const files: string[] = [];

  const home: Visit = async (response) => (await readPage(response)).follow('.album', route);

  const album: Visit = async (response) => (await readPage(response)).follow('.photo', route);

  const photo: Visit = async (response) => {
    const { $, follow } = await readPage(response);
    photos.push($('h1').text());
    return [...follow('img', route), ...follow('.by', route)];
  };

  const photographer: Visit = async (response) => {
    const { $ } = await readPage(response);
    photographers.push($('h1').text());
    return [];
  };

  const image: Visit = async (response) => {
    files.push((await saveBody(response, dir)).path);
    return [];
  };

  const modules = [
    moduleFor('album', /^\/album\/[^/]+$/, album, 2),
    moduleFor('photo', /^\/photo\/[^/]+$/, photo, 8),
    moduleFor('photographer', /^\/by\/[^/]+$/, photographer),
    moduleFor('downloader', /^\/img\//, image, 4),
    moduleFor('otherwise', /^/, home),
  ];

  const route: Visit = async (response) => {
    const { pathname } = new URL(response.url);
    const module = modules.find(({ matches }) => matches.test(pathname));
    return (await module?.visit(response)) ?? [];
  };

  await visitAll({ url, visit: route }, concurrency);
  return { dir, photos, photographers, files, modules };
}

await mainOn(withGallery, import.meta.url, async (site) => {
  const { photos, photographers, files, modules } = await modularFramework(site);
  const counts = Object.fromEntries(modules.map(({ id, completed }) => [id, completed]));
  return { photos: photos.length, photographers, files: files.length, counts };
});
