import type { CrawlError, CrawlErrorCode } from './errors.js';
import { expectFunction, expectMs, show } from './expect.js';
import { expectIterable, expectOptions, integerFrom } from './expect-options.js';
import type { FetchedResponse } from './fetcher.js';
import type { CrawlRequest } from './request.js';

/** How an attempt ended, as a {@link RetryPolicy} sees it. */
export interface Outcome {
  readonly request: CrawlRequest;
  readonly error: CrawlError;
  /** The answer, body included, where there was one. */
  readonly response: FetchedResponse | undefined;
}

/**
 * Decides whether an attempt is followed by another: the wait before it, ms, or `null` to stop.
 * A pure function of the attempt (1 for the first) and its outcome.
 */
export type RetryPolicy = (attempt: number, outcome: Outcome) => number | null;

/** Options of {@link retryPolicy}. */
export interface RetryPolicyOptions {
  /** Tries after the first. Default 2. */
  readonly retries?: number;
  /** Middle of the first wait, ms; doubled with each attempt. Default 1,000. */
  readonly base?: number;
  /** Largest middle of a wait, ms. Default 30,000. */
  readonly cap?: number;
  /** Answers that are worth another try. Default 408 425 429 500 502 503 504 522 524. */
  readonly statuses?: Iterable<number>;
  /** Failures that are worth another try. Default: those of the network and its timeouts. */
  readonly codes?: Iterable<CrawlErrorCode>;
  /** Methods that may be sent again. Default GET, HEAD, OPTIONS, TRACE, PUT, DELETE (RFC 9110 §9.2.2). */
  readonly methods?: Iterable<string>;
  /** From 0 to below 1. Default `Math.random`. */
  readonly random?: () => number;
}

const STATUSES = [408, 425, 429, 500, 502, 503, 504, 522, 524];

const CODES: readonly CrawlErrorCode[] = [
  'dns-failed',
  'connection-refused',
  'connection-reset',
  'unreachable',
  'proxy-failed',
  'network-error',
  'timeout-dns',
  'timeout-connect',
  'timeout-tls',
  'timeout-headers',
  'timeout-idle',
  'timeout-total',
  'too-slow',
  'empty-reply',
  'truncated',
];

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];

/**
 * The default policy: exponential with jitter over the whole width. The n-th wait lies between
 * half and one and a half times min(`cap`, `base` × 2ⁿ⁻¹), so a retry never follows at once.
 *
 * @throws RangeError or TypeError naming the option that is wrong
 *
 * @example
 * ```ts
 * crawl({ retry: retryPolicy({ retries: 5, cap: 60_000 }) });
 * ```
 */
export function retryPolicy(options: RetryPolicyOptions = {}): RetryPolicy {
  expectOptions('retryPolicy', options, {
    retries: integerFrom(0),
    base: expectMs,
    cap: expectMs,
    statuses: expectIterable,
    codes: expectIterable,
    methods: expectIterable,
    random: expectFunction,
  });
  const { retries = 2, base = 1_000, cap = 30_000, random = Math.random } = options;
  const statuses = setOf('statuses', 'number', options.statuses ?? STATUSES);
  const codes = setOf<CrawlErrorCode>('codes', 'string', options.codes ?? CODES);
  const methods = setOf('methods', 'string', options.methods ?? METHODS);

  return (attempt, { request, error, response }) => {
    if (attempt > retries || !methods.has(request.method)) return null;
    const status = error.status ?? response?.status;
    const transient =
      error.code === 'http-status' && status !== undefined
        ? statuses.has(status)
        : codes.has(error.code);
    if (!transient) return null;
    return Math.round(Math.min(cap, base * 2 ** (attempt - 1)) * (0.5 + random()));
  };
}

function setOf<T>(name: string, type: 'number' | 'string', values: Iterable<T>): Set<T> {
  const set = new Set(values);
  for (const value of set) {
    if (typeof value === type) continue;
    throw new TypeError(`retryPolicy: ${name}: expected a list of ${type}s, got ${show(value)}`);
  }
  return set;
}
