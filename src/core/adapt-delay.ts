import { asyncScheduler, defer, type SchedulerLike, tap } from 'rxjs';
import { expectMs, expectPositive, expectScheduler } from './expect.js';
import { type Expectations, expectOptions } from './expect-options.js';
import type { FetchContext, FetcherDecorator } from './fetcher.js';
import type { HostGate } from './host-gate.js';

/** Options of {@link adaptDelay}. */
export interface AdaptDelayOptions {
  /** Least gap that it chooses, ms; the common delay of the crawl stays the floor. Default 0. */
  readonly min?: number | undefined;
  /** Largest gap that it chooses, ms. Default 60,000. */
  readonly max?: number | undefined;
  /** How many exchanges with a host should run at once on average. Default 1. */
  readonly target?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/** A change that is smaller than this part is made, but is no news. */
const NEWS = 0.1;

/**
 * Adapts a host's gap to how fast it answers. After each answer the gap moves half of the way to
 * latency / `target`; an answer of 429, 503 or any other 5xx doubles it, and none of these ever
 * shortens it. Each change of over 10 % is a `pace` event.
 *
 * ```text
 * latency: 400 400 400         ms
 * gap:     200 300 350         halfway to the latency each time
 * ```
 *
 * @throws RangeError or TypeError naming the option that is wrong
 *
 * @example
 * ```ts
 * crawl({ adaptiveDelay: { max: 10_000 } });
 * ```
 */
export function adaptDelay(gate: HostGate, options: AdaptDelayOptions = {}): FetcherDecorator {
  checkAdaptDelay('adaptDelay', options);
  const { min = 0, max = 60_000, target = 1, scheduler = asyncScheduler } = options;

  const adapt = (
    url: string,
    status: number,
    latency: number,
    context: FetchContext | undefined,
  ): void => {
    const before = gate.paceOf(url);
    const halfway = (before + latency / target) / 2;
    const wished = status === 429 || status >= 500 ? Math.max(before * 2, halfway) : halfway;
    const pace = Math.round(Math.min(max, Math.max(min, wished)));
    gate.setPace(url, pace);
    if (Math.abs(pace - before) <= before * NEWS) return;
    const reason = `status ${status} after ${latency} ms`;
    context?.notify?.({ type: 'pace', host: gate.hostOf(url), ms: pace, reason });
  };

  return (fetcher) => (request, context) =>
    defer(() => {
      const startedAt = scheduler.now();
      return fetcher(request, context).pipe(
        tap(({ url, status }) => {
          // How long a file takes says nothing about how busy its host is.
          if (context?.receive !== undefined && status < 400) return;
          adapt(url, status, scheduler.now() - startedAt, context);
        }),
      );
    });
}

const EXPECTED: Expectations<AdaptDelayOptions> = {
  min: expectMs,
  max: expectMs,
  target: expectPositive,
  scheduler: expectScheduler,
};

/** @param owner - names the options in the message */
export function checkAdaptDelay(owner: string, options: AdaptDelayOptions): void {
  expectOptions(owner, options, EXPECTED);
}
