export {
  balance,
  type BalanceOptions,
  type BalancedFetcher,
  type FetchModule,
  type ModuleOutcome,
} from './balance.js';
export {
  balanceSinks,
  type BalancedSink,
  type BalanceSinksOptions,
  type SinkModule,
} from './balance-sinks.js';
export {
  bufferCountsOf,
  bufferedSink,
  type BufferCounts,
  type BufferedSink,
  type BufferedSinkOptions,
  type CloseMode,
  type Overflow,
  type SaveFailure,
} from './buffered-sink.js';
export { crawl, type Crawl } from './crawl.js';
export type { CrawlWorker, Crew, SelectWorker } from './crawl-worker.js';
export { type CrawlOptions } from './crawl-options.js';
export {
  CrawlError,
  RequestPutBack,
  RequestRefused,
  isCrawlError,
  isRequestPutBack,
  isRequestRefused,
  type CrawlErrorCode,
  type CrawlErrorOptions,
} from './errors.js';
export {
  isTerminal,
  type CrawlEvent,
  type DoneEvent,
  type FailureEvent,
  type FoundEvent,
  type HoldEvent,
  type ItemEvent,
  type PaceEvent,
  type ItemFailureEvent,
  type PageEvent,
  type RedirectEvent,
  type RetryEvent,
  type SkipEvent,
  type StartEvent,
  type WarningEvent,
} from './events.js';
export type {
  AnswerHead,
  BodyReceiver,
  FetchContext,
  FetchNotice,
  FetchedResponse,
  Fetcher,
  FetcherDecorator,
  Redirect,
  ResponseHeaders,
} from './fetcher.js';
export { fingerprintSet } from './fingerprint-set.js';
export { followRedirects, type FollowRedirectsOptions } from './follow-redirects.js';
export type {
  AckOutcome,
  Frontier,
  FrontierContext,
  FrontierFactory,
  FrontierStats,
  Lease,
} from './frontier.js';
export type { Guard, GuardFactory } from './guard.js';
export type { HandledItem, Handler, HandlerContext, HandlerOutput } from './handler.js';
export { hash64, type Hash64 } from './hash64.js';
export { HostGate, type HostGateOptions, type HostPass, type WireProgress } from './host-gate.js';
export { hostOf, type HostKey } from './host-key.js';
export { items } from './items.js';
export { memoryFrontier } from './memory-frontier.js';
export {
  bestFirst,
  fifo,
  lifo,
  roundRobinByHost,
  type Order,
  type Waiting,
  type WaitingHost,
} from './order.js';
export { adaptDelay, type AdaptDelayOptions } from './adapt-delay.js';
export { holdHosts, type HoldHostsOptions } from './hold-hosts.js';
export { parseRate } from './parse-rate.js';
export { barePage, type BarePage, type Parse } from './page.js';
export type { SavedFile } from './saved-file.js';
export { type BalanceBy } from './choose-module.js';
export { countsOf, type Counted, type ModuleCounts } from './module-counts.js';
export { pages } from './pages.js';
export { pipeFetcher } from './pipe-fetcher.js';
export { parseHttpDate } from './parse-http-date.js';
export { parseRetryAfter } from './parse-retry-after.js';
export { polite, type PoliteOptions } from './polite.js';
export { type SeedInput, type Seeds } from './pull-seeds.js';
export { queued, type QueuedOptions } from './queued.js';
export {
  isRequest,
  request,
  requestFromHref,
  withRequest,
  type CrawlRequest,
  type RequestBody,
  type RequestOptions,
} from './request.js';
export { retryFetch, type RetryFetchOptions } from './retry-fetch.js';
export {
  retryPolicy,
  type Outcome,
  type RetryPolicy,
  type RetryPolicyOptions,
} from './retry-policy.js';
export { sameHost, siteOf, type Scope, type ScopeContext } from './scope.js';
export { exactSet, type SeenSet } from './seen-set.js';
export { simple } from './simple.js';
export type { Sink } from './sink.js';
export type { SkipReason } from './skip-reason.js';
export { split, type SplitCrawl } from './split.js';
export { StartBudget } from './start-budget.js';
export { countEvent, NO_STATS, stats, type Stats } from './stats.js';
export {
  unlimited,
  type Delivery,
  type Strategy,
  type StrategyContext,
  type Visit,
} from './strategy.js';
export { toAsyncIterable, type ItemOf } from './to-async-iterable.js';
export {
  checkItem,
  validate,
  type Schema,
  type SchemaIssue,
  type SchemaResult,
} from './validate.js';
