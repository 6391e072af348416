import { catchError, defer, map, mergeMap, type Observable, of, shareReplay } from 'rxjs';
import { expectFunction } from './core/expect.js';
import {
  type FetchedResponse,
  type Fetcher,
  type FetcherDecorator,
  type HostPass,
  request as makeRequest,
} from './core/index.js';
import { expectOptions, integerFrom } from './core/expect-options.js';
import { bitsApart, contentHash, type SimilarityHash, similarityHash } from './page/index.js';
import { BoundedMap } from './core/bounded-map.js';

/** What {@link softNotFound} takes. */
export interface SoftNotFoundOptions {
  /** Makes the name of a page that no site has. Default: 32 random digits and letters. */
  readonly probeName?: () => string;
  /** Most bits, of 64, in which two pages that say the same may differ. Default 3. */
  readonly distance?: number;
}

/** What a host answers for a page that it does not have; `undefined` if it says so. */
type Sample = { readonly exact: number; readonly print: SimilarityHash | undefined } | undefined;

/** Hosts whose answer is remembered; one that was forgotten is asked again. */
const HOSTS = 65_536;

/**
 * Recognises pages that say "not found" with status 200. Each host is asked once for a page that
 * it cannot have. If it answers with a page of HTML all the same, then others that say the same,
 * or nearly, and but for their own name, get status 404, and so fail as `http-status`. Seeds are
 * never judged.
 *
 * ```text
 * requests:  a------b--|     links of one host
 * fetched:   a-p----b--|     p is the probe
 * ```
 *
 * @throws TypeError or RangeError that names the option that is wrong
 *
 * @example
 * ```ts
 * crawl({ decorators: [softNotFound()] });
 * ```
 */
export function softNotFound(options: SoftNotFoundOptions = {}): FetcherDecorator {
  expectOptions('softNotFound', options, { probeName: expectFunction, distance: integerFrom(0) });
  const { probeName = randomName, distance = 3 } = options;
  return (fetcher) => {
    const samples = new BoundedMap<string, Observable<Sample>>(HOSTS);
    const sampleOf = (origin: string, pass: HostPass | undefined): Observable<Sample> => {
      const known$ = samples.get(origin);
      if (known$ !== undefined) return known$;
      const sample$ = probe(fetcher, `${origin}/${probeName()}`, pass);
      samples.set(origin, sample$);
      return sample$;
    };
    return (request, context) =>
      fetcher(request, context).pipe(
        mergeMap((response) => {
          if (request.depth === 0 || !isPage(response)) return of(response);
          return sampleOf(new URL(request.url).origin, context?.pass).pipe(
            map((sample) =>
              isLike(response, request.url, sample, distance)
                ? { ...response, status: 404 }
                : response,
            ),
          );
        }),
      );
  };
}

/** It goes in the place that the first page has at its host, which may be the only one. */
function probe(fetcher: Fetcher, url: string, pass: HostPass | undefined): Observable<Sample> {
  return defer(() =>
    fetcher(makeRequest(url, { referrer: url, depth: 1 }), { attempt: 1, pass }),
  ).pipe(
    map((response): Sample => {
      if (!isPage(response)) return undefined;
      const body = withoutName(response.body, url);
      return { exact: contentHash(body), print: similarityHash(body) };
    }),
    // A host that cannot be asked is not judged.
    catchError(() => of(undefined)),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
}

function isPage({ status, headers }: FetchedResponse): boolean {
  const type = headers['content-type'];
  return status === 200 && (type === undefined || String(type).includes('html'));
}

function isLike(response: FetchedResponse, url: string, sample: Sample, distance: number): boolean {
  if (sample === undefined) return false;
  const body = withoutName(response.body, url);
  if (contentHash(body) === sample.exact) return true;
  const print = sample.print && similarityHash(body);
  return (
    print !== undefined && sample.print !== undefined && bitsApart(print, sample.print) <= distance
  );
}

/** The bytes of a page without what it was asked for by: such pages often name it. */
function withoutName(body: Uint8Array, url: string): Uint8Array {
  const { pathname, search } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const rest = text.replaceAll(pathname + search, '');
  return Buffer.from(name === '' ? rest : rest.replaceAll(name, ''), 'latin1');
}

function randomName(): string {
  return globalThis.crypto.randomUUID().replaceAll('-', '');
}
