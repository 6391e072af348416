import type { FetchedResponse, Redirect, ResponseHeaders } from './fetcher.js';
import type { CrawlRequest } from './request.js';
import type { SavedFile } from './saved-file.js';

/** What every page has, whatever else its parser adds. */
export interface BarePage {
  readonly request: CrawlRequest;
  /** The final URL. */
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The decoded body. */
  readonly bytes: Uint8Array;
  readonly redirects: readonly Redirect[];
  /** The file that the body was saved as by `download()`; `bytes` is empty then. */
  readonly file?: SavedFile | undefined;
}

/** Makes a page of an answer. May throw: then the request fails with `parse-failed`. */
export type Parse<P extends BarePage = BarePage> = (
  response: FetchedResponse,
  request: CrawlRequest,
) => P;

/** The parser of `rxcrawl/core`: hands the answer on as it is. */
export const barePage: Parse = (response, request) => ({
  request,
  url: response.url,
  status: response.status,
  headers: response.headers,
  bytes: response.body,
  redirects: response.redirects,
  file: response.file,
});
