import { type Observable } from 'rxjs';
import {
  crawl,
  type CrawlEvent,
  type CrawlOptions,
  queued,
  type Seeds,
  simple,
  type Stats,
  type Strategy,
} from '../../src/core/index.js';
import {
  brief,
  runToEnd,
  type RunToEndOptions,
  type SiteSpec,
  type Timed,
  timeline,
  virtualPage,
  type VirtualPage,
  virtualSite,
  type VirtualSite,
} from '../../src/testing/index.js';
import { expectConservation } from './conservation.js';

/** Where the pages of {@link virtualCrawl} are. */
export const ORIGIN = 'https://a.example';

/** Both strategies, for `describe.each`. */
export const STRATEGIES: readonly (readonly [
  name: string,
  make: (width: number | Observable<number>) => Strategy,
])[] = [
  ['simple', simple],
  ['queued', queued],
];

/** What {@link virtualCrawl} takes besides the options of the crawl. */
export type VirtualCrawlOptions<T> = Partial<CrawlOptions<T, VirtualPage>> & {
  readonly seeds?: Seeds;
  readonly run?: RunToEndOptions;
};

/** A crawl that has ended. */
export interface VirtualRun<T> {
  readonly site: VirtualSite;
  readonly timed: readonly Timed<CrawlEvent<T, VirtualPage>>[];
  readonly events: readonly CrawlEvent<T, VirtualPage>[];
  readonly items: readonly T[];
  /** The events of these types, in brief; all if none is named. */
  readonly lines: (...types: readonly CrawlEvent['type'][]) => string[];
  /** The same with the time before each. */
  readonly times: (...types: readonly CrawlEvent['type'][]) => string[];
  readonly stats: Stats;
}

/** Crawls a site from its root, impolitely and in virtual time, and checks the conservation law. */
export function virtualCrawl<T = never>(
  pages: SiteSpec,
  { seeds = `${ORIGIN}/`, run, ...options }: VirtualCrawlOptions<T> = {},
): VirtualRun<T> {
  const site = typeof pages === 'function' ? virtualSite(pages) : virtualSite(ORIGIN, pages);
  const crawl$ = crawl<T, VirtualPage>({
    fetcher: site.fetcher,
    parse: virtualPage,
    handle: (page) => page.follow(),
    delay: 0,
    perHost: Infinity,
    retry: () => null,
    ...options,
  })(seeds);
  const timed = runToEnd(crawl$, run);
  const events = timed.map(({ event }) => event);
  const cut = run?.until !== undefined;
  const only = (types: readonly string[]) =>
    timed.filter(({ event }) => types.length === 0 || types.includes(event.type));
  return {
    site,
    timed,
    events,
    items: events.flatMap((event) => (event.type === 'item' ? [event.item] : [])),
    lines: (...types) => only(types).map(({ event }) => brief(event)),
    times: (...types) => timeline(only(types)),
    get stats() {
      if (cut) throw new Error('a crawl that was cut has no final stats');
      return expectConservation(events);
    },
  };
}
