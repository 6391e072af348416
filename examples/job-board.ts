// A job board: from cities over districts and areas to lists of jobs, which have several pages, and
// to the page of each job. A district without areas is such a list itself.

import { concatMap, lastValueFrom, toArray } from 'rxjs';
import {
  crawl,
  drop,
  items,
  on,
  otherwise,
  type Page,
  passed,
  pipeline,
  queued,
  routes,
  type Strategy,
} from 'rxcrawl';
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
  on({ label: 'job' }, ({ $ }) => [{ title: $('h1').text(), place: $('.place').text() }]),
  on('/:city/:district', (page) => {
    const areas = page.follow('.area');
    return areas.length > 0 ? areas : list(page);
  }),
  on('/:city/:district/:area', list),
  otherwise((page) => page.follow('.city, .district')),
);

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const clean = pipeline(
  (job: Job) => ({ title: tidy(job.title), place: tidy(job.place) }),
  ({ title, place }) => (title && place ? undefined : drop('not all fields')),
);

export async function jobBoard(
  { url }: MadeUpSite,
  strategy: Strategy = queued(16),
): Promise<Job[]> {
  return lastValueFrom(
    // The site is our own: no pause between requests, and as many at a time as there are workers.
    crawl({ strategy, handle, delay: 0, perHost: Infinity })(url).pipe(
      items(),
      concatMap(clean),
      passed(),
      toArray(),
    ),
  );
}

await mainOn(withJobBoard, import.meta.url, async (site) => {
  const jobs = await jobBoard(site);
  return { jobs: jobs.length, first: jobs[0] };
});
