import type { CrawlErrorCode, CrawlEvent, FailureEvent } from '../index.js';
import { withoutUserInfo } from './mask-secrets.js';
import type { CliPage } from './records.js';

/** One kind of failure, with the first URL that failed so. */
export interface ErrorKind {
  readonly code: CrawlErrorCode;
  /** HTTP status, where the code is `http-status`. */
  readonly status: number | null;
  readonly count: number;
  readonly example: string;
  readonly referrer: string | null;
}

/** How fast one host answered. */
export interface HostTimes {
  readonly host: string;
  readonly pages: number;
  /** Mean time of a page, ms. */
  readonly meanMs: number;
}

/** What a whole crawl has to tell beside its counts. */
export interface Digest {
  /** Most frequent first. */
  readonly errors: readonly ErrorKind[];
  /** Slowest first, ten at most. */
  readonly slowestHosts: readonly HostTimes[];
  /** How many seeds were fetched. */
  readonly seedsFetched: number;
  /** How many requests were left when the crawl was stopped. */
  readonly left: number;
}

/** Folds events into a {@link Digest}. */
export interface DigestFold {
  readonly add: (event: CrawlEvent<unknown, CliPage>) => void;
  readonly read: () => Digest;
}

/** More hosts than these are not told apart: the fastest half is forgotten. */
const MOST_HOSTS = 2_000;
const SHOWN_HOSTS = 10;

interface MutableKind extends ErrorKind {
  count: number;
}

interface MutableTimes {
  pages: number;
  ms: number;
}

/**
 * Makes an empty {@link DigestFold}. Its memory is bounded: kinds of errors are few, and of
 * hosts it keeps the slow ones.
 */
export function digest(): DigestFold {
  const errors = new Map<string, MutableKind>();
  const hosts = new Map<string, MutableTimes>();
  let seedsFetched = 0;
  let left = 0;

  const addPage = (url: string, ms: number): void => {
    const { host } = new URL(url);
    const times = hosts.get(host);
    if (times === undefined) {
      if (hosts.size >= MOST_HOSTS) forgetFastest(hosts);
      hosts.set(host, { pages: 1, ms });
    } else {
      times.pages++;
      times.ms += ms;
    }
  };

  return {
    add: (event) => {
      switch (event.type) {
        case 'page':
          if (isSeed(event.request)) seedsFetched++;
          addPage(event.request.url, event.ms);
          break;
        case 'failure':
          addFailure(errors, event);
          if (event.error.code === 'aborted') left++;
          break;
        case 'skip':
          if (event.reason === 'stopped') left += event.count;
          break;
        default:
      }
    },
    read: () => ({
      errors: Array.from(errors.values(), (kind) => ({ ...kind })).sort(
        (a, b) => b.count - a.count,
      ),
      slowestHosts: slowestFirst(hosts).slice(0, SHOWN_HOSTS),
      seedsFetched,
      left,
    }),
  };
}

function isSeed({ depth }: { depth: number }): boolean {
  return depth === 0;
}

function addFailure(errors: Map<string, MutableKind>, { request, error }: FailureEvent): void {
  const status = error.code === 'http-status' ? (error.status ?? null) : null;
  const key = `${error.code} ${status ?? ''}`;
  const kind = errors.get(key);
  if (kind !== undefined) {
    kind.count++;
    return;
  }
  const referrer = request.referrer === undefined ? null : withoutUserInfo(request.referrer);
  const example = withoutUserInfo(request.url);
  errors.set(key, { code: error.code, status, count: 1, example, referrer });
}

function slowestFirst(hosts: ReadonlyMap<string, MutableTimes>): HostTimes[] {
  return Array.from(hosts, ([host, { pages, ms }]) => ({
    host,
    pages,
    meanMs: Math.round(ms / pages),
  })).sort((a, b) => b.meanMs - a.meanMs);
}

function forgetFastest(hosts: Map<string, MutableTimes>): void {
  for (const { host } of slowestFirst(hosts).slice(MOST_HOSTS / 2)) hosts.delete(host);
}
