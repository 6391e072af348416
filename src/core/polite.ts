import { asyncScheduler, type SchedulerLike } from 'rxjs';
import type { FetcherDecorator } from './fetcher.js';
import { HostGate, type HostGateOptions } from './host-gate.js';

/** Options of {@link polite}. */
export interface PoliteOptions extends Omit<HostGateOptions, 'scheduler'> {
  readonly scheduler?: SchedulerLike;
}

/**
 * Lets exchanges pass only as the limits of their host allow. `crawl()` puts it around its
 * fetcher by itself; on its own it makes any fetcher polite.
 *
 * ```text
 * requests:  (ab)------|      both to one host, perHost 1, a fetch takes 2 frames
 * responses: --a-b-----
 * ```
 *
 * @param limits - limits, or a gate that is shared with others
 *
 * @example
 * ```ts
 * const fetcher = polite({ perHost: 1, delay: 1_000 })(undiciFetcher());
 * ```
 */
export function polite(limits: PoliteOptions | HostGate): FetcherDecorator {
  const gate =
    limits instanceof HostGate ? limits : new HostGate({ scheduler: asyncScheduler, ...limits });
  return (fetcher) => (request, context) =>
    gate.exchange(request.url, context?.pass, fetcher(request, context));
}
