import { asyncScheduler, defer, type SchedulerLike, tap } from 'rxjs';
import { BoundedMap } from './bounded-map.js';
import { isCrawlError, RequestRefused } from './errors.js';
import { expectMs, expectScheduler } from './expect.js';
import { expectOptions, integerFrom } from './expect-options.js';
import type { FetchContext, FetchedResponse, FetcherDecorator } from './fetcher.js';
import type { HostGate } from './host-gate.js';
import { isHostDown } from './is-no-connection.js';
import { parseRetryAfter } from './parse-retry-after.js';

/** Options of {@link holdHosts}. Times are in milliseconds. */
export interface HoldHostsOptions {
  /** Longest `Retry-After` that is waited for; a host that asks for more is given up. Default 300,000. */
  readonly retryAfterCap?: number | undefined;
  /** First hold of a host that names no time; doubled with each incident. Default 2,000. */
  readonly firstHold?: number | undefined;
  /** Longest hold of a host that names no time. Default 60,000. */
  readonly longestHold?: number | undefined;
  /** A host that has only held us up for so long is given up. Default 900,000. */
  readonly stallLimit?: number | undefined;
  /**
   * A host that could not be reached so often in a row is given up. Failures of DNS, TCP and TLS
   * count, those of a proxy do not: they say nothing about the host. Default 10.
   */
  readonly maxHostFailures?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

/** A host that has asked for fewer requests, and has not answered well since. */
interface Incident {
  since: number;
  /** When the host asked last. Refusals of what was started before tell nothing new. */
  lastAt: number;
  /** When it asked the time before. */
  beforeAt: number;
  level: number;
}

/** Hosts in trouble that are remembered. */
const HOSTS = 10_000;

/**
 * Heeds hosts that ask for fewer requests. After 429 or 503 the host (and no other) is held: for
 * `Retry-After`, or for a time that doubles with each incident. Answers to requests that were
 * sent before the hold belong to the same incident. A good answer ends it. A redirect with
 * `Retry-After` is waited for as well. A host that asks for too much, holds us up for too long
 * or cannot be reached any more is given up: for the stall limit its requests end as `deferred`.
 *
 * `crawl()` puts it right around its fetcher. Errors: `RequestRefused` with `deferred`.
 *
 * ```text
 * answers: -4-4-----2|     4 is a 429 without Retry-After, 2 a good answer
 * held:    -hhhhhhhhh      one incident, one hold
 * ```
 *
 * @param gate - where hosts are held
 * @throws RangeError or TypeError naming the option that is wrong
 *
 * @example
 * ```ts
 * const gate = new HostGate({ delay: 500, scheduler: asyncScheduler });
 * const fetcher = pipeFetcher(undiciFetcher(), holdHosts(gate), polite(gate));
 * ```
 */
export function holdHosts(gate: HostGate, options: HoldHostsOptions = {}): FetcherDecorator {
  expectOptions('holdHosts', options, {
    retryAfterCap: expectMs,
    firstHold: expectMs,
    longestHold: expectMs,
    stallLimit: expectMs,
    maxHostFailures: integerFrom(1),
    scheduler: expectScheduler,
  });
  const {
    retryAfterCap = 300_000,
    firstHold = 2_000,
    longestHold = 60_000,
    stallLimit = 900_000,
    maxHostFailures = 10,
    scheduler = asyncScheduler,
  } = options;

  const incidents = new BoundedMap<string, Incident>(HOSTS);
  const failures = new BoundedMap<string, number>(HOSTS);

  const giveUp = (url: string, why: string, context: FetchContext | undefined): void => {
    gate.giveUp(url, stallLimit, why);
    const host = gate.hostOf(url);
    incidents.delete(host);
    failures.delete(host);
    context?.notify?.({ type: 'warning', code: 'host-given-up', message: `${host}: ${why}` });
  };

  const hold = (url: string, ms: number, why: string, context: FetchContext | undefined): void => {
    gate.hold(url, ms);
    context?.notify?.({ type: 'hold', host: gate.hostOf(url), ms, reason: why });
  };

  const heedThrottle = (
    { url, status }: FetchedResponse,
    asked: number | undefined,
    startedAt: number,
    context: FetchContext | undefined,
  ): void => {
    const host = gate.hostOf(url);
    const now = scheduler.now();
    const known = incidents.get(host);
    const incident = known ?? { since: now, lastAt: -Infinity, beforeAt: -Infinity, level: 0 };
    if (asked === undefined && startedAt < incident.lastAt) return;
    const ms = asked ?? Math.min(longestHold, firstHold * 2 ** incident.level);
    if (now + ms - incident.since > stallLimit) {
      giveUp(url, `answered nothing but ${status} for ${now - incident.since} ms`, context);
      throw new RequestRefused('deferred', `status ${status}`);
    }
    const isNews = startedAt >= incident.lastAt || ms > gate.heldFor(url);
    if (startedAt >= incident.lastAt) {
      incident.level += 1;
      incident.beforeAt = incident.lastAt;
    }
    incident.lastAt = now;
    if (!known) incidents.set(host, incident);
    if (isNews) hold(url, ms, `status ${status}`, context);
  };

  const calmDown = (incident: Incident): void => {
    incident.level = 1;
    incident.since = scheduler.now();
  };

  const heedAnswer = (
    response: FetchedResponse,
    startedAt: number,
    context: FetchContext | undefined,
  ): void => {
    const { url, status } = response;
    const host = gate.hostOf(url);
    failures.delete(host);
    const throttled = status === 429 || status === 503;
    const redirected = status >= 300 && status < 400;
    if (!throttled && !redirected) {
      const incident = incidents.get(host);
      if (!incident) return;
      if (startedAt >= incident.lastAt) incidents.delete(host);
      // It answered in the same round in which it refused: then it is one URL, not the host.
      else if (startedAt >= incident.beforeAt && incident.level > 1) calmDown(incident);
      return;
    }
    const asked = retryAfter(response, scheduler.now());
    if (asked !== undefined && asked > retryAfterCap) {
      const why = `asked to wait for ${asked} ms, which is over the limit of ${retryAfterCap} ms`;
      giveUp(url, why, context);
      throw new RequestRefused('deferred', why);
    }
    if (throttled) heedThrottle(response, asked, startedAt, context);
    else if (asked !== undefined) hold(url, asked, `status ${status}`, context);
  };

  const heedError = (url: string, error: unknown, context: FetchContext | undefined): void => {
    if (!isCrawlError(error) || !isHostDown(error.code)) return;
    const host = gate.hostOf(url);
    const count = (failures.get(host) ?? 0) + 1;
    if (count >= maxHostFailures) giveUp(url, `${error.code} ${count} times in a row`, context);
    else failures.set(host, count);
  };

  return (fetcher) => (request, context) =>
    defer(() => {
      const startedAt = scheduler.now();
      return fetcher(request, context).pipe(
        tap({
          next: (response) => heedAnswer(response, startedAt, context),
          error: (error: unknown) => heedError(request.url, error, context),
        }),
      );
    });
}

/** The wait that an answer asks for, ms; 0 and what cannot be read count as no wish. */
export function retryAfter({ headers }: FetchedResponse, now: number): number | undefined {
  const value = headers['retry-after'];
  const ms = typeof value === 'string' ? parseRetryAfter(value, now) : undefined;
  return ms === 0 ? undefined : ms;
}
