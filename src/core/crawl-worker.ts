import { CrawlError } from './errors.js';
import { expectFunction, show } from './expect.js';
import { listOf } from './expect-options.js';
import type { Fetcher, FetcherDecorator } from './fetcher.js';
import { pipeFetcher } from './pipe-fetcher.js';
import type { CrawlRequest } from './request.js';

/** A worker that is not like the others: with its own proxy, agent, cookies or account. */
export interface CrawlWorker {
  /** Names it; no two have the same. */
  readonly id: string;
  /** Takes the place of the crawl's fetcher. */
  readonly fetcher?: Fetcher | undefined;
  /** Put around that fetcher, or the crawl's, the first one innermost: its own cookie jar, say. */
  readonly decorators?: readonly FetcherDecorator[] | undefined;
}

/**
 * Chooses the worker for a request among those that are ready, of which the first has waited
 * longest. `undefined` lets the request wait for a worker that is busy, and with it what stands
 * behind it in the queue of its host; when all workers are ready, that is not heeded.
 */
export type SelectWorker<W extends CrawlWorker = CrawlWorker> = (
  request: CrawlRequest,
  ready: readonly W[],
) => W | undefined;

/** Workers that are chosen among. */
export interface Crew {
  readonly workers: readonly CrawlWorker[];
  /** Default: the one that has waited longest. */
  readonly select: SelectWorker | undefined;
}

/** @throws TypeError if there are none, two have one id, or one is wrong */
export function checkWorkers(workers: readonly CrawlWorker[]): void {
  if (workers.length === 0) throw new TypeError('queued: workers: expected at least one, got none');
  const ids = new Set<string>();
  for (const [index, given] of workers.entries()) {
    const worker = given as Partial<CrawlWorker> | null | undefined;
    if (typeof worker?.id !== 'string') {
      throw new TypeError(
        `queued: workers[${index}]: expected an object with an id, got ${show(worker)}`,
      );
    }
    const { id, fetcher, decorators } = worker;
    if (ids.has(id)) {
      throw new TypeError(`queued: workers: expected different ids, got ${show(id)} twice`);
    }
    ids.add(id);
    const owner = `queued: workers[${index}]`;
    if (fetcher !== undefined) expectFunction(`${owner}: fetcher`, fetcher);
    if (decorators !== undefined) listOf(expectFunction)(`${owner}: decorators`, decorators);
  }
}

/** Fetches as the worker does that has the request; others fetch as the crawl does. */
export function fetchAsWorker(fetcher: Fetcher): Fetcher {
  const own = new WeakMap<CrawlWorker, Fetcher>();
  const fetcherOf = (worker: CrawlWorker): Fetcher => {
    const made = own.get(worker);
    if (made) return made;
    const fresh = pipeFetcher(worker.fetcher ?? fetcher, ...(worker.decorators ?? []));
    own.set(worker, fresh);
    return fresh;
  };
  return (request, context) => {
    const answer$ = (context?.worker ? fetcherOf(context.worker) : fetcher)(request, context);
    expectAnswer(answer$);
    return answer$;
  };
}

/** An async function is the most usual mistake. */
function expectAnswer(answer$: unknown): void {
  const { subscribe } = (answer$ ?? {}) as { subscribe?: unknown };
  if (typeof subscribe === 'function') return;
  throw new CrawlError(
    'internal',
    `the fetcher returned ${show(answer$)}; a Fetcher returns an Observable: wrap a promise in from()`,
  );
}
