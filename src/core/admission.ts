import type { FoundEvent, SkipEvent } from './events.js';
import { CrawlError, RequestRefused } from './errors.js';
import type { Guard } from './guard.js';
import { type CrawlRequest, hasDefaultKey, withRequest } from './request.js';
import { type Scope, type ScopeContext, siteOf } from './scope.js';
import type { SeenSet } from './seen-set.js';
import { messageOf } from './message-of.js';
import { withoutUserInfo } from './public-url.js';
import type { SkipReason } from './skip-reason.js';

/** Rules of an {@link Admission}. */
export interface AdmissionOptions {
  readonly scope: Scope;
  readonly maxDepth: number;
  readonly maxLinksPerPage: number;
  /** Longest URL, characters. */
  readonly maxUrlLength: number;
  readonly seen: SeenSet;
  readonly key: ((request: CrawlRequest) => string) | undefined;
  readonly guards: readonly Guard[];
}

/** What came of a batch: events to emit, and among them the requests that passed. */
export interface Admitted {
  readonly skips: readonly SkipEvent[];
  readonly found: FoundEvent;
}

interface Refusal {
  readonly reason: SkipReason;
  readonly detail: string | undefined;
}

const DUPLICATE: Refusal = { reason: 'duplicate', detail: undefined };

interface Judgement {
  readonly request: CrawlRequest;
  readonly refusal: Refusal | undefined;
  readonly isNew: boolean;
}

/**
 * Decides which requests become part of the crawl: scheme, length, scope, depth, as one step
 * with the mark whether they are new, and last the guards, which so are asked once about each.
 * Plain loops over whole batches: a page of 5,000 links costs no Observable.
 *
 * A rule that throws harms the one request that it was asked about: that one is admitted, and
 * its visit fails at once with what was thrown, see {@link Admission.verdict}.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #seeds = new Set<string>();
  /** Keys that a request's own redirects have marked, so that its retry may pass them again. */
  readonly #claims = new WeakMap<CrawlRequest, Set<string>>();
  readonly #broken = new WeakMap<CrawlRequest, CrawlError>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Admits a seed; its host becomes part of the default scope. */
  seed(seed: CrawlRequest): Admitted {
    if (isWeb(seed.url)) this.#seeds.add(siteOf(seed.url));
    const { request, refusal, isNew } = this.#judge(seed, undefined);
    if (isNew) return { skips: [], found: found(undefined, [request], 0) };
    return { skips: [skip(request, refusal ?? DUPLICATE)], found: found(undefined, [], 0) };
  }

  /**
   * Admits what a page's handler yielded.
   *
   * @param already - how many requests the page has yielded before this batch
   */
  links(requests: readonly CrawlRequest[], from: CrawlRequest, already: number): Admitted {
    const room = Math.max(0, this.#options.maxLinksPerPage - already);
    const admitted: CrawlRequest[] = [];
    const skips: SkipEvent[] = [];
    let duplicates = 0;
    const end = Math.min(room, requests.length);
    for (let index = 0; index < end; index += 1) {
      const { request, refusal, isNew } = this.#judge(requests[index] as CrawlRequest, from);
      if (refusal) skips.push(skip(request, refusal));
      else if (isNew) admitted.push(request);
      else duplicates += 1;
    }
    if (end < requests.length) skips.push(beyondLimit(from, requests.length - end));
    return { skips, found: found(from, admitted, duplicates) };
  }

  /**
   * Lets a redirect go on to `target`, and marks it as part of the crawl.
   *
   * @throws RequestRefused if it is out of scope or belongs to another request
   */
  redirect(target: CrawlRequest, from: CrawlRequest): void {
    const request = this.#keyed(target);
    if (!this.#inScope(request, from)) {
      throw new RequestRefused('redirect-out-of-scope', withoutUserInfo(request.url));
    }
    const claims = this.#claims.get(from) ?? new Set([from.key]);
    this.#claims.set(from, claims);
    if (claims.has(request.key)) return;
    if (!this.#options.seen.add(request.key)) {
      throw new RequestRefused('redirect-duplicate', withoutUserInfo(request.url));
    }
    claims.add(request.key);
  }

  /**
   * Lets the visit of a request begin.
   *
   * @throws CrawlError `internal`, with its cause, if a rule threw when it was asked about it
   */
  verdict(request: CrawlRequest): void {
    const error = this.#broken.get(request);
    if (error) throw error;
  }

  #judge(given: CrawlRequest, from: CrawlRequest | undefined): Judgement {
    let request = given;
    let isNew = false;
    try {
      request = this.#keyed(given);
      let refusal = this.#refusal(request, from);
      if (!refusal) isNew = this.#options.seen.add(request.key);
      if (isNew) refusal = this.#trap(request, from);
      return { request, refusal, isNew: isNew && !refusal };
    } catch (cause) {
      return { request, refusal: undefined, isNew: this.#break(request, cause) || isNew };
    }
  }

  /** Keeps what a rule threw; false if the same request has been admitted before. */
  #break(request: CrawlRequest, cause: unknown): boolean {
    const message = `a rule of admission threw: ${messageOf(cause)}`;
    this.#broken.set(request, new CrawlError('internal', message, { cause }));
    try {
      return this.#options.seen.add(request.key);
    } catch {
      return true;
    }
  }

  #keyed(request: CrawlRequest): CrawlRequest {
    const makeKey = this.#options.key;
    if (!makeKey || !hasDefaultKey(request)) return request;
    const key = makeKey(request);
    return key === request.key ? request : withRequest(request, { key });
  }

  #refusal(request: CrawlRequest, from: CrawlRequest | undefined): Refusal | undefined {
    const { url } = request;
    if (!isWeb(url)) {
      return { reason: 'scheme', detail: url.slice(0, url.indexOf(':')) };
    }
    if (url.length > this.#options.maxUrlLength) {
      return { reason: 'url-too-long', detail: `${url.length} characters` };
    }
    if (!this.#inScope(request, from)) return { reason: 'scope', detail: undefined };
    if (request.depth > this.#options.maxDepth) return { reason: 'depth', detail: undefined };
    return undefined;
  }

  #trap(request: CrawlRequest, from: CrawlRequest | undefined): Refusal | undefined {
    for (const guard of this.#options.guards) {
      const rule = guard(request, from);
      if (rule !== undefined) return { reason: 'trap', detail: rule };
    }
    return undefined;
  }

  #inScope(request: CrawlRequest, from: CrawlRequest | undefined): boolean {
    const context: ScopeContext = { from, seeds: this.#seeds };
    return this.#options.scope(request, context);
  }
}

function isWeb(url: string): boolean {
  return url.startsWith('http:') || url.startsWith('https:');
}

function found(
  request: CrawlRequest | undefined,
  admitted: readonly CrawlRequest[],
  duplicates: number,
): FoundEvent {
  return { type: 'found', request, admitted, duplicates };
}

/** A URL that is far too long is cut, so that it is not kept in memory. */
const SHOWN_URL = 2048;

function skip({ url, referrer, depth }: CrawlRequest, { reason, detail }: Refusal): SkipEvent {
  const whole = withoutUserInfo(url);
  return {
    type: 'skip',
    url: whole.length > SHOWN_URL ? `${whole.slice(0, SHOWN_URL)}…` : whole,
    reason,
    detail,
    referrer: referrer && withoutUserInfo(referrer),
    depth,
    admitted: false,
    started: false,
    count: 1,
  };
}

function beyondLimit(from: CrawlRequest, count: number): SkipEvent {
  return {
    type: 'skip',
    url: withoutUserInfo(from.url),
    reason: 'max-links',
    detail: `${count} more links on this page`,
    referrer: from.referrer && withoutUserInfo(from.referrer),
    depth: from.depth + 1,
    admitted: false,
    started: false,
    count,
  };
}
