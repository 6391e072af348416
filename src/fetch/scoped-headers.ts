import { defer } from 'rxjs';
import { isSecretHeader } from '../core/header-scope.js';
import { withRequest, type FetchContext, type FetcherDecorator } from '../core/index.js';
import { expectList, expectObject, show } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { tryParseUrl } from '../url/index.js';
import { headerProblem, hostProblem } from './request-headers.js';

/** A header field, or one with the origins that may get it, such as `https://api.example`. */
export type ScopedHeader =
  string | { readonly value: string; readonly origins: 'all' | readonly string[] };

/** What {@link scopedHeaders} takes. */
export interface ScopedHeadersOptions {
  /** Fields by name. A field of a request itself replaces the one of its name. */
  readonly headers: Readonly<Record<string, ScopedHeader>>;
  /**
   * Origins (scheme, host and port, as `URL.origin`) that may get fields whose names look like
   * secrets: those of the seeds. The set may grow while it is in use.
   */
  readonly origins: ReadonlySet<string>;
}

interface Field {
  readonly name: string;
  readonly value: string;
  readonly isFor: (origin: string) => boolean;
}

/** Where a chain of redirects began, and whether it has ever left that origin. */
interface Chain {
  readonly origin: string;
  hasLeft: boolean;
}

/**
 * Adds header fields to requests, each only where it belongs: fields whose names look like
 * secrets (`authorization`, `cookie`, `x-api-key`, `…-token`, `…-secret`) go to `origins` alone,
 * others everywhere, and any to exactly the origins that it names. A chain of redirects that has
 * left an origin gets no field that is bound to origins any more, even where it comes back: what
 * it asks for then was chosen by somebody else. `proxy-authorization` is for a proxy, and goes to
 * no site.
 *
 * Put it inside of `followRedirects`, so that each hop is judged by itself.
 *
 * @throws TypeError for a name or value that cannot be sent, and for an origin that is none
 *
 * @example
 * ```ts
 * const headers = scopedHeaders({
 *   headers: { 'x-api-key': key, 'x-team': { value: 'blue', origins: ['https://api.example'] } },
 *   origins: new Set(['https://shop.example']),
 * });
 * const fetcher = pipeFetcher(undiciFetcher(), headers, followRedirects());
 * ```
 */
export function scopedHeaders(options: ScopedHeadersOptions): FetcherDecorator {
  expectOptions('scopedHeaders', options, { headers: expectObject, origins: expectSet });
  const { headers, origins } = options;
  expectObject('scopedHeaders: headers', headers);
  expectSet('scopedHeaders: origins', origins);
  for (const origin of origins) checkOrigin(origin);
  const fields = Object.entries(headers)
    .map(([name, header]) => fieldOf(name.toLowerCase(), header, origins))
    .filter(({ name }) => name !== 'proxy-authorization');
  const everywhere = headersFor(fields.filter(({ isFor }) => isFor === toAll));

  return (fetcher) => {
    const chains = new WeakMap<FetchContext, Chain>();

    function hasLeft(origin: string, context: FetchContext | undefined): boolean {
      if (context === undefined) return false;
      const chain = chains.get(context);
      if (chain === undefined) {
        chains.set(context, { origin, hasLeft: false });
        return false;
      }
      chain.hasLeft ||= chain.origin !== origin;
      return chain.hasLeft;
    }

    return (request, context) =>
      defer(() => {
        const { origin } = new URL(request.url);
        const added = hasLeft(origin, context)
          ? everywhere
          : headersFor(fields.filter(({ isFor }) => isFor(origin)));
        return fetcher(
          withRequest(request, { headers: { ...added, ...request.headers } }),
          context,
        );
      });
  };
}

function expectSet(name: string, value: unknown): void {
  if (value instanceof Set) return;
  throw new TypeError(`${name}: expected a Set of origins, got ${show(value)}`);
}

function toAll(): boolean {
  return true;
}

function fieldOf(name: string, header: ScopedHeader, seeds: ReadonlySet<string>): Field {
  if (typeof header !== 'string') expectObject(`scopedHeaders: headers: ${name}`, header);
  const { value, origins } =
    typeof header === 'string'
      ? { value: header, origins: isSecretHeader(name) ? seeds : ('all' as const) }
      : header;
  const problem = headerProblem(name, value) ?? hostProblem(name);
  if (problem !== undefined) throw new TypeError(`scopedHeaders: ${problem}`);
  if (origins === 'all') return { name, value, isFor: toAll };
  if (origins !== seeds) expectList(`scopedHeaders: headers: ${name}: origins`, origins);
  const allowed = origins === seeds ? seeds : new Set(origins);
  for (const origin of allowed) checkOrigin(origin);
  return { name, value, isFor: (origin) => allowed.has(origin) };
}

function headersFor(fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

function checkOrigin(origin: string): void {
  if (tryParseUrl(origin)?.origin === origin) return;
  throw new TypeError(
    `scopedHeaders: origins: expected an origin such as "https://a.example", got ${show(origin)}`,
  );
}
