// Own code, not `merge(refused$, signal$.pipe(map(goOn))).pipe(take(1), switchAll())`: that makes
// eight subscriptions where two do, and `simple()` asks four times for each request.

import { Observable, of, Subscription } from 'rxjs';
import type { CrawlEvent, SkipEvent } from './events.js';
import type { CrawlRequest } from './request.js';
import { skipRequest } from './skip.js';
import type { StrategyContext } from './strategy.js';

/**
 * Waits for a signal and goes on, unless the crawl is closed first: then the request is skipped.
 *
 * ```text
 * signal$: --s---
 * goOn(s):   ab|
 * close$:  ------  →  result: --ab|
 * close$:  -c----  →  result: -(x|)      x is the skip
 * ```
 *
 * @param goOn - what follows the first signal
 */
export function unlessClosed<S, E extends CrawlEvent>(
  signal$: Observable<S>,
  request: CrawlRequest,
  { close$ }: StrategyContext,
  goOn: (signal: S) => Observable<E | SkipEvent>,
): Observable<E | SkipEvent> {
  return new Observable((subscriber) => {
    const waiting = new Subscription();
    let decided = false;
    let silent = 0;
    const decide = (next$: () => Observable<E | SkipEvent>): void => {
      if (decided) return;
      decided = true;
      waiting.unsubscribe();
      try {
        next$().subscribe(subscriber);
      } catch (error) {
        subscriber.error(error);
      }
    };
    const rest = {
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        silent += 1;
        if (silent === 2 && !decided) subscriber.complete();
      },
    };
    subscriber.add(waiting);
    waiting.add(
      close$.subscribe({
        ...rest,
        next: (reason) => decide(() => of(skipRequest(request, reason))),
      }),
    );
    if (waiting.closed) return;
    waiting.add(signal$.subscribe({ ...rest, next: (signal) => decide(() => goOn(signal)) }));
  });
}
