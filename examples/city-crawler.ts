// From an index of cities to the people in them. Each request carries the name of its parser (a
// label) and what the parser has to know of the pages before (its context).

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, map, toArray } from 'rxjs';
import { crawl, items, on, queued, routes, type Strategy, toJsonLines } from 'rxcrawl';
import { type MadeUpSite, mainOn, withPeople } from './support/made-up-sites.js';

export interface Profile {
  readonly no: number;
  readonly city: string;
  readonly name: string;
  readonly age: number;
  readonly income: number;
}

const handle = routes(
  on('/cities', (page) => page.follow('.city', { label: 'city' })),
  on({ label: 'city' }, function* (page) {
    yield page.follow('.next', { label: 'city' });
    yield page.follow('.user', { label: 'profile', context: page.$('h1').text() });
  }),
  on({ label: 'profile' }, function* (page) {
    const { name, age, income } = page.extract({ name: 'h1', age: '.age', income: '.income' });
    const city = String(page.request.context);
    yield { city, name: name ?? '', age: Number(age), income: Number(income) };
  }),
);

export async function cityCrawler(
  { url }: MadeUpSite,
  strategy: Strategy = queued(100),
): Promise<{ profiles: Profile[]; file: string }> {
  const file = join(await mkdtemp(join(tmpdir(), 'city-crawler-')), 'profiles.jsonl');
  const profiles = await lastValueFrom(
    // The site is our own: no pause between requests, and as many at a time as there are workers.
    crawl({ strategy, handle, delay: 0, perHost: Infinity })(`${url}cities`).pipe(
      items(),
      map((profile, index) => ({ no: index + 1, ...profile })),
      toJsonLines(file),
      toArray(),
    ),
  );
  return { profiles, file };
}

await mainOn(withPeople, import.meta.url, async (site) => {
  const { profiles, file } = await cityCrawler(site);
  return { profiles: profiles.length, last: profiles.at(-1), file };
});
