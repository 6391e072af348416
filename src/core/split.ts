import { filter, type Observable, shareReplay, Subject, type Subscription } from 'rxjs';
import type { CrawlEvent, FailureEvent, SkipEvent } from './events.js';
import { expectObservable } from './expect.js';
import { items } from './items.js';
import type { BarePage } from './page.js';
import { pages } from './pages.js';
import { type Stats, stats } from './stats.js';

/** The views of one crawl that {@link split} gives. */
export interface SplitCrawl<T, P extends BarePage> {
  readonly events$: Observable<CrawlEvent<T, P>>;
  readonly pages$: Observable<P>;
  readonly items$: Observable<T>;
  readonly failures$: Observable<FailureEvent>;
  readonly skips$: Observable<SkipEvent>;
  /** Replays the latest to late subscribers. */
  readonly stats$: Observable<Stats>;
  /** Starts the crawl: call it when all views are subscribed to. Unsubscribing aborts it. */
  readonly connect: () => Subscription;
}

/**
 * Splits the events of a crawl into streams that share one subscription. They are hot: nothing
 * happens before `connect()`, and what was emitted before a view was subscribed to is gone
 * (but for `stats$`). A page's failure is a value of `failures$`; no view ever errors for it.
 *
 * @throws TypeError if `crawl$` is no Observable
 *
 * ```text
 * events: -s-p-i-d|     s start, p page, i item, d done
 * pages:  ---p----|
 * items:  -----i--|
 * ```
 *
 * @example
 * ```ts
 * const { items$, failures$, connect } = split(crawl({ fetcher, handle })(seeds));
 * items$.subscribe(save);
 * failures$.subscribe(({ request, error }) => console.warn(request.url, error.code));
 * const crawling = connect();
 * ```
 */
export function split<T, P extends BarePage>(
  crawl$: Observable<CrawlEvent<T, P>>,
): SplitCrawl<T, P> {
  expectObservable('split: crawl$', crawl$);
  const subject$ = new Subject<CrawlEvent<T, P>>();
  const events$ = subject$.asObservable();
  const stats$ = events$.pipe(stats(), shareReplay({ bufferSize: 1, refCount: false }));
  return {
    events$,
    pages$: events$.pipe(pages<P>()),
    items$: events$.pipe(items<T>()),
    failures$: events$.pipe(filter((event) => event.type === 'failure')),
    skips$: events$.pipe(filter((event) => event.type === 'skip')),
    stats$,
    connect: () => {
      // Whoever looks at a view hears of an error; this one only keeps the count.
      const counting = stats$.subscribe({ error: () => undefined });
      const crawling = crawl$.subscribe(subject$);
      crawling.add(counting);
      return crawling;
    },
  };
}
