// The job board without rxcrawl.

import { type MadeUpSite, mainOn, withJobBoard } from '../support/made-up-sites.js';
import { readPage, type Visit, visitAll } from './support/visit-all.js';

export interface Job {
  readonly title: string;
  readonly place: string;
}

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

export async function jobBoard({ url }: MadeUpSite, concurrency = 16): Promise<Job[]> {
  const jobs: Job[] = [];

  const home: Visit = async (response) => (await readPage(response)).follow('.city', city);

  const city: Visit = async (response) => (await readPage(response)).follow('.district', district);

  const district: Visit = async (response) => {
    const { follow } = await readPage(response);
    const areas = follow('.area', list);
    return areas.length > 0 ? areas : [...follow('.next', list), ...follow('.job', job)];
  };

  const list: Visit = async (response) => {
    const { follow } = await readPage(response);
    return [...follow('.next', list), ...follow('.job', job)];
  };

  const job: Visit = async (response) => {
    const { $ } = await readPage(response);
    const title = tidy($('h1').text());
    const place = tidy($('.place').text());
    if (title === '' || place === '') console.warn(response.url, 'not all fields');
    else jobs.push({ title, place });
    return [];
  };

  await visitAll({ url, visit: home }, concurrency);
  return jobs;
}

await mainOn(withJobBoard, import.meta.url, async (site) => {
  const jobs = await jobBoard(site);
  return { jobs: jobs.length, first: jobs[0] };
});
