import { BoundedMap } from '../core/bounded-map.js';
import { expectBoolean, expectFunction, show } from '../core/expect.js';
import { expectNames } from '../core/expect-options.js';
import { canonicalizer } from './canonical-url.js';
import { hash53 } from './hash53.js';
import { hash64, hostOf } from '../core/index.js';
import { withoutPort } from './href-parts.js';
import { parameterKinds } from './parameter-kind.js';
import { hasSessionId } from './session-id.js';
import { siteDomains } from './site-domain.js';
import { calendarYear, listOf, pathTrap } from './trap-rules.js';
import { type Parameter, type TrapUrl, trapUrl } from './trap-url.js';
import { patternOf } from './url-pattern.js';

/** Names of the rules; the `detail` of a skip with reason `trap`. */
export type TrapRule =
  | 'url-length'
  | 'path-segments'
  | 'repeated-segment'
  | 'repeated-sequence'
  | 'session-id'
  | 'tracking'
  | 'parameter-order'
  | 'facets'
  | 'calendar'
  | 'paging'
  | 'pattern'
  | 'same-content'
  | 'hosts';

/** Limits of the trap guards. `false` switches a rule off. */
export interface TrapOptions {
  /** `url-length`: most characters. Default 2,083. */
  readonly urlLength?: number | false;
  /** `path-segments`: most segments. Default 20. */
  readonly pathSegments?: number | false;
  /**
   * `repeated-segment`: a segment that stands this often in a row is refused (`/a/a/a`), and so
   * is one that occurs four times in a path at all. Default 3.
   */
  readonly repeatedSegment?: number | false;
  /** `repeated-sequence`: so is a sequence of segments (`/a/b/a/b/a/b`). Default 3. */
  readonly repeatedSequence?: number | false;
  /** `session-id`: one page under several session ids is asked for once. Default `true`. */
  readonly sessionIds?: boolean;
  /** `tracking`: most URLs of one page that differ only in tracking parameters. Default 3. */
  readonly tracking?: number | false;
  /** `parameter-order`: most orders of the same parameters. Default 2. */
  readonly parameterOrders?: number | false;
  /** `facets`: most URLs of one path with three parameters or more. Default 5,000. */
  readonly facets?: number | false;
  /**
   * `calendar`: most pages of one calendar, and none that is more than two years ahead.
   * Default 5,000.
   */
  readonly calendar?: number | false;
  /** `paging`: most pages of one list. Default 100,000. */
  readonly paging?: number | false;
  /** `pattern`: most URLs of one {@link urlPattern}. Default 100,000. */
  readonly maxPerPattern?: number | false;
  /**
   * `same-content`: a pattern of lists or calendars is stopped after so many pages in a row with
   * the same content, any other pattern after four times as many. Needs
   * {@link TrapGuard.observe}. Default 10,000: whole sites are made of one text. 5 finds endless
   * lists early.
   */
  readonly sameContent?: number | false;
  /** `hosts`: most hosts of one registrable domain. Default 1,000. */
  readonly maxHostsPerDomain?: number | false;
  /** `hosts`: most hosts in all. Default none. */
  readonly maxHosts?: number | false;
  /** The time, ms since 1970, for calendars. Default `Date.now`. */
  readonly now?: () => number;
}

/** What a guard needs to know of a request. */
export interface TrapRequest {
  readonly url: string;
  /** Link hops from a seed; seeds (0) are never refused. */
  readonly depth: number;
}

/** A hash of what a page says, or what makes it. */
export type PageContent = string | number | bigint | (() => string | number | bigint);

/** The trap guards of one crawl. Holds at most some 10 MB, however long the crawl. */
export interface TrapGuard {
  /** The rule that refuses a request, or `undefined`; then the request has been counted. */
  (request: TrapRequest): TrapRule | undefined;
  /**
   * Tells what a page contained, for the rule `same-content`.
   *
   * @param url - of the request
   * @param content - a hash of the page's text, or what makes it: called only if the URL is one
   * of several of its pattern, or a page of a list or calendar
   */
  observe(url: string, content: PageContent): void;
}

/** Default limits. */
const LIMITS = {
  urlLength: 2083,
  pathSegments: 20,
  repeatedSegment: 3,
  repeatedSequence: 3,
  tracking: 3,
  parameterOrders: 2,
  facets: 5000,
  calendar: 5000,
  paging: 100_000,
  maxPerPattern: 100_000,
  sameContent: 10_000,
  maxHostsPerDomain: 1000,
  maxHosts: Infinity,
};

type Limits = Readonly<typeof LIMITS>;

/** Patterns, lists and pages that are remembered at once. */
const REMEMBERED = 65_536;
const DOMAINS = 4096;
const YEARS_AHEAD = 2;
const SAME_CONTENT_ELSEWHERE = 4;
const FACETS = 3;
/** So many pages at the most are looked at before a run of equal ones is called too long. */
const SAMPLES = 100;

/**
 * Makes guards against crawler traps: endless paths, session ids, facets, calendars, lists
 * without end. The limits are wide: deep API documentation and folders of many thousands of
 * pages pass. Each crawl calls the result once and so has memory of its own.
 *
 * A guard may be asked about a URL again; one that it has admitted lately is not counted twice.
 *
 * @returns a function that makes the guard of one crawl
 * @throws RangeError or TypeError that names the option that is wrong
 *
 * @example
 * ```ts
 * const guard = trapGuards({ maxPerPattern: 1000, calendar: false })();
 * guard({ url: 'http://h.example/a/a/a/', depth: 3 }); // 'repeated-segment'
 * ```
 */
export function trapGuards(options: TrapOptions = {}): () => TrapGuard {
  const limits = limitsFrom(options);
  const sessionIds = options.sessionIds ?? true;
  const now = options.now ?? Date.now;
  return () => {
    const memory = new TrapMemory(limits, sessionIds, now);
    return Object.assign((request: TrapRequest) => memory.judge(request), {
      observe: (url: string, content: PageContent) => memory.observe(url, content),
    });
  };
}

/** How many URLs share something, and what their pages were like. */
interface Tally {
  count: number;
  content: number;
  /** Equal pages in a row. */
  run: number;
  observed: number;
  /** They are pages of a list or of a calendar. */
  isSeries: boolean;
}

/** A count that a URL would add to. */
interface Claim {
  readonly rule: TrapRule;
  readonly key: number;
  readonly limit: number;
  tally: Tally | undefined;
}

class TrapMemory {
  readonly #limits: Limits;
  readonly #sessionIds: boolean;
  readonly #now: () => number;
  readonly #tallies = new BoundedMap<number, Tally>(REMEMBERED);
  /** By their hashes, URLs that were admitted lately, with the tally of their pattern. */
  readonly #admitted = new BoundedMap<number, Tally>(REMEMBERED);
  readonly #domains = new BoundedMap<string, Set<number>>(DOMAINS);
  readonly #hosts = new Set<number>();
  /** The last host that was found among the admitted ones: most links stay on it. */
  #knownHost: string | undefined;
  readonly #domainOf = siteDomains();
  readonly #kindOf = parameterKinds();
  readonly #sessionless = canonicalizer({ dropSessionIds: true });
  readonly #trackless = canonicalizer({ dropTracking: true });

  constructor(limits: Limits, sessionIds: boolean, now: () => number) {
    this.#limits = limits;
    this.#sessionIds = sessionIds;
    this.#now = now;
  }

  judge({ url, depth }: TrapRequest): TrapRule | undefined {
    if (depth === 0) {
      this.#admitHost(hostOf(url));
      return undefined;
    }
    if (url.length > this.#limits.urlLength) return 'url-length';
    const hash = hash53(url);
    if (this.#admitted.get(hash) !== undefined) return undefined;
    const cut = this.#cut(url);
    return pathTrap(cut.path, this.#limits) ?? this.#count(cut, hash);
  }

  observe(url: string, content: PageContent): void {
    if (this.#limits.sameContent === Infinity) return;
    const tally = this.#admitted.get(hash53(url)) ?? this.#tallyOf(url);
    // Until it has several URLs, a pattern that is no list or calendar is a single page.
    if (tally.count < 2 && !tally.isSeries) return;
    // A wide limit is kept as well by a sample, at a fraction of what the hash of each page costs.
    const stride = Math.max(1, Math.floor(this.#limits.sameContent / SAMPLES));
    tally.observed += 1;
    if (tally.observed % stride !== 0) return;
    const hash = hash53(String(typeof content === 'function' ? content() : content));
    tally.run = tally.content === hash ? tally.run + stride : stride;
    tally.content = hash;
  }

  /** Counts a URL in all that it belongs to, unless one of them is full. */
  #count(url: TrapUrl, hash: number): TrapRule | undefined {
    const limits = this.#limits;
    if (this.#isHostTooMany(url.host)) return 'hosts';
    const pattern = patternOfUrl(url);
    const list = listOf(url);
    const year = calendarYear(url);
    const isSeries = list !== undefined || year !== undefined;
    const claims = this.#claims(url, pattern, list);
    if (year !== undefined && limits.calendar !== Infinity) {
      const latest = new Date(this.#now()).getUTCFullYear() + YEARS_AHEAD;
      if (year > latest) return 'calendar';
      claims.push(claim('calendar', pattern, limits.calendar));
    }
    for (const each of claims) {
      const tally = this.#tallies.get(each.key);
      if (tally === undefined) continue;
      if (tally.count >= each.limit) return each.rule;
      const factor = isSeries ? 1 : SAME_CONTENT_ELSEWHERE;
      if (tally.run >= limits.sameContent * factor) return 'same-content';
      each.tally = tally;
    }
    for (const { rule, key, tally = this.#newTally(key) } of claims) {
      tally.count += 1;
      if (rule !== 'pattern') continue;
      tally.isSeries ||= isSeries;
      this.#admitted.set(hash, tally);
    }
    this.#admitHost(url.host);
    return undefined;
  }

  #claims({ href, parameters }: TrapUrl, pattern: string, list: string | undefined): Claim[] {
    const limits = this.#limits;
    const claims = [claim('pattern', pattern, limits.maxPerPattern)];
    if (list !== undefined) claims.push(claim('paging', list, limits.paging));
    if (this.#sessionIds && hasSessionId(href)) {
      claims.push(claim('session-id', this.#sessionless(href), 1));
    }
    if (parameters.some(({ kind }) => kind.isTracking)) {
      claims.push(claim('tracking', this.#trackless(href), limits.tracking));
    }
    if (parameters.length >= 2) {
      const base = href.slice(0, href.indexOf('?'));
      const sum = `${base}?${sumOf(parameters)}`;
      claims.push(claim('parameter-order', sum, limits.parameterOrders));
      if (parameters.length >= FACETS) claims.push(claim('facets', base, limits.facets));
    }
    return claims;
  }

  #cut(url: string): TrapUrl {
    return trapUrl(url, this.#kindOf);
  }

  /** The tally of a URL's pattern, for one that was not admitted lately. */
  #tallyOf(url: string): Tally {
    const cut = this.#cut(url);
    const key = keyOf('pattern', patternOfUrl(cut));
    const tally = this.#tallies.get(key) ?? this.#newTally(key);
    tally.isSeries ||= listOf(cut) !== undefined || calendarYear(cut) !== undefined;
    return tally;
  }

  #newTally(key: number): Tally {
    const tally = { count: 0, content: -1, run: 0, observed: 0, isSeries: false };
    this.#tallies.set(key, tally);
    return tally;
  }

  #isHostTooMany(host: string): boolean {
    if (host === this.#knownHost) return false;
    const hosts = this.#domains.get(this.#domainOf(withoutPort(host)));
    const key = hash53(host);
    if (hosts?.has(key) === true) {
      this.#knownHost = host;
      return false;
    }
    if ((hosts?.size ?? 0) >= this.#limits.maxHostsPerDomain) return true;
    return this.#hosts.size >= this.#limits.maxHosts && !this.#hosts.has(key);
  }

  #admitHost(host: string): void {
    if (host === this.#knownHost) return;
    const domain = this.#domainOf(withoutPort(host));
    const key = hash53(host);
    const hosts = this.#domains.get(domain) ?? new Set();
    if (hosts.size < this.#limits.maxHostsPerDomain) hosts.add(key);
    this.#domains.set(domain, hosts);
    if (this.#hosts.size < this.#limits.maxHosts && this.#limits.maxHosts !== Infinity) {
      this.#hosts.add(key);
    }
  }
}

function patternOfUrl({ host, path, query, parameters }: TrapUrl): string {
  const names = query === undefined ? undefined : parameters.map(({ kind }) => kind.name);
  return patternOf(host, path, names);
}

/** The same for the same parameters in any order: to add hashes is cheaper than to sort. */
function sumOf(parameters: readonly Parameter[]): string {
  let [high, low] = [0, 0];
  for (const { text } of parameters) {
    const hash = hash64(text);
    high = (high + hash.high) >>> 0;
    low = (low + hash.low) >>> 0;
  }
  return `${high}.${low}`;
}

function claim(rule: TrapRule, text: string, limit: number): Claim {
  return { rule, key: keyOf(rule, text), limit, tally: undefined };
}

function keyOf(rule: TrapRule, text: string): number {
  return hash53(`${rule} ${text}`);
}

function limitsFrom(options: TrapOptions): Limits {
  const limits: Record<string, number> = { ...LIMITS };
  expectNames('trapGuards', options, [...Object.keys(LIMITS), 'sessionIds', 'now']);
  if (options.sessionIds !== undefined) {
    expectBoolean('trapGuards: sessionIds', options.sessionIds);
  }
  if (options.now !== undefined) expectFunction('trapGuards: now', options.now);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined || name === 'now' || name === 'sessionIds') continue;
    if (value !== false && !(typeof value === 'number' && value >= 1)) {
      throw new RangeError(
        `trapGuards: ${name}: expected a number of at least 1, or false, got ${show(value)}`,
      );
    }
    limits[name] = value === false ? Infinity : value;
  }
  return limits as Limits;
}
