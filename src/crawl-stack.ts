import { asyncScheduler } from 'rxjs';
import {
  type BarePage,
  type Fetcher,
  type FetcherDecorator,
  type GuardFactory,
  retryFetch,
  retryPolicy,
} from './core/index.js';
import { isSecretHeader } from './core/header-scope.js';
import { retryAfter } from './core/hold-hosts.js';
import { isNoConnection } from './core/is-no-connection.js';
import { type CrawlOptions, FETCHER_OPTIONS } from './crawl-options.js';
import { ROBOTS_TIMEOUT_MS } from './fetch/robots/obey-robots.js';
import {
  type AddressGuard,
  addressGuard,
  DEFAULT_USER_AGENT,
  httpCache,
  obeyRobots,
  type ScopedHeader,
  scopedHeaders,
  undiciFetcher,
  type UndiciFetcherOptions,
  withCookies,
} from './fetch/index.js';

/** The parts of a crawl that hold connections, rules and secrets; each crawl has its own. */
export interface CrawlStack {
  readonly fetcher: Fetcher;
  readonly decorators: readonly FetcherDecorator[];
  readonly guards: readonly GuardFactory[];
  readonly close: () => void;
}

/**
 * Puts together what is around each exchange of a crawl. From the wire outwards:
 *
 * 1. `undiciFetcher` or the given fetcher: one exchange, its limits, the proxy, TLS.
 * 2. `addressGuard().exchanges`: addresses and ports, whoever asks.
 * 3. `holdHosts`, `adaptDelay`, `polite` (the core's own): the pace of each host.
 * 4. `httpCache`: sees the request as it would be sent; what it answers itself takes no place at
 *    the host.
 * 5. `withCookies`: a `cookie` field that was set further out wins.
 * 6. `scopedHeaders`: secrets, for the origins of the seeds.
 * 7. `obeyRobots`: its own requests have all of the above.
 * 8. `addressGuard().requests`: where a page may lead; before robots.txt is asked for.
 * 9. `decorators` of the caller.
 * 10. `followRedirects` (the core's own): each hop goes through all of the above.
 *
 * @returns makes one for each crawl
 * @throws TypeError or RangeError naming the option that is wrong
 */
export function crawlStack<T, P extends BarePage>(options: CrawlOptions<T, P>): () => CrawlStack {
  const { robots = true, userAgent = DEFAULT_USER_AGENT, scheduler, cache = false } = options;
  // Crawls of the same options share what is stored: that is what a second one gains by it.
  const caching =
    cache === false
      ? []
      : [httpCache({ ...(scheduler && { scheduler }), ...(cache === true ? {} : cache) })];
  const { everywhere, scoped } = splitHeaders(options);

  return () => {
    const guard = guardOf(options);
    const own = options.fetcher ? undefined : undiciFetcher(fetching(options, everywhere, guard));
    const innermost = (own ?? options.fetcher) as Fetcher;
    const origins = new Set<string>();
    const hasScoped = Object.keys(scoped).length > 0;
    const decorators = [
      ...caching,
      ...cookiesOf(options),
      ...(hasScoped ? [scopedHeaders({ headers: scoped, origins })] : []),
      ...(robots === false
        ? []
        : [
            obeyRobots({
              retry: retryRobots(options),
              ...(robots === true ? {} : robots),
              ...(scheduler && { scheduler }),
              userAgent,
            }),
          ]),
      ...(guard ? [guard.requests] : []),
      ...(options.decorators ?? []),
    ];
    return {
      fetcher: guard ? guard.exchanges(innermost) : innermost,
      decorators,
      guards: [...(hasScoped ? [noteSeeds(origins)] : []), ...(options.guards ?? [])],
      close: () => own?.close(),
    };
  };
}

/**
 * A fault that passes in seconds must not deny a site for minutes. A host that is not there is
 * asked again by the retries of its pages; one that wants more time than is given to its robots.txt,
 * by the first request after that.
 */
function retryRobots<T, P extends BarePage>({
  retry = retryPolicy(),
  robots,
  scheduler = asyncScheduler,
}: CrawlOptions<T, P>): FetcherDecorator {
  const longest = (typeof robots === 'object' ? robots.timeout : undefined) ?? ROBOTS_TIMEOUT_MS;
  return retryFetch(
    (attempt, outcome) => {
      const { error, response } = outcome;
      const asked = response && retryAfter(response, scheduler.now());
      if (isNoConnection(error.code) || (asked !== undefined && asked > longest)) return null;
      return retry(attempt, outcome);
    },
    { scheduler },
  );
}

/** A guard that refuses nothing: it sees each seed before anything is fetched. */
function noteSeeds(origins: Set<string>): GuardFactory {
  return () => (request, from) => {
    if (from === undefined) origins.add(new URL(request.url).origin);
    return undefined;
  };
}

/** Fields that go with each exchange, and those that have to be asked about. */
function splitHeaders<T, P extends BarePage>({
  fetcher,
  headers = {},
}: CrawlOptions<T, P>): {
  readonly everywhere: Record<string, string>;
  readonly scoped: Record<string, ScopedHeader>;
} {
  // Built of entries: a field may be called __proto__.
  const everywhere: [string, string][] = [];
  const scoped: [string, ScopedHeader][] = [];
  for (const [name, header] of Object.entries(headers)) {
    const isOpen = typeof header === 'string' && !isSecretHeader(name.toLowerCase());
    if (fetcher === undefined && isOpen) everywhere.push([name, header]);
    else scoped.push([name, header]);
  }
  return { everywhere: Object.fromEntries(everywhere), scoped: Object.fromEntries(scoped) };
}

function cookiesOf<T, P extends BarePage>({
  cookies = false,
}: CrawlOptions<T, P>): FetcherDecorator[] {
  if (cookies === false) return [];
  return [withCookies(cookies === true ? {} : { jar: cookies })];
}

/**
 * Addresses are judged by default where they are known: a fetcher that was given may know names
 * that no resolver does.
 */
function guardOf<T, P extends BarePage>({
  fetcher,
  addresses,
}: CrawlOptions<T, P>): AddressGuard | undefined {
  if (addresses === undefined) return fetcher ? undefined : addressGuard();
  return addressGuard(typeof addresses === 'string' ? { mode: addresses } : addresses);
}

function fetching<T, P extends BarePage>(
  options: CrawlOptions<T, P>,
  headers: Readonly<Record<string, string>>,
  guard: AddressGuard | undefined,
): UndiciFetcherOptions {
  const connect = guard ? { ...options.connect, lookup: guard.lookup } : options.connect;
  const given = FETCHER_OPTIONS.map((name) => [name, options[name]] as const);
  return {
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    headers,
    ...(connect && { connect }),
  };
}
