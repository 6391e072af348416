// A job board: from cities over districts and areas to lists of jobs, which have several pages. A
// district without areas is such a list itself.

import { concatMap, lastValueFrom, toArray } from 'rxjs';
import { crawl, drop, items, on, otherwise, type Page, passed, pipeline, routes } from 'rxcrawl';
import { type MadeUpSite, mainOn, withJobBoard } from './support/made-up-sites.js';

export interface Job {
  readonly title: string;
  readonly place: string;
}

function* list(page: Page) {
  yield page.follow('.next');
  yield page.follow('.job', { label: 'job' });
}

const handle = routes(
  on({ label: 'job' }, (page) => [page.extract({ title: 'h1', place: '.place' })]),
  on('/:city/:district', (page) => {
    const areas = page.follow('.area');
    return areas.length > 0 ? areas : list(page);
  }),
  on('/:city/:district/:area', list),
  otherwise((page) => page.follow('.city, .district')),
);

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const clean = pipeline(
  ({ title, place }: { title?: string | undefined; place?: string | undefined }) =>
    title !== undefined && place !== undefined ? { title, place } : drop('not all fields'),
  (job): Job => ({ title: tidy(job.title), place: tidy(job.place) }),
);

export async function jobBoard({ url }: MadeUpSite): Promise<Job[]> {
  return lastValueFrom(
    crawl({ handle, delay: 0 })(url).pipe(items(), concatMap(clean), passed(), toArray()),
  );
}

await mainOn(withJobBoard, import.meta.url, jobBoard);
