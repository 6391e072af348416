import { defer, lastValueFrom, of, throwError } from 'rxjs';
import {
  CrawlError,
  type CrawlRequest,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
  type FetcherDecorator,
  request,
  type RequestOptions,
} from '../../../src/core/index.js';

export const URL_A = 'https://a.example/page';

/** One answer of a server: `error` is a failure of the network. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly truncated?: boolean;
  readonly error?: true;
}

/** A fetcher that gives one answer after the other, the last one for ever, and what it was asked. */
export function answering(...answers: readonly Answer[]): {
  readonly fetcher: Fetcher;
  readonly asked: CrawlRequest[];
} {
  const asked: CrawlRequest[] = [];
  return {
    asked,
    fetcher: (sent) =>
      defer(() => {
        const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
        asked.push(sent);
        if (answer.error) return throwError(() => new CrawlError('connection-reset', 'reset'));
        const body = Buffer.from(answer.body ?? '');
        return of<FetchedResponse>({
          url: sent.url,
          status: answer.status ?? 200,
          headers: Object.assign(Object.create(null), answer.headers) as FetchedResponse['headers'],
          body,
          redirects: [],
          wireBytes: body.length,
          ...(answer.truncated && { truncated: true }),
        });
      }),
  };
}

/** Fetches once. `cache` is told beside status and body. */
export async function get(
  fetcher: Fetcher,
  options: RequestOptions & { readonly url?: string } = {},
  context?: FetchContext,
): Promise<string> {
  const { url = URL_A, ...rest } = options;
  const { status, body, cache } = await lastValueFrom(fetcher(request(url, rest), context));
  return [status, Buffer.from(body).toString(), cache]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** What comes of requests for one page, and the conditions that its server was asked with. */
export async function rounds(
  cache: FetcherDecorator,
  answers: readonly Answer[],
  requests: readonly RequestOptions[] = answers.map(() => ({})),
): Promise<{ readonly got: string[]; readonly conditions: (string | undefined)[] }> {
  const { fetcher, asked } = answering(...answers);
  const cached = cache(fetcher);
  const got: string[] = [];
  for (const each of requests) {
    got.push(await get(cached, each).catch((error: unknown) => (error as CrawlError).code));
  }
  const conditions = asked.map(
    ({ headers }) => headers?.['if-none-match'] ?? headers?.['if-modified-since'],
  );
  return { got, conditions };
}
