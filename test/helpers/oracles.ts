import {
  asapScheduler,
  concat,
  concatMap,
  defer,
  expand,
  finalize,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  of,
  range,
  Subject,
  subscribeOn,
  tap,
  timer,
  zip,
} from 'rxjs';
import type { CrawlEvent, CrawlRequest, Strategy, Visit } from '../../src/core/index.js';

// The strategies as one would first write them, in plain rxjs and without politeness, limits,
// pause or stop: what the real ones are held to on random sites.

/** One recursive `expand`. */
export function expanding(width: number): Strategy {
  return <E extends CrawlEvent>(visit: Visit<E>) =>
    (requests$) =>
      defer(() => {
        const events$ = new Subject<E>();
        const work$ = requests$.pipe(
          expand(
            (request) =>
              visitToEnd(visit, request).pipe(
                tap((event) => events$.next(event)),
                mergeMap(found),
              ),
            width,
          ),
          ignoreElements(),
          tap({ complete: () => events$.complete() }),
        );
        return merge(events$, work$);
      });
}

/** Feedback into one `mergeMap`, which is the pool. */
export function merging(width: number): Strategy {
  return <E extends CrawlEvent>(visit: Visit<E>) =>
    (requests$) =>
      defer(() => {
        const { work$, feed, release } = feedback(requests$);
        return work$.pipe(
          mergeMap(
            (request) =>
              visitToEnd(visit, request).pipe(
                tap((event) => feed(event)),
                finalize(release),
              ),
            width,
          ),
        );
      });
}

/** Feedback into a `zip` of waiting requests with ready workers. */
export function zipping(width: number): Strategy {
  return <E extends CrawlEvent>(visit: Visit<E>) =>
    (requests$) =>
      defer(() => {
        const { work$, feed, release } = feedback(requests$);
        const ready$ = new Subject<number>();
        return zip(work$, merge(ready$, range(0, width))).pipe(
          mergeMap(([request, worker]) =>
            visitToEnd(visit, request).pipe(
              tap((event) => feed(event)),
              finalize(() => {
                ready$.next(worker);
                release();
              }),
            ),
          ),
        );
      });
}

/** Seeds and feedback as one stream, which ends when nobody holds a token any more. */
function feedback(requests$: Observable<CrawlRequest>): {
  readonly work$: Observable<CrawlRequest>;
  readonly feed: (event: CrawlEvent) => void;
  readonly release: () => void;
} {
  const feedback$ = new Subject<CrawlRequest>();
  let tokens = 1;
  const release = (): void => {
    tokens -= 1;
    if (tokens === 0) feedback$.complete();
  };
  const seeds$ = requests$.pipe(tap({ next: () => (tokens += 1), complete: release }));
  const feed = (event: CrawlEvent): void => {
    for (const request of found(event)) {
      tokens += 1;
      feedback$.next(request);
    }
  };
  return { work$: merge(feedback$, seeds$), feed, release };
}

/** A visit with its retries, each after its wait, in the place of the first try. */
function visitToEnd<E extends CrawlEvent>(
  visit: Visit<E>,
  request: CrawlRequest,
  attempt = 1,
): Observable<E> {
  return visit(request, { attempt }).pipe(
    concatMap((visited) => {
      const event: CrawlEvent = visited;
      if (event.type !== 'retry') return of(visited);
      const again$ = timer(event.delayMs).pipe(
        mergeMap(() => visitToEnd(visit, request, attempt + 1)),
      );
      return concat(of(visited), again$);
    }),
    // A visit that ends synchronously would recurse into the next one.
    subscribeOn(asapScheduler),
  );
}

function found(event: CrawlEvent): readonly CrawlRequest[] {
  return event.type === 'found' ? event.admitted : [];
}
