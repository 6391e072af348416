// Three kinds of pages and a downloader, each a module of its own: rules send each page to the
// module that is for it, and each module has a width of its own.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import {
  crawl,
  items,
  type ModuleCounts,
  on,
  otherwise,
  type Page,
  queued,
  routes,
  saveFile,
  type Strategy,
} from 'rxcrawl';
import { type MadeUpSite, mainOn, withGallery } from './support/made-up-sites.js';

const album = (page: Page) => page.follow('.photo');

function* photo(page: Page) {
  yield page.follow('img, .by');
  yield { type: 'photo' as const, title: page.$('h1').text() };
}

const photographer = (page: Page) => [{ type: 'photographer' as const, name: page.$('h1').text() }];

export async function modularFramework(
  { url }: MadeUpSite,
  strategy: Strategy = queued(16),
): Promise<{
  dir: string;
  photos: string[];
  photographers: string[];
  files: string[];
  modules: readonly ModuleCounts[];
}> {
  const dir = await mkdtemp(join(tmpdir(), 'gallery-'));
  const handle = routes(
    on('/album/:no', album, { id: 'album', concurrency: 2 }),
    on('/photo/:no', photo, { id: 'photo', concurrency: 8 }),
    on('/by/:no', photographer, { id: 'photographer' }),
    on('/img/*', saveFile({ dir }), { id: 'downloader', concurrency: 4 }),
    otherwise((page) => page.follow('.album')),
  );
  const found = await lastValueFrom(
    // The site is our own: no pause between requests, and as many at a time as there are workers.
    crawl({ strategy, handle, delay: 0, perHost: Infinity })(url).pipe(items(), toArray()),
  );
  const photos: string[] = [];
  const photographers: string[] = [];
  const files: string[] = [];
  for (const item of found) {
    if ('path' in item) files.push(item.path);
    else if (item.type === 'photo') photos.push(item.title);
    else photographers.push(item.name);
  }
  return { dir, photos, photographers, files, modules: handle.counts() };
}

await mainOn(withGallery, import.meta.url, async (site) => {
  const { photos, photographers, files, modules } = await modularFramework(site);
  const counts = Object.fromEntries(modules.map(({ id, completed }) => [id, completed]));
  return { photos: photos.length, photographers, files: files.length, counts };
});
