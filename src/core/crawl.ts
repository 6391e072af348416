import {
  defer,
  finalize,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  Subject,
  takeUntil,
  tap,
} from 'rxjs';
import { adaptDelay } from './adapt-delay.js';
import { Admission } from './admission.js';
import { fetchAsWorker } from './crawl-worker.js';
import { controlCrawl } from './crawl-control.js';
import { type CrawlOptions, type CrawlSettings, crawlSettings } from './crawl-options.js';
import type { CrawlEvent, SkipEvent } from './events.js';
import { expectFunction, expectObservable } from './expect.js';
import type { FetcherDecorator } from './fetcher.js';
import { followRedirects } from './follow-redirects.js';
import type { HandledItem } from './handler.js';
import { holdHosts } from './hold-hosts.js';
import { HostGate } from './host-gate.js';
import { Outstanding } from './outstanding.js';
import type { BarePage } from './page.js';
import { pipeFetcher } from './pipe-fetcher.js';
import { polite } from './polite.js';
import { expectSeeds, pullSeeds, type SeedInput, type Seeds } from './pull-seeds.js';
import { type CrawlRequest, isRequest } from './request.js';
import type { Strategy, StrategyContext, Visit } from './strategy.js';
import { toRequest } from './to-request.js';
import { visitRequest } from './visit-request.js';

/**
 * A crawl that waits for its seeds: an operator for a stream of seeds, and a function for an
 * array, an iterable or a single URL. An iterable is pulled only as fast as it is used.
 */
export type Crawl<T, P extends BarePage> = (seeds: Seeds) => Observable<CrawlEvent<T, P>>;

/**
 * Crawls: admits seeds, lets the strategy run their visits, feeds back what is found, and emits
 * everything that happens as one stream of events.
 *
 * ```text
 * seeds → requests → [admit: scope, depth, dedupe, guards] → strategy(visit) → events
 *                       ↑______________ requests found ______________|
 * ```
 *
 * Cold: each subscription is a crawl of its own. Unsubscribing aborts everything in the same
 * tick. Completes when the seeds have completed and nothing is queued, running or waiting for
 * a retry; errors only if the stream of seeds, or one that controls it, does, or the order of the
 * queue throws.
 *
 * @param options - see {@link CrawlOptions}
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * import { crawl, type Fetcher, queued } from 'rxcrawl/core';
 *
 * declare const fetcher: Fetcher;
 * crawl({ fetcher, strategy: queued(8), maxPages: 100 })('https://example.org/').subscribe(
 *   (event) => console.log(event.type),
 * );
 * ```
 */
export function crawl<T = never, P extends BarePage = BarePage>(
  options: CrawlOptions<T, P>,
): Crawl<HandledItem<T>, P> {
  const settings = crawlSettings(options);
  const { perHost, delay, jitter, hostKey, scheduler, random } = settings;
  const { retryAfterCap, stallLimit, maxHostFailures, maxRedirects } = settings;

  return (seeds) => {
    expectSeeds(seeds);
    return defer(() => {
      const gate = new HostGate({ perHost, delay, jitter, hostKey, scheduler, random });
      const control = controlCrawl({ ...settings, gate });
      const admission = new Admission({
        ...settings,
        seen: settings.seen(),
        guards: settings.guards.map((make) => make()),
      });
      const fetcher = pipeFetcher(
        fetchAsWorker(settings.fetcher),
        holdHosts(gate, { retryAfterCap, stallLimit, maxHostFailures, scheduler }),
        ...adapting(settings, gate),
        polite(gate),
        ...settings.decorators,
        followRedirects({ maxRedirects }),
      );
      const handle = settings.handle.perCrawl?.() ?? settings.handle;
      const visit = control.abortable(
        visitRequest({ ...settings, handle, fetcher, admission, gate }),
      );
      const outstanding = new Outstanding(settings.seedLookahead);
      const seedEvents$ = new Subject<CrawlEvent<HandledItem<T>, P>>();

      // Closed before admission: what was admitted always reaches the strategy.
      const visits$ = pullSeeds(seeds, outstanding, scheduler).pipe(
        takeUntil(control.close$),
        mergeMap((seed) => admitSeed(seed, admission, (event) => seedEvents$.next(event))),
        scheduled(settings.strategy, visit, control),
        tap({ complete: () => seedEvents$.complete() }),
      );

      return merge(seedEvents$, visits$).pipe(
        // A switch that errors ends the crawl with its error, whoever listens to it.
        takeUntil(control.pause$.pipe(ignoreElements())),
        tap((event) => outstanding.observe(event)),
        finalize(() => {
          control.close();
          gate.close();
        }),
      );
    });
  };
}

/** The operator of a strategy; one of the user's own may be no operator at all. */
function scheduled<E extends CrawlEvent>(
  strategy: Strategy,
  visit: Visit<E>,
  context: StrategyContext,
): OperatorFunction<CrawlRequest, E | SkipEvent> {
  const operator = strategy(visit, context);
  expectFunction('crawl: strategy: what it returns', operator);
  return (requests$) => {
    const events$ = operator(requests$);
    expectObservable('crawl: strategy: what its operator returns', events$);
    return events$;
  };
}

function adapting<T, P extends BarePage>(
  { adaptiveDelay, scheduler }: CrawlSettings<T, P>,
  gate: HostGate,
): FetcherDecorator[] {
  if (adaptiveDelay === false) return [];
  return [adaptDelay(gate, { scheduler, ...(adaptiveDelay === true ? {} : adaptiveDelay) })];
}

/** A seed as a request, if it is one and is new; what happened to it goes out as events. */
function admitSeed(
  seed: SeedInput,
  admission: Admission,
  emit: (event: CrawlEvent<never, never>) => void,
): readonly CrawlRequest[] {
  const request = toRequest(seed);
  if (!isRequest(request)) {
    emit(request);
    return [];
  }
  const { skips, found } = admission.seed(request);
  skips.forEach(emit);
  emit(found);
  return found.admitted;
}
