import { count, filter, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isTerminal, type CrawlEvent } from '../../../src/core/index.js';
import { runToEnd, virtualSite, type PageSpec } from '../../../src/testing/index.js';
import { followAll, STRATEGIES } from './follow-all.js';

const ROOT = 'https://a.example/';

/** A page without a body: nothing is rendered or parsed for it. */
const bare = (links: readonly string[]): PageSpec => ({ body: '', links });

/** Crawls a site whose pages all answer at once; how many requests it ended. */
function crawlAtOnce(
  pages: (url: string) => PageSpec,
  options: Parameters<typeof followAll>[1],
): number {
  const site = virtualSite(pages, { log: false });
  const crawl$ = of(ROOT).pipe(
    followAll(site, options),
    filter((event: CrawlEvent) => isTerminal(event)),
    count(),
  );
  return runToEnd(crawl$, { maxActions: 10_000_000 })[0]!.event;
}

describe.each(STRATEGIES)('%s on pages that all answer synchronously', (_name, strategy) => {
  it('gets to the end of a chain of 100,000 pages', () => {
    const chain = (url: string) => {
      const at = Number(url.slice(ROOT.length));
      return bare(at < 99_999 ? [`${ROOT}${at + 1}`] : []);
    };
    expect(crawlAtOnce(chain, { strategy: strategy(4) })).toBe(100_000);
  }, 120_000);

  it('visits all 100,000 children of a root', () => {
    const children = bare(Array.from({ length: 100_000 }, (_, i) => `${ROOT}${i}`));
    const star = (url: string) => (url === ROOT ? children : bare([]));
    const options = { strategy: strategy(4), maxLinksPerPage: Infinity };
    expect(crawlAtOnce(star, options)).toBe(100_001);
  }, 120_000);

  it('passes over 50,000 links of which all but 4 are refused', () => {
    const links = bare(Array.from({ length: 50_000 }, (_, i) => `${ROOT}${i}`));
    const refusing = (url: string) => (url === ROOT ? links : bare([]));
    const wanted = (url: string) => url === ROOT || Number(url.slice(ROOT.length)) % 12_500 === 0;
    const options = {
      strategy: strategy(1),
      maxLinksPerPage: Infinity,
      scope: ({ url }: { readonly url: string }) => wanted(url),
    };
    expect(crawlAtOnce(refusing, options)).toBe(5);
  });
});
