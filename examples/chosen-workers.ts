// Workers that differ: three are guests, one has the session of a member. What is for members
// waits for that one, and its cookies go nowhere else.

import { lastValueFrom, toArray } from 'rxjs';
import {
  CookieJar,
  crawl,
  items,
  on,
  otherwise,
  type Page,
  queued,
  routes,
  withCookies,
} from 'rxcrawl';
import { type MadeUpSite, mainOn, withMagazine } from './support/made-up-sites.js';

export interface Text {
  readonly title: string;
  readonly reader: string;
}

const text = ({ $ }: Page): Text => ({ title: $('h1').text(), reader: $('i').text() });

const handle = routes(
  on('/article/:no', function* (page) {
    yield text(page);
    yield page.follow('.comments', { label: 'members' });
  }),
  on({ label: 'members' }, (page) => [text(page)]),
  otherwise((page) => page.follow('.article')),
);

export async function chosenWorkers({ url }: MadeUpSite): Promise<Text[]> {
  const jar = new CookieJar();
  jar.set(url, 'session=member; Path=/');
  const member = { id: 'member', decorators: [withCookies({ jar })] };
  const guests = ['guest 1', 'guest 2', 'guest 3'].map((id) => ({
    id,
    decorators: [withCookies()], // a jar of its own
  }));
  const strategy = queued([member, ...guests], {
    selectWorker: ({ label }, ready) => {
      const isForMembers = label === 'members';
      return ready.find((worker) => (worker === member) === isForMembers);
    },
  });
  return lastValueFrom(
    // The site is our own: no pause between requests, and as many at a time as there are workers.
    crawl({ strategy, handle, delay: 0, perHost: Infinity })(url).pipe(items(), toArray()),
  );
}

await mainOn(withMagazine, import.meta.url, chosenWorkers);
