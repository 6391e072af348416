import { expectFunction } from './expect.js';
import type { CrawlRequest } from './request.js';

/** A waiting request, as an {@link Order} sees it. */
export interface Waiting {
  readonly request: CrawlRequest;
  /** Counts up in order of discovery. */
  readonly sequence: number;
  /** What the order's `score` gave when the request came in. */
  readonly score: number;
}

/** What an {@link Order} knows of a host when it chooses among hosts that are ready. */
export interface WaitingHost {
  /** The host's best request. */
  readonly first: Waiting;
  /** Counts up with each request handed out by the frontier; 0 for a host never served. */
  readonly servedAt: number;
}

/**
 * Which request runs next. Decided when a worker takes a request, among the hosts that may be
 * asked at that moment: a host that has to wait never stands in the way of another.
 */
export interface Order {
  readonly name: string;
  /** Negative if `a` runs before `b`; both are of one host. */
  readonly compare: (a: Waiting, b: Waiting) => number;
  /** Negative if host `a` is served before host `b`. Default: compares their best requests. */
  readonly compareHosts?: (a: WaitingHost, b: WaitingHost) => number;
  /** Asked once per request, when it comes in. If it throws or gives NaN, the request is last. */
  readonly score?: (request: CrawlRequest) => number;
}

const byPriority = (a: Waiting, b: Waiting): number => b.request.priority - a.request.priority;

/** Breadth first: in order of discovery, larger `priority` first. The default. */
export function fifo(): Order {
  return { name: 'fifo', compare: (a, b) => byPriority(a, b) || a.sequence - b.sequence };
}

/** Depth first: the newest request first, larger `priority` before that. */
export function lifo(): Order {
  return { name: 'lifo', compare: (a, b) => byPriority(a, b) || b.sequence - a.sequence };
}

/**
 * The highest score first; equal scores in order of discovery.
 *
 * @param score - a number for a request; default its `priority`. NaN, or an error thrown, counts as the lowest.
 *
 * @example
 * ```ts
 * queued(16, { order: bestFirst((request) => -request.url.length) });
 * ```
 */
export function bestFirst(score?: (request: CrawlRequest) => number): Order {
  if (score !== undefined) expectFunction('bestFirst: score', score);
  const rate = score ?? ((request: CrawlRequest) => request.priority);
  return {
    name: 'best-first',
    score: rate,
    compare: (a, b) => (a.score === b.score ? a.sequence - b.sequence : b.score - a.score),
  };
}

/** Hosts in turn, each in order of discovery: the widest spread over many sites. */
export function roundRobinByHost(): Order {
  const { compare } = fifo();
  return {
    name: 'round-robin',
    compare,
    compareHosts: (a, b) => a.servedAt - b.servedAt || a.first.sequence - b.first.sequence,
  };
}
