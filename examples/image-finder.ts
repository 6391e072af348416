// Finds the images of a site and saves them while they come, by a crawler that is watched by a
// monitor. Ends with its work.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, tap } from 'rxjs';
import { createCrawler, download, monitor, queued, type SavedFile, type Strategy } from 'rxcrawl';
import { type MadeUpSite, mainOn, withGallery } from './support/made-up-sites.js';

export async function imageFinder(
  { url }: MadeUpSite,
  strategy: Strategy = queued(16),
): Promise<{ dir: string; files: SavedFile[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'image-finder-'));
  const crawler = createCrawler({
    strategy,
    maxDepth: 3,
    delay: 0, // the site is our own
    perHost: Infinity,
    decorators: [download({ dir, types: ['image/*'] })],
    *handle(page) {
      if (page.file) yield page.file;
      yield page.follow('img', { label: 'file' });
      yield page.follow();
    },
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
  await ended;
  return { dir, files };
}

await mainOn(withGallery, import.meta.url, async (site) => {
  const { dir, files } = await imageFinder(site);
  return { images: files.length, dir, first: files[0] };
});
