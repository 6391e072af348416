export { barePage, type BarePage, type Parse } from './page.js';
export {
  CrawlError,
  RequestRefused,
  isCrawlError,
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
  type PageEvent,
  type RedirectEvent,
  type RetryEvent,
  type SkipEvent,
  type StartEvent,
  type WarningEvent,
} from './events.js';
export type {
  FetchContext,
  FetchNotice,
  FetchedResponse,
  Fetcher,
  FetcherDecorator,
  Redirect,
  ResponseHeaders,
} from './fetcher.js';
export type { Handler, HandlerContext } from './handler.js';
export type { HostPass } from './host-gate.js';
export {
  isRequest,
  request,
  requestFromHref,
  withRequest,
  type CrawlRequest,
  type RequestBody,
  type RequestOptions,
} from './request.js';
export type { SkipReason } from './skip-reason.js';
