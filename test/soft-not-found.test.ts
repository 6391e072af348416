import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { crawl, type CrawlEvent, queued, simple, softNotFound } from '../src/index.js';
import { seededRandom } from '../src/testing/index.js';
import { type SitePages, type SiteServer, startSite } from './servers/site-server.js';

/** What a page says: words that its name determines. */
function words(name: string): string {
  const random = seededRandom(name.charCodeAt(1));
  return Array.from({ length: 300 }, () => `w${Math.floor(random() * 900)}`).join(' ');
}
const WORDS = words('//');
const links = (...paths: readonly string[]): string =>
  paths.map((path) => `<a href="${path}">x</a>`).join('');
const PAGES = ['/a', '/b', '/c', '/gone-1', '/gone-2', '/gone-3'];

/** A site that answers 200 for every path, and names the path in what it says. */
const soft: SitePages = (path) => {
  if (path === '/robots.txt') return { status: 404 };
  if (path === '/') return links(...PAGES);
  if (path.length === 2) return `<title>${path}</title>${path} is a page about ${words(path)}`;
  return `<title>Oh no</title>${WORDS} there is no ${path} here`;
};
const honest: SitePages = (path) =>
  ['/', ...PAGES].includes(path) ? `${links(...PAGES)}${words(path)}` : { status: 404 };

let site: SiteServer;
afterEach(() => site.close());

async function run(
  options: object,
): Promise<{ done: string[]; failed: string[]; asked: string[] }> {
  const events: CrawlEvent[] = await lastValueFrom(
    crawl({ delay: 0, decorators: [softNotFound()], ...options })(site.url('/')).pipe(toArray()),
  );
  const path = (url: string): string => new URL(url).pathname;
  return {
    done: events.flatMap((event) => (event.type === 'done' ? [path(event.url)] : [])).sort(),
    failed: events
      .flatMap((event) =>
        event.type === 'failure' && event.error.status === 404 ? [path(event.request.url)] : [],
      )
      .sort(),
    asked: site.log.requests.map((request) => request.path),
  };
}

describe('softNotFound', () => {
  it.each([
    ['simple', { strategy: simple(4) }],
    ['queued', { strategy: queued(4) }],
    ['one place at the host', { perHost: 1 }],
  ])('lets all pages fail that are missing, and no other, with %s', async (_name, options) => {
    site = await startSite(soft);
    const { done, failed, asked } = await run(options);
    expect(failed).toEqual(['/gone-1', '/gone-2', '/gone-3']);
    expect(done).toEqual(['/', '/a', '/b', '/c']);
    // All pages, robots.txt, and one more.
    expect(asked).toHaveLength(1 + PAGES.length + 1 + 1);
  });

  it('lets all pages pass of a site that tells what is missing', async () => {
    site = await startSite(honest);
    const { done, failed, asked } = await run({});
    expect(failed).toEqual([]);
    expect(done).toEqual(['/', ...PAGES]);
    expect(asked).toHaveLength(1 + PAGES.length + 1 + 1);
  });

  it('never judges a seed', async () => {
    site = await startSite(() => `${WORDS}${links('/other')}`);
    const { done, failed } = await run({ robots: false });
    expect(done).toEqual(['/']);
    expect(failed).toEqual(['/other']);
  });
});
