import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createPage } from '../../src/page/index.js';
import { crawl, items } from '../../src/core/index.js';
import { runToEnd, virtualSite } from '../../src/testing/index.js';

describe('a virtual site with the real parser of pages', () => {
  it('is crawled by links and selectors', () => {
    const site = virtualSite('https://a.example', {
      '/': { title: 'Start & end', links: ['/b?x=1&y=2', '/"quoted"'] },
      '/b?x=1&y=2': { title: 'B' },
      '/%22quoted%22': { body: '<title>Q</title>' },
    });
    const crawl$ = of('https://a.example/').pipe(
      crawl({
        fetcher: site.fetcher,
        parse: createPage,
        delay: 0,
        *handle(page) {
          yield page.$('title').text();
          yield* page.follow('a');
        },
      }),
      items(),
    );
    expect(runToEnd(crawl$).map(({ event }) => event)).toEqual(['Start & end', 'B', 'Q']);
  });
});
