import {
  CrawlError,
  request,
  type CrawlErrorCode,
  type CrawlRequest,
  type FailureEvent,
  type PageEvent,
  type RequestOptions,
  type SkipEvent,
} from '../../src/index.js';
import type { CliPage } from '../../src/cli/records.js';

/** What a test says of a page; the rest is filled in. */
export interface PageParts extends RequestOptions {
  readonly page?: Partial<CliPage>;
  readonly ms?: number;
}

/** An event of a page that was fetched. */
export function pageEvent(
  url: string,
  { page, ms = 12, ...options }: PageParts = {},
): PageEvent<CliPage> {
  const made = request(url, options);
  return {
    type: 'page',
    request: made,
    page: {
      request: made,
      url: made.url,
      status: 200,
      headers: {},
      bytes: new Uint8Array(10),
      redirects: [],
      contentType: 'text/html',
      title: 'A page',
      links: [],
      ...page,
    },
    ms,
    attempt: 1,
  };
}

/** An event of a request that failed. */
export function failureEvent(
  from: string | CrawlRequest,
  code: CrawlErrorCode,
  message = 'it failed',
  status?: number,
): FailureEvent {
  return {
    type: 'failure',
    request: typeof from === 'string' ? request(from) : from,
    error: new CrawlError(code, message, status === undefined ? {} : { status }),
    attempts: 3,
  };
}

/** An event of a URL that was not asked for. */
export function skipEvent(url: string, parts: Partial<SkipEvent> = {}): SkipEvent {
  return {
    type: 'skip',
    url,
    reason: 'scope',
    detail: undefined,
    referrer: undefined,
    depth: 1,
    admitted: false,
    started: false,
    count: 1,
    ...parts,
  };
}
