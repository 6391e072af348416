import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { catchError, defer, mergeMap, Observable, of, tap, throwError, timeout } from 'rxjs';
import {
  CrawlError,
  type CrawlRequest,
  type FetchContext,
  type FetcherDecorator,
  hostOf,
  isCrawlError,
  RequestRefused,
} from '../core/index.js';
import { BoundedMap } from '../core/bounded-map.js';
import { expectBoolean, expectFunction, expectInteger, show } from '../core/expect.js';
import { expectOptions, listOf, oneOf } from '../core/expect-options.js';
import { hostnameOfHref } from '../url/href-parts.js';
import { tryParseUrl } from '../url/index.js';
import { addressClass, type AddressClass } from './address-class.js';
import { BLOCKED_PORTS } from './blocked-ports.js';

/** What {@link addressGuard} takes. */
export interface AddressGuardOptions {
  /**
   * - `same-as-seeds` (default): public addresses are always allowed. Others are only if they are
   *   those of a seed, or if a page that is not public itself leads there and a seed has an
   *   address of the same class.
   * - `public-only`: no other than public addresses.
   * - `off`: no rule; ports are still checked.
   */
  readonly mode?: 'same-as-seeds' | 'public-only' | 'off';
  /**
   * Host names and addresses that are always allowed. Exact: `intranet.example` says nothing
   * about hosts below it; `10.0.0.5` allows every name with that address. Default none.
   */
  readonly allow?: readonly string[];
  /** Ports that are never contacted; `false` for none. Default {@link BLOCKED_PORTS}. */
  readonly blockedPorts?: readonly number[] | false;
  /** Requests go through a proxy, which looks names up itself: the guard says so once. */
  readonly proxied?: boolean;
  /** Looks host names up. Default `dns.lookup`, the resolver of the operating system. */
  readonly resolve?: Resolve;
}

/** As `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The parts of a guard; all three are needed. */
export interface AddressGuard {
  /** For `undiciFetcher({ connect: { lookup } })`: a socket sees allowed addresses only. */
  readonly lookup: LookupFunction;
  /** Innermost decorator, around the fetcher with `lookup`: hosts that are addresses, and ports. */
  readonly exchanges: FetcherDecorator;
  /**
   * Outer decorator, around all that makes requests of its own (robots.txt), inside or outside
   * of `followRedirects`: tells seeds from links, and judges where a page or redirect leads.
   */
  readonly requests: FetcherDecorator;
}

/** Hosts whose class is remembered at once. */
const HOSTS = 8192;
/** As long as a connection may take by default; a resolver of one's own may never answer. */
const LOOKUP_MS = 10_000;

type Side = 'public' | 'private';

/**
 * Guards a crawl against being led to addresses that are not public (server-side request
 * forgery). What counts is the address that the socket connects to, for each redirect and for
 * robots.txt, too; a name that has resolved to a public address may not move to another kind later
 * (DNS rebinding). What is refused errors with `RequestRefused('address')`, and no connection is
 * made.
 *
 * A request without a referrer is a seed. One guard serves one crawl.
 *
 * @throws TypeError that names the option that is wrong
 *
 * @example
 * ```ts
 * const guard = addressGuard({ allow: ['intranet.example'] });
 * const fetcher = pipeFetcher(
 *   undiciFetcher({ connect: { lookup: guard.lookup } }),
 *   guard.exchanges,
 *   obeyRobots({ userAgent: 'mybot/1.0' }),
 *   guard.requests,
 *   followRedirects(),
 * );
 * ```
 */
export function addressGuard(options: AddressGuardOptions = {}): AddressGuard {
  expectOptions('addressGuard', options, {
    mode: oneOf('same-as-seeds', 'public-only', 'off'),
    allow: listOf(expectHost),
    blockedPorts: expectPorts,
    proxied: expectBoolean,
    resolve: expectFunction,
  });
  const state = new GuardState(options);
  const ports = new Set(
    options.blockedPorts === false ? [] : (options.blockedPorts ?? BLOCKED_PORTS),
  );
  let mustWarn = options.proxied === true && options.mode !== 'off';

  const exchanges: FetcherDecorator = (fetcher) => (request, context) =>
    defer(() => {
      const host = hostnameOfHref(request.url);
      if (ports.has(portOf(request.url)) && !state.isListed(host)) {
        throw new RequestRefused('address', `port ${portOf(request.url)} is blocked`);
      }
      const kind = state.classOf(host);
      if (kind !== 'name' && kind !== 'loopback-name' && !state.permits(host, host)) {
        throw new RequestRefused('address', `${host} is ${kind}`);
      }
      if (mustWarn) {
        mustWarn = false;
        context?.notify?.({ type: 'warning', code: 'address-guard-proxy', message: PROXY_WARNING });
      }
      return fetcher(request, context).pipe(
        catchError((error: unknown) => throwError(() => asRefusal(error))),
      );
    });

  const sources = new WeakMap<FetchContext, Chain>();
  const requests: FetcherDecorator = (fetcher) => {
    if (!state.followsSeeds) return fetcher;
    return (request, context) =>
      defer(() => {
        const from = sourceOf(request, context, sources);
        const verdict = state.judge(hostnameOfHref(request.url), from && hostnameOfHref(from));
        return verdict instanceof Observable
          ? verdict.pipe(mergeMap(() => fetcher(request, context)))
          : fetcher(request, context);
      });
  };
  return { lookup: state.lookup, exchanges, requests };
}

const PROXY_WARNING =
  'the address guard cannot check what a proxy connects to: only hosts that are addresses are judged';

/** The hops of one fetch; each call with the same context but another URL is a redirect. */
interface Chain {
  readonly first: string;
  readonly from: string | undefined;
  last: string;
  source: string | undefined;
}

/** The URL that a request comes from: of the redirect, else of the page; `undefined` for a seed. */
function sourceOf(
  { url, referrer }: CrawlRequest,
  context: FetchContext | undefined,
  chains: WeakMap<FetchContext, Chain>,
): string | undefined {
  if (context === undefined) return referrer;
  const chain = chains.get(context);
  if (chain === undefined || url === chain.first) {
    chains.set(context, { first: url, from: referrer, last: url, source: referrer });
    return referrer;
  }
  if (url !== chain.last) {
    chain.source = chain.last;
    chain.last = url;
  }
  return chain.source;
}

class GuardState {
  readonly followsSeeds: boolean;
  readonly #publicOnly: boolean;
  readonly #allow: ReadonlySet<string>;
  readonly #resolve: Resolve;
  /** What the addresses of a name were when it was looked up; once public it stays so. */
  readonly #known = new BoundedMap<string, Side>(HOSTS);
  /** Hosts that may have an address of any class, or of the class of a seed. */
  readonly #trusted = new BoundedMap<string, 'seed' | 'linked'>(HOSTS);
  readonly #seedClasses = new Set<AddressClass>();
  readonly #classes = new BoundedMap<string, AddressClass>(HOSTS);

  constructor(options: AddressGuardOptions) {
    const mode = options.mode ?? 'same-as-seeds';
    this.followsSeeds = mode === 'same-as-seeds';
    this.#publicOnly = mode === 'public-only';
    this.#allow = new Set(options.allow?.map((entry) => hostForm(entry) ?? entry));
    this.#resolve = options.resolve ?? dnsLookup;
  }

  /** {@link addressClass} parses a URL: three times for each exchange of a crawl, always the same. */
  classOf(host: string): AddressClass {
    const known = this.#classes.get(host);
    if (known !== undefined) return known;
    const kind = addressClass(host);
    this.#classes.set(host, kind);
    return kind;
  }

  isListed(host: string): boolean {
    return this.#allow.has(host);
  }

  /** Whether a connection for a host may go to an address. */
  permits(host: string, address: string): boolean {
    const kind = this.classOf(address);
    if (kind === 'public' || this.#allow.has(host) || this.#allow.has(hostForm(address) ?? '')) {
      return true;
    }
    if (!this.followsSeeds) return !this.#publicOnly;
    if (this.#known.get(host) === 'public') return false;
    const trust = this.#trusted.get(host);
    if (trust === 'seed') this.#seedClasses.add(kind);
    return trust === 'seed' || (trust === 'linked' && this.#seedClasses.has(kind));
  }

  /** Lets a request to a host go on, at once or after a lookup; throws if it may not. */
  judge(host: string, from: string | undefined): Observable<unknown> | undefined {
    if (this.#allow.has(host)) return undefined;
    if (from === undefined) {
      this.#trusted.set(host, 'seed');
      return undefined;
    }
    if (this.#sideOf(host) === 'public') return undefined;
    const source = this.#sideOf(from);
    if (source !== undefined) return this.#decide(host, from, source);
    return this.#learn(from).pipe(
      mergeMap((side) => this.#decide(host, from, side) ?? of(undefined)),
    );
  }

  #decide(host: string, from: string, source: Side): Observable<unknown> | undefined {
    const trust = this.#trusted.get(host);
    if (source === 'private') {
      if (trust !== 'seed') this.#trusted.set(host, 'linked');
      return undefined;
    }
    const target = this.#sideOf(host);
    if (target === 'private') throw refusedLink(host, from);
    // Not looked up yet: the socket will refuse all but public addresses, unless it is trusted.
    if (trust === undefined) return undefined;
    return this.#learn(host).pipe(
      tap((side) => {
        if (side === 'private') throw refusedLink(host, from);
      }),
    );
  }

  /** `undefined`: a name that was not looked up lately. */
  #sideOf(host: string): Side | undefined {
    const kind = this.classOf(host);
    if (kind === 'name') return this.#known.get(host);
    return kind === 'public' ? 'public' : 'private';
  }

  /** Looks a name up. One that cannot be looked up gets no more trust than a public one. */
  #learn(host: string): Observable<Side> {
    const side$ = new Observable<Side>((subscriber) => {
      this.#resolve(host, { all: true }, (error, addresses) => {
        if (error === null) this.#remember(host, addresses);
        subscriber.next(this.#known.get(host) ?? 'public');
        subscriber.complete();
      });
    });
    return side$.pipe(timeout({ first: LOOKUP_MS, with: () => throwError(() => tooLate(host)) }));
  }

  #remember(host: string, addresses: readonly LookupAddress[]): void {
    if (this.#known.get(host) === 'public') return;
    const isPublic = addresses.some(({ address }) => addressClass(address) === 'public');
    this.#known.set(host, isPublic ? 'public' : 'private');
  }

  /** Hands a socket only those addresses of a name that it may connect to. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const host = hostname.toLowerCase();
    this.#resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const allowed = addresses.filter(({ address }) => this.permits(host, address));
      const [first] = allowed;
      if (first === undefined) {
        callback(refusedAddress(host, addresses), '', 0);
        return;
      }
      this.#remember(host, allowed);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function tooLate(host: string): CrawlError {
  const message = `${host}: the host name took too long to look up (over ${LOOKUP_MS} ms)`;
  return new CrawlError('timeout-dns', message);
}

function refusedLink(host: string, from: string): RequestRefused {
  return new RequestRefused('address', `${host} is not public, and ${from} leads there`);
}

function refusedAddress(host: string, addresses: readonly LookupAddress[]): CrawlError {
  const kinds = new Set(addresses.map(({ address }) => addressClass(address)));
  const what = kinds.size === 0 ? 'no address' : `an address that is ${[...kinds].join(', ')}`;
  return new CrawlError('address-refused', `${host} has ${what}`);
}

function asRefusal(error: unknown): unknown {
  if (!isCrawlError(error) || error.code !== 'address-refused') return error;
  return new RequestRefused('address', error.message, { cause: error });
}

function portOf(url: string): number {
  const port = /:(\d+)$/.exec(hostOf(url))?.[1];
  if (port !== undefined) return Number(port);
  return url.startsWith('https:') ? 443 : 80;
}

/** A host as it stands in URLs. */
function hostForm(host: string): string | undefined {
  if (host === '' || /[\s/\\?#@]/.test(host)) return undefined;
  const url = tryParseUrl(
    `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}/`,
  );
  return url?.port === '' ? url.hostname : undefined;
}

function expectHost(name: string, host: unknown): void {
  if (typeof host === 'string' && hostForm(host) !== undefined) return;
  throw new TypeError(`${name}: expected a host name or address without port, got ${show(host)}`);
}

function expectPorts(name: string, ports: unknown): void {
  if (ports !== false) listOf(expectPort)(name, ports);
}

function expectPort(name: string, port: unknown): void {
  expectInteger(name, port, 0);
  if ((port as number) <= 65_535) return;
  throw new RangeError(`${name}: expected a port from 0 to 65535, got ${show(port)}`);
}
