import { asyncScheduler, type SchedulerLike } from 'rxjs';
import type { FetchContext, FetcherDecorator } from './fetcher.js';
import { checkHostLimits, HostGate, type HostGateOptions, type WireProgress } from './host-gate.js';

/** Options of {@link polite}. */
export interface PoliteOptions extends Omit<HostGateOptions, 'scheduler'> {
  readonly scheduler?: SchedulerLike;
}

const FIRST: FetchContext = { attempt: 1 };

/**
 * Lets exchanges pass only as the limits of their host allow. `crawl()` puts it around its
 * fetcher by itself; on its own it makes any fetcher polite. The gap counts from when a request
 * goes out, if the fetcher tells (`opening` and `sent` of its context), else from when it starts.
 *
 * ```text
 * requests:  (ab)------|      both to one host, perHost 1, a fetch takes 2 frames
 * responses: --a-b-----
 * ```
 *
 * @param limits - limits, or a gate that is shared with others
 * @throws TypeError or RangeError naming the limit that is wrong
 *
 * @example
 * ```ts
 * const fetcher = polite({ perHost: 1, delay: 1_000 })(undiciFetcher());
 * ```
 */
export function polite(limits: PoliteOptions | HostGate): FetcherDecorator {
  const gate = limits instanceof HostGate ? limits : gateOf(limits);
  return (fetcher) =>
    (request, context = FIRST) =>
      gate.exchange(
        request.url,
        context.pass,
        (wire) => fetcher(request, wire ? telling(wire, context) : context),
        context.sent !== undefined,
      );
}

/** A context that also tells the gate how far the request is. */
function telling({ opening, sent }: WireProgress, context: FetchContext): FetchContext {
  return {
    ...context,
    opening: () => {
      opening();
      context.opening?.();
    },
    sent: () => {
      sent();
      context.sent?.();
    },
  };
}

function gateOf(limits: PoliteOptions): HostGate {
  checkHostLimits('polite', limits);
  return new HostGate({ ...limits, scheduler: limits.scheduler ?? asyncScheduler });
}
