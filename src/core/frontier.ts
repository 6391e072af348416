import type { Observable, ObservableInput, SchedulerLike } from 'rxjs';
import type { CrawlWorker, Crew } from './crawl-worker.js';
import type { HostGate, HostPass } from './host-gate.js';
import type { Order } from './order.js';
import type { CrawlRequest } from './request.js';
import type { StartBudget } from './start-budget.js';

/** A request that was handed to a worker, until it is answered for. */
export interface Lease {
  readonly request: CrawlRequest;
  /** 1 for the first try. */
  readonly attempt: number;
  /** How often it was put back because its host asked to wait. */
  readonly holds: number;
  /** The place at the request's host that was reserved with it. */
  readonly pass: HostPass;
  /** The worker that it was handed to, where workers are not all alike. */
  readonly worker?: CrawlWorker | undefined;
  /** New for every delivery: tells an answer for this one from an answer for another. */
  readonly token: number;
}

/** `ok`: it counted. `lost`: the lease was answered for before, or taken back; nothing changed. */
export type AckOutcome = 'ok' | 'lost';

/** What a frontier holds at the moment. */
export interface FrontierStats {
  readonly queued: number;
  readonly leased: number;
  /** Waiting for a retry. */
  readonly delayed: number;
  /** Hosts with queued requests. */
  readonly hosts: number;
}

/** What a strategy tells a frontier that it makes. */
export interface FrontierContext {
  readonly order: Order;
  /** The workers, where they are not all alike. */
  readonly crew?: Crew | undefined;
  readonly gate: HostGate;
  readonly budget: StartBudget;
  readonly scheduler: SchedulerLike;
}

/**
 * What `queued()` takes its requests from. An operation is carried out when it is called; the
 * `ObservableInput` that it returns tells the outcome, so a memory frontier can answer with an
 * array, synchronously, and one on disk or network with a promise.
 *
 * States of a request: queued → leased → gone, with leased → delayed → queued (retry) and
 * leased → queued (release). It is in exactly one.
 */
export interface Frontier {
  /** Puts requests into the queue. They were admitted: dedupe is behind them. */
  enqueue(requests: readonly CrawlRequest[]): ObservableInput<unknown>;
  /**
   * A worker says that it is ready: emits one lease and completes. Hands out the best request
   * whose host may be asked now, to the worker that has waited longest, or that the crew selects.
   */
  take(worker?: CrawlWorker): Observable<Lease>;
  /** The request is answered for. `fetched: false` gives its start back to the budget. */
  ack(lease: Lease, outcome: { readonly fetched: boolean }): ObservableInput<AckOutcome>;
  /**
   * Puts the request back, to be handed out again after a delay, ms. `held`: its host asked to
   * wait, and this does not count as an attempt.
   */
  retry(
    lease: Lease,
    wish: { readonly delayMs: number; readonly held?: boolean },
  ): ObservableInput<AckOutcome>;
  /** Puts a request back that was not started; no attempt is counted. */
  release(lease: Lease): ObservableInput<AckOutcome>;
  /** Keeps the frontier from finishing while more may come from outside. Returns the release. */
  hold(): () => void;
  /** While paused nothing is handed out; everything else goes on. */
  pause(): void;
  resume(): void;
  /** Empties the queue, delayed requests included, and returns what was in it. */
  drop(): ObservableInput<readonly CrawlRequest[]>;
  /** Emits once nothing is queued, leased, delayed or held open. */
  readonly finished$: Observable<void>;
  stats(): ObservableInput<FrontierStats>;
  /** Cancels timers. */
  close(): void;
}

/** Makes a frontier for one crawl. */
export type FrontierFactory = (context: FrontierContext) => Frontier;
