import { lastValueFrom } from 'rxjs';
import {
  isCrawlError,
  request,
  type CrawlError,
  type FetchedResponse,
  type Fetcher,
  type RequestOptions,
} from '../../src/core/index.js';

/** Fetches once. */
export function fetchOnce(
  fetcher: Fetcher,
  url: string,
  options?: RequestOptions,
): Promise<FetchedResponse> {
  return lastValueFrom(fetcher(request(url, options)));
}

/** The error that a fetch must end with. */
export async function failureOf(
  fetcher: Fetcher,
  url: string,
  options?: RequestOptions,
): Promise<CrawlError> {
  let response: FetchedResponse;
  try {
    response = await fetchOnce(fetcher, url, options);
  } catch (error) {
    if (isCrawlError(error)) return error;
    throw error;
  }
  throw new Error(`expected a failure, got ${response.status}, ${response.body.length} bytes`);
}

/** `200 5` for a response of 5 bytes, or the code of the failure. */
export async function outcomeOf(
  fetcher: Fetcher,
  url: string,
  options?: RequestOptions,
): Promise<string> {
  try {
    const response = await fetchOnce(fetcher, url, options);
    return `${response.status} ${response.body.length}`;
  } catch (error) {
    if (isCrawlError(error)) return error.code;
    throw error;
  }
}

/** A body as text. */
export function textOf(response: FetchedResponse): string {
  return Buffer.from(response.body).toString('utf8');
}
