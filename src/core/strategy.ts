import { NEVER, type Observable, type OperatorFunction, type SchedulerLike } from 'rxjs';
import { asyncScheduler, of } from 'rxjs';
import type { CrawlWorker } from './crawl-worker.js';
import type { CrawlEvent, SkipEvent } from './events.js';
import { HostGate, type HostPass } from './host-gate.js';
import type { CrawlRequest } from './request.js';
import type { SkipReason } from './skip-reason.js';
import { StartBudget } from './start-budget.js';

/** The circumstances under which a request is visited. */
export interface Delivery {
  /** 1 for the first try. */
  readonly attempt: number;
  /** How often it was put back because its host asked to wait. Default 0. */
  readonly holds?: number | undefined;
  /** The place at the request's host that was reserved for this visit. */
  readonly pass?: HostPass | undefined;
  /** The worker that has it, where workers are not all alike. */
  readonly worker?: CrawlWorker | undefined;
}

/**
 * One request from start to end: fetch, parse, handle. The unit that a worker runs. Its last
 * event is terminal, or a `retry`: then the strategy waits and visits the request again.
 * Requests that were found come in `found` events, already admitted. Never errors.
 */
export type Visit<E extends CrawlEvent = CrawlEvent> = (
  request: CrawlRequest,
  delivery: Delivery,
) => Observable<E>;

/** What a strategy must heed besides its own rules. All of it has defaults that limit nothing. */
export interface StrategyContext {
  /** Politeness: which hosts may be asked now. */
  readonly gate: HostGate;
  /** How many pages may still be started. */
  readonly budget: StartBudget;
  /** True while nothing new may be started. Replays its state. */
  readonly pause$: Observable<boolean>;
  /**
   * Emits the reason once nothing new may be started any more, and replays it: what waits, and
   * what still comes in, is skipped with this reason.
   */
  readonly close$: Observable<SkipReason>;
  readonly scheduler: SchedulerLike;
}

/**
 * Decides which request runs next on which worker: visits the requests that come in, feeds the
 * requests they find back, and completes when the source has and nothing is left.
 *
 * @example A strategy of one's own, in three lines: one request at a time, newest site first.
 * ```ts
 * const mine: Strategy = (visit, context) =>
 *   queued(1, { order: bestFirst((request) => -request.depth) })(visit, context);
 * ```
 */
export type Strategy = <E extends CrawlEvent>(
  visit: Visit<E>,
  context?: StrategyContext,
) => OperatorFunction<CrawlRequest, E | SkipEvent>;

/** A context without limits, for a strategy that is used on its own. */
export function unlimited(scheduler: SchedulerLike = asyncScheduler): StrategyContext {
  return {
    gate: new HostGate({ scheduler }),
    budget: new StartBudget(Infinity),
    pause$: of(false),
    close$: NEVER,
    scheduler,
  };
}
