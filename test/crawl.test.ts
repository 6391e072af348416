import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { crawl, type CrawlEvent, type CrawlOptions, items, queued, simple } from '../src/index.js';
import { startSite, type SiteServer } from './servers/site-server.js';

const html = (body: string): { headers: Record<string, string>; body: string } => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>A page</title>${body}`,
});
const link = (href: string): string => `<a href="${href}">x</a>`;

let site: SiteServer;
afterEach(() => site.close());

function endsOf(events: CrawlEvent[]): string[] {
  return events
    .flatMap((event) => {
      const path = (url: string): string => new URL(url).pathname;
      if (event.type === 'done') return [`done ${path(event.request.url)}`];
      if (event.type === 'failure') return [`${event.error.code} ${path(event.request.url)}`];
      return event.type === 'skip' ? [`${event.reason} ${event.url}`] : [];
    })
    .sort();
}

const run = <T>(options: CrawlOptions<T>, seed = site.url('/')): Promise<CrawlEvent<T>[]> =>
  lastValueFrom(crawl({ delay: 0, ...options })(seed).pipe(toArray()));

describe.each([
  ['simple', simple(4)],
  ['queued', queued(4)],
])('crawl over loopback with %s', (_name, strategy) => {
  it('follows every link of the host and tells what it did not fetch', async () => {
    site = await startSite(
      new Map([
        [
          '/',
          html(link('/a') + link('/b#x') + link('https://elsewhere.example/') + link('mailto:x@y')),
        ],
        ['/a', html(link('/b') + link('/gone') + link('/'))],
        ['/b', html('')],
      ]),
    );
    const events = await run({ strategy });
    expect(endsOf(events)).toEqual([
      'done /',
      'done /a',
      'done /b',
      'http-status /gone',
      'scope https://elsewhere.example/',
    ]);
  });

  it('asks for robots.txt before any page, and keeps to it', async () => {
    site = await startSite(
      new Map([
        [
          '/robots.txt',
          { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' },
        ],
        ['/', html(link('/yes') + link('/no'))],
        ['/yes', html('')],
        ['/no', html('')],
      ]),
    );
    const events = await run({ strategy });
    expect(endsOf(events)).toEqual(['done /', 'done /yes', `robots ${site.url('/no')}`]);
    const asked = site.log.requests.map(({ path }) => path);
    expect(asked[0]).toBe('/robots.txt');
    expect(asked.filter((path) => path === '/robots.txt')).toHaveLength(1);
    expect(asked).not.toContain('/no');
  });

  it('gives items of the type that the handler yields', async () => {
    site = await startSite(
      new Map([
        ['/', html(link('/product/1') + link('/product/2'))],
        ['/product/1', html('<h1>One</h1>')],
        ['/product/2', html('<h1>Two</h1>')],
      ]),
    );
    const titles = await lastValueFrom(
      crawl({
        strategy,
        delay: 0,
        *handle(page) {
          yield page.follow();
          if (page.matches('/product/*')) yield { title: page.$('h1').text() };
        },
      })(site.url('/')).pipe(items(), toArray()),
    );
    expect(titles.map(({ title }) => title).sort()).toEqual(['One', 'Two']);
  });
});

describe('crawl', () => {
  it('refuses options that are wrong when it is called, not when it is subscribed to', async () => {
    site = await startSite(new Map());
    const wrong =
      (options: object): (() => unknown) =>
      () =>
        crawl(options as CrawlOptions<never>);
    expect(wrong({ nonsense: 1 })).toThrow(/unknown option "nonsense"; known are .*userAgent/);
    expect(wrong({ maxDepth: -1 })).toThrow(/maxDepth: expected a whole number.*got -1/);
    expect(wrong({ timeouts: { total: -5 } })).toThrow(/total/);
    expect(wrong({ userAgent: '' })).toThrow(/userAgent/);
    expect(wrong({ headers: { 'x-a': 'b\r\nc: d' } })).toThrow(/x-a/);
  });
});
