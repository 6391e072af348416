import { defer, EMPTY, finalize, from, ignoreElements, type Observable, tap } from 'rxjs';
import { bufferCountsOf } from './buffered-sink.js';
import { type BalanceBy, checkModules, chooser, CountedModule } from './choose-module.js';
import { expectFunction } from './expect.js';
import { anything, expectOptions } from './expect-options.js';
import type { Counted, ModuleCounts } from './module-counts.js';
import type { CrawlRequest } from './request.js';
import type { Sink } from './sink.js';

/** One of several sinks. */
export interface SinkModule<T> {
  /** Names it in figures; no two have the same. */
  readonly id: string;
  /** What is done with an item: a store, or a pipeline that ends in one. */
  readonly sink: Sink<T>;
}

/** Options of {@link balanceSinks}. */
export interface BalanceSinksOptions {
  /** Default `score`. */
  readonly by?: BalanceBy | undefined;
}

/** Several sinks that are used as one, and their figures. */
export interface BalancedSink<T> extends Counted {
  (item: T, request: CrawlRequest): Observable<never>;
}

class Module<T> extends CountedModule {
  readonly sink: Sink<T>;
  failed = 0;

  constructor({ id, sink }: SinkModule<T>) {
    super(id);
    this.sink = sink;
  }

  counts(): ModuleCounts {
    const { size = 0, held = 0, dropped = 0 } = bufferCountsOf(this.sink) ?? {};
    return { ...this.figures(), extra: { failed: this.failed, size, held, dropped } };
  }
}

/**
 * Several sinks as one, for the `sink` of `crawl()`: pipelines that run side by side, or stores that
 * share the load. Each item goes to the one that `by` chooses, and holds its worker until that
 * one has taken it. An item that fails is handed to no other one: part of it may have been stored.
 *
 * `counts()` tells of each sink how often it was chosen (`called`), began (`accepted`), and ended
 * well (`completed`), and in `extra` how often it has `failed`, and the `size`, `held` and
 * `dropped` of its buffer if it is a `bufferedSink()`. They are part of a crawler's summary.
 *
 * @throws TypeError if there are none, two have one id, or an option is wrong
 *
 * @example
 * ```ts
 * import { balanceSinks, bufferedSink, crawl } from 'rxcrawl';
 *
 * const sink = balanceSinks(
 *   databases.map((database) => ({
 *     id: database.name,
 *     sink: bufferedSink((book) => database.insert(book), { capacity: 100 }),
 *   })),
 *   { by: 'least-in-flight' },
 * );
 * crawl({ handle, sink })('https://books.example/').subscribe({
 *   complete: () => console.log(sink.counts()),
 * });
 * ```
 */
export function balanceSinks<T>(
  sinks: readonly SinkModule<T>[],
  options: BalanceSinksOptions = {},
): BalancedSink<T> {
  expectOptions('balanceSinks', options, { by: anything });
  const { by = 'score' } = options;
  checkModules('balanceSinks: sinks', sinks, ({ sink }, at) => expectFunction(`${at}: sink`, sink));
  const modules = sinks.map((module) => new Module(module));
  const choose = chooser('balanceSinks', by, (module: Module<T>) => module.counts());

  const put = (item: T, request: CrawlRequest): Observable<never> =>
    defer(() => {
      // There is always one: none is ever left out.
      const module = choose(modules) as Module<T>;
      module.called += 1;
      module.inFlight += 1;
      return defer(() => {
        const taken = module.sink(item, request);
        module.accepted += 1;
        return taken === undefined ? EMPTY : from(taken);
      }).pipe(
        ignoreElements(),
        tap({ complete: () => (module.completed += 1), error: () => (module.failed += 1) }),
        finalize(() => (module.inFlight -= 1)),
      );
    });
  return Object.assign(put, { counts: () => modules.map((module) => module.counts()) });
}
