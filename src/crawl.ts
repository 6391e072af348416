import { defer, finalize } from 'rxjs';
import { expectSeeds } from './core/pull-seeds.js';
import {
  crawl as crawlWith,
  type CrawlOptions as CoreOptions,
  type BarePage,
  type Crawl,
  type HandledItem,
  type CrawlRequest,
  type Parse,
} from './core/index.js';
import { checkCrawlOptions, type CrawlOptions, STACK_OPTIONS } from './crawl-options.js';
import { crawlStack } from './crawl-stack.js';
import { DEFAULT_USER_AGENT } from './fetch/index.js';
import { loadPage, type Page } from './page/index.js';
import { canonicalizer, requestKey } from './url/index.js';
import { type TrapWatch, watchTraps } from './watch-traps.js';
import { checkSitemaps, withSitemaps } from './with-sitemaps.js';

/**
 * Crawls: the `crawl()` of `rxcrawl/core` with all that a crawl of the web needs filled in.
 * Pages are fetched with undici, robots.txt is obeyed, no page of a public host leads to a private
 * address, links into crawler traps are refused, pages are lazy, and every link of a page is
 * followed unless `handle` says otherwise.
 *
 * ```text
 * seeds → requests → [admit: scope, depth, dedupe, guards] → strategy(visit) → events
 *                       ↑______________ requests found ______________|
 * ```
 *
 * Cold: each subscription is a crawl of its own, with its own connections, which are closed when
 * it ends. Unsubscribing aborts everything in the same tick.
 *
 * @param options - see {@link CrawlOptions}; wrong ones are refused now, not at subscribe
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * import { crawl, items } from 'rxcrawl';
 *
 * crawl({
 *   *handle(page) {
 *     yield page.follow('.pager a, .product a');
 *     if (page.matches('/product/*')) yield { url: page.url, title: page.$('h1').text() };
 *   },
 * })('https://books.example/')
 *   .pipe(items())
 *   .subscribe((book) => console.log(book.title));
 * ```
 */
export function crawl<T = never, P extends BarePage = Page>(
  options: CrawlOptions<T, P> = {},
): Crawl<HandledItem<T>, P> {
  checkCrawlOptions(options);
  const openStack = crawlStack(options);
  const core = coreOptions(options);
  const sitemaps = checkSitemaps(options.sitemaps);
  const openTraps = trapsOf(options);
  // Both are made once now, so that whatever is wrong is told here.
  const { close: _nothingIsOpen, ...first } = openStack();
  crawlWith<T, P>({ ...core, ...first });

  return (seeds) => {
    expectSeeds(seeds);
    return defer(() => {
      const { close, ...stack } = openStack();
      const watched = watching({ ...core, guards: stack.guards }, openTraps);
      const all = { ...core, ...stack, ...watched };
      const crawled = sitemaps
        ? withSitemaps(crawlWith<T, P>, all, sitemaps)
        : crawlWith<T, P>(all);
      return crawled(seeds).pipe(finalize(close));
    });
  };
}

function trapsOf<T, P extends BarePage>({
  traps = true,
}: CrawlOptions<T, P>): (() => TrapWatch) | undefined {
  return traps === false ? undefined : watchTraps(traps === true ? {} : traps);
}

/** Trap guards, which see the pages that are parsed, for one crawl. */
function watching<T, P extends BarePage>(
  { guards = [], parse }: CoreParts<T, P>,
  openTraps: (() => TrapWatch) | undefined,
): Pick<CoreOptions<T, P>, 'guards' | 'parse'> {
  if (openTraps === undefined) return {};
  const { guard, observing } = openTraps();
  return { guards: [...guards, guard], parse: observing(parse) };
}

type CoreParts<T, P extends BarePage> = Omit<CoreOptions<T, P>, 'fetcher' | 'parse'> & {
  readonly parse: Parse<P>;
};

/** The options that go to the core: its own ones, with the defaults of this entry. */
function coreOptions<T, P extends BarePage>(options: CrawlOptions<T, P>): CoreParts<T, P> {
  const { userAgent = DEFAULT_USER_AGENT, urls } = options;
  const own: readonly string[] = [...STACK_OPTIONS, 'fetcher', 'decorators', 'guards'];
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !own.includes(name),
  );
  const canonical = canonicalizer(urls);
  return {
    // Where no parser is given, P is inferred as Page.
    parse: loadPage({ userAgent }) as unknown as Parse<P>,
    handle: followAll,
    key: (request) =>
      request.method === 'GET' && request.body === undefined
        ? canonical(request.url)
        : requestKey(request, urls),
    ...Object.fromEntries(given),
  };
}

/** Follows every link of a page that has any. */
function followAll(page: BarePage): CrawlRequest[] {
  return (page as Partial<Page>).follow?.() ?? [];
}
