// The image finder without rxcrawl.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MadeUpSite, mainOn, withGallery } from '../support/made-up-sites.js';
import { type SavedBody, saveBody } from './support/save-body.js';
import { readPage, type Task, type Visit, visitAll } from './support/visit-all.js';

const MAX_DEPTH = 3;

export async function imageFinder(
  { url }: MadeUpSite,
  concurrency = 16,
): Promise<{ dir: string; files: SavedBody[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'image-finder-'));
  const files: SavedBody[] = [];
  const { origin } = new URL(url);
  const onSite = (task: Task) => new URL(task.url).origin === origin;

  const pageAt =
    (depth: number): Visit =>
    async (response) => {
      if (!response.headers.get('content-type')?.startsWith('text/html')) return [];
      const { follow } = await readPage(response);
      if (depth === MAX_DEPTH) return [];
      return [...follow('a[href]', pageAt(depth + 1)), ...follow('img[src]', image)].filter(onSite);
    };

  const image: Visit = async (response) => {
    if (!response.headers.get('content-type')?.startsWith('image/')) return [];
    files.push(await saveBody(response, dir));
    return [];
  };

  await visitAll({ url, visit: pageAt(0) }, concurrency);
  return { dir, files };
}

await mainOn(withGallery, import.meta.url, async (site) => {
  const { dir, files } = await imageFinder(site);
  return { images: files.length, dir, first: files[0] };
});
