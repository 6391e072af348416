// Finds all images of a site and saves them, by a crawler that is watched by a monitor.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, tap } from 'rxjs';
import {
  createCrawler,
  monitor,
  on,
  otherwise,
  type Page,
  routes,
  type SavedFile,
  saveFile,
} from 'rxcrawl';
import { type MadeUpSite, mainOn, withGallery } from './support/made-up-sites.js';

export async function imageFinder({ url }: MadeUpSite): Promise<SavedFile[]> {
  const dir = await mkdtemp(join(tmpdir(), 'image-finder-'));
  const crawler = createCrawler({
    maxDepth: 3,
    delay: 0, // the site is our own
    handle: routes(
      on((page: Page) => page.contentType?.startsWith('image/') === true, saveFile({ dir })),
      otherwise((page) => page.follow({ kinds: ['a[href]', 'img[src]'] })),
    ),
  });
  const files: SavedFile[] = [];
  crawler.items$.subscribe((file) => files.push(file));

  const ended = lastValueFrom(
    monitor(crawler).pipe(
      tap((record) => {
        if (record.type === 'error') console.warn(record.problem.stage, record.problem.message);
      }),
    ),
  );
  crawler.start(url);
  await ended; // with the work: nothing is waited for but that
  return files;
}

await mainOn(withGallery, import.meta.url, async (site) => {
  const files = await imageFinder(site);
  return files.map(({ path, bytes }) => `${path}: ${bytes} bytes`);
});
