import {
  asyncScheduler,
  catchError,
  defer,
  finalize,
  map,
  type Observable,
  type SchedulerLike,
  tap,
  throwError,
} from 'rxjs';
import { type BalanceBy, checkModules, chooser, CountedModule } from './choose-module.js';
import { CrawlError, isCrawlError, isRequestRefused, RequestPutBack } from './errors.js';
import { expectFunction, expectScheduler, expectTimer } from './expect.js';
import { anything, expectOptions, integerFrom } from './expect-options.js';
import type { FetchContext, FetchedResponse, Fetcher } from './fetcher.js';
import { messageOf } from './message-of.js';
import type { Counted, ModuleCounts } from './module-counts.js';

/** One of several fetchers. */
export interface FetchModule {
  /** Names it in figures and errors; no two have the same. */
  readonly id: string;
  readonly fetcher: Fetcher;
}

/** How a fetch by one module ended: with an answer, or with an error. */
export type ModuleOutcome =
  | { readonly response: FetchedResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: unknown };

/** Options of {@link balance}. */
export interface BalanceOptions {
  /** Default `score`. */
  readonly by?: BalanceBy | undefined;
  /** How long a fetcher that has failed is left alone, ms. Default 30,000. */
  readonly cooldown?: number | undefined;
  /**
   * Whether an outcome is the fault of the fetcher, and says nothing of the page. Default: the
   * failure `proxy-failed`, status 407, and errors that no fetcher should give.
   */
  readonly isUnwell?: ((outcome: ModuleOutcome) => boolean) | undefined;
  /**
   * How often one request is put back because of its fetchers; the failure after that is its
   * own. Default 3 more than there are fetchers.
   */
  readonly maxPutBacks?: number | undefined;
  /** The clock of the cooldowns. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Several fetchers that are used as one, and their figures. */
export interface BalancedFetcher extends Fetcher, Counted {}

class Module extends CountedModule {
  readonly fetcher: Fetcher;
  failed = 0;
  wellAt = -Infinity;

  constructor({ id, fetcher }: FetchModule) {
    super(id);
    this.fetcher = fetcher;
  }

  counts(now: number): ModuleCounts {
    const cooling = Math.max(0, this.wellAt - now);
    const coolingMs = cooling === Infinity || Number.isNaN(cooling) ? 0 : cooling;
    return { ...this.figures(), extra: { failed: this.failed, coolingMs } };
  }
}

/**
 * Several fetchers as one: proxies, network addresses, accounts. Each request goes to the one
 * that `by` chooses. One that fails is left alone for a while; its request is put back into the
 * queue, past dedupe and without an attempt counted, and goes to another. While none is well
 * requests wait in the queue, not on workers.
 *
 * Outside of `crawl()` a request that is put back errors with `RequestPutBack`.
 *
 * @throws TypeError or RangeError if there are none, two have one id, or an option is wrong
 *
 * @example Proxies in turn; one that fails rests for a minute.
 * ```ts
 * import { balance, crawl, undiciFetcher } from 'rxcrawl';
 *
 * const proxies = ['http://proxy-1.example:3128', 'http://proxy-2.example:3128'];
 * const fetcher = balance(
 *   proxies.map((proxy) => ({ id: proxy, fetcher: undiciFetcher({ proxy }) })),
 *   { by: 'round-robin', cooldown: 60_000 },
 * );
 * crawl({ fetcher })('https://books.example/').subscribe({
 *   complete: () => console.log(fetcher.counts()),
 * });
 * ```
 */
export function balance(
  fetchers: readonly FetchModule[],
  options: BalanceOptions = {},
): BalancedFetcher {
  checkModules('balance: fetchers', fetchers, ({ fetcher }, at) =>
    expectFunction(`${at}: fetcher`, fetcher),
  );
  const modules = fetchers.map((module) => new Module(module));
  expectOptions('balance', options, {
    by: anything,
    cooldown: expectTimer,
    isUnwell: expectFunction,
    maxPutBacks: integerFrom(0),
    scheduler: expectScheduler,
  });
  const { by = 'score', cooldown = 30_000, isUnwell = unwellByDefault } = options;
  const { maxPutBacks = modules.length + 3, scheduler = asyncScheduler } = options;
  const choose = chooser('balance', by, (module: Module) => module.counts(scheduler.now()));

  /** Puts a request back, unless that has happened too often. */
  const putBack = (
    context: FetchContext | undefined,
    error: CrawlError,
    delayMs: number,
  ): CrawlError | RequestPutBack =>
    (context?.holds ?? 0) < maxPutBacks ? new RequestPutBack(error, delayMs) : error;

  const fetchBy = (
    module: Module,
    ...[request, context]: Parameters<Fetcher>
  ): Observable<FetchedResponse> => {
    const fail = (error: CrawlError): CrawlError | RequestPutBack => {
      module.failed += 1;
      module.wellAt = scheduler.now() + cooldown;
      return putBack(context, error, 0);
    };
    module.called += 1;
    module.inFlight += 1;
    return defer(() => {
      const response$ = module.fetcher(request, context);
      module.accepted += 1;
      return response$;
    }).pipe(
      catchError((error: unknown) =>
        throwError(() => (isUnwell({ error }) ? fail(asCrawlError(module, error)) : error)),
      ),
      map((response) => {
        if (!isUnwell({ response })) return response;
        const { status } = response;
        const message = `fetcher "${module.id}" answered with status ${status}`;
        throw fail(new CrawlError('http-status', message, { status }));
      }),
      tap(() => (module.completed += 1)),
      finalize(() => (module.inFlight -= 1)),
    );
  };

  const fetcher: Fetcher = (request, context) =>
    defer(() => {
      const now = scheduler.now();
      const well = modules.filter(({ wellAt }) => wellAt <= now);
      const module = choose(well);
      if (!module) {
        const delayMs = Math.min(...modules.map(({ wellAt }) => wellAt)) - now;
        const error = new CrawlError('proxy-failed', 'no fetcher is well');
        return throwError(() => putBack(context, error, delayMs));
      }
      return fetchBy(module, request, context);
    });

  return Object.assign(fetcher, {
    counts: () => modules.map((module) => module.counts(scheduler.now())),
  });
}

function unwellByDefault({ response, error }: ModuleOutcome): boolean {
  if (response) return response.status === 407;
  return isCrawlError(error) ? error.code === 'proxy-failed' : !isRequestRefused(error);
}

function asCrawlError({ id }: Module, error: unknown): CrawlError {
  if (isCrawlError(error)) return error;
  const message = `fetcher "${id}" failed: ${messageOf(error)}`;
  return new CrawlError('internal', message, { cause: error });
}
