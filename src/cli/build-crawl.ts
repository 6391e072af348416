import type { Observable, SchedulerLike } from 'rxjs';
import {
  bestFirst,
  type CrawlEvent,
  type CrawlRequest,
  fifo,
  lifo,
  type Order,
  queued,
  roundRobinByHost,
  simple,
  type Strategy,
} from '../index.js';
import type { OrderName } from './define-command.js';
import type { CliOptions } from './parse-options.js';
import type { CliPage } from './records.js';

/** What steers a crawl while it runs. */
export interface CrawlControls {
  readonly pause$: Observable<boolean>;
  readonly stop$: Observable<unknown>;
  /** ms */
  readonly drain: number;
  readonly scheduler: SchedulerLike;
}

/** Makes a crawl of options. */
export type BuildCrawl = (
  options: CliOptions,
  controls: CrawlControls,
) => (seeds: AsyncIterable<string>) => Observable<CrawlEvent<unknown, CliPage>>;

const ORDERS: Readonly<Record<OrderName, () => Order>> = {
  fifo,
  lifo,
  'best-first': () => bestFirst(shortPathsFirst),
  'round-robin': roundRobinByHost,
};

/** The strategy that `--strategy`, `--order` and `--concurrency` name. */
export function strategyOf({ strategy, order, concurrency }: CliOptions): Strategy {
  if (strategy === 'simple') return simple(concurrency);
  return queued(concurrency, { order: ORDERS[order]() });
}

/** Pages near the root of a site list others; pages with a query are often variants of one. */
export function shortPathsFirst({ url }: CrawlRequest): number {
  const { pathname, search } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '').length;
  return -(segments + (search === '' ? 0 : 1));
}
