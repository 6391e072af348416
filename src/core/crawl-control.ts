import {
  distinctUntilChanged,
  filter,
  map,
  merge,
  NEVER,
  type Observable,
  ReplaySubject,
  type SchedulerLike,
  startWith,
  Subscription,
  switchMap,
  take,
  takeWhile,
  timer,
} from 'rxjs';
import { CrawlError } from './errors.js';
import { type CrawlEvent, type FailureEvent, isTerminal } from './events.js';
import type { HostGate } from './host-gate.js';
import type { SkipReason } from './skip-reason.js';
import { StartBudget } from './start-budget.js';
import type { StrategyContext, Visit } from './strategy.js';

/** Streams and limits that control a crawl from outside. */
export interface CrawlControlOptions {
  readonly gate: HostGate;
  readonly maxPages: number;
  readonly pause$: Observable<boolean>;
  readonly stop$: Observable<unknown> | undefined;
  readonly drain: number;
  readonly scheduler: SchedulerLike;
}

/** The control of one crawl: what its strategy heeds, and how its running visits are aborted. */
export interface CrawlControl extends StrategyContext {
  /** Ends a visit with the failure `aborted` when the time to drain is over. */
  abortable<E extends CrawlEvent>(visit: Visit<E>): Visit<E | FailureEvent>;
  /** Unsubscribes from all that it listens to. */
  close(): void;
}

/** Listens to pause, stop and page limit from now on, for one crawl. */
export function controlCrawl(options: CrawlControlOptions): CrawlControl {
  const { gate, stop$ = NEVER, drain, scheduler } = options;
  const budget = new StartBudget(options.maxPages);
  const pause$ = new ReplaySubject<boolean>(1);
  const close$ = new ReplaySubject<SkipReason>(1);
  const abort$ = new ReplaySubject<number>(1);

  const listening = new Subscription();
  const stopped$ = new ReplaySubject<unknown>(1);
  // What comes later is heeded only where it sets the time to drain anew.
  const wishes$ = stop$.pipe(filter((wish, index) => index === 0 || drainOf(wish) !== undefined));
  listening.add(options.pause$.pipe(startWith(false), distinctUntilChanged()).subscribe(pause$));
  listening.add(
    merge(
      stopped$.pipe(map((): SkipReason => 'stopped')),
      budget.exhausted$.pipe(map((): SkipReason => 'max-pages')),
    )
      .pipe(take(1))
      .subscribe(close$),
  );
  listening.add(
    stopped$
      .pipe(
        map((wish) => drainOf(wish) ?? drain),
        switchMap((ms) => (ms === Infinity ? NEVER : timer(ms, scheduler).pipe(map(() => ms)))),
      )
      .subscribe(abort$),
  );
  listening.add(wishes$.subscribe(stopped$));

  return {
    gate,
    budget,
    pause$,
    close$,
    scheduler,
    abortable: (visit) => (options.stop$ === undefined ? visit : abortOn(abort$, visit)),
    close: () => listening.unsubscribe(),
  };
}

/** The time to drain that a value of `stop$` asks for. */
function drainOf(wish: unknown): number | undefined {
  const { drainMs } = (wish ?? {}) as { readonly drainMs?: unknown };
  return typeof drainMs === 'number' ? drainMs : undefined;
}

function abortOn<E extends CrawlEvent>(
  abort$: Observable<number>,
  visit: Visit<E>,
): Visit<E | FailureEvent> {
  return (request, delivery) =>
    merge(
      visit(request, delivery),
      abort$.pipe(
        map((drain): FailureEvent => ({
          type: 'failure',
          request,
          error: new CrawlError(
            'aborted',
            `still running when the time to drain (${drain} ms) was over`,
          ),
          attempts: delivery.attempt,
        })),
      ),
    ).pipe(takeWhile((event) => !endsVisit(event), true));
}

function endsVisit(event: CrawlEvent): boolean {
  return event.type === 'retry' || isTerminal(event);
}
