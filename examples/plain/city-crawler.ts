// The city crawler without rxcrawl.

import { createWriteStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type MadeUpSite, mainOn, withPeople } from '../support/made-up-sites.js';
import { readPage, type Visit, visitAll } from './support/visit-all.js';

export interface Profile {
  readonly no: number;
  readonly city: string;
  readonly name: string;
  readonly age: number;
  readonly income: number;
}

export async function cityCrawler(
  { url }: MadeUpSite,
  concurrency = 100,
): Promise<{ profiles: Profile[]; file: string }> {
  const file = join(await mkdtemp(join(tmpdir(), 'city-crawler-')), 'profiles.jsonl');
  const lines = createWriteStream(file);
  const profiles: Profile[] = [];

  const index: Visit = async (response) => {
    const { follow } = await readPage(response);
    return follow('.city', city);
  };

  const city: Visit = async (response) => {
    const { $, follow } = await readPage(response);
    return [...follow('.next', city), ...follow('.user', profileIn($('h1').text()))];
  };

  const profileIn =
    (cityName: string): Visit =>
    async (response) => {
      const { $ } = await readPage(response);
      const profile = {
        no: profiles.length + 1,
        city: cityName,
        name: $('h1').text(),
        age: Number($('.age').text()),
        income: Number($('.income').text()),
      };
      profiles.push(profile);
      lines.write(`${JSON.stringify(profile)}\n`);
      return [];
    };

  await visitAll({ url: `${url}cities`, visit: index }, concurrency);
  await finished(lines.end());
  return { profiles, file };
}

await mainOn(withPeople, import.meta.url, async (site) => {
  const { profiles, file } = await cityCrawler(site);
  return { profiles: profiles.length, last: profiles.at(-1), file };
});
