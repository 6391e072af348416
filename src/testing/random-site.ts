import type { CrawlErrorCode } from '../core/errors.js';
import type { PageSpec } from './page-spec.js';
import { seededRandom } from './seeded-random.js';

/** Options of {@link randomSite}. */
export interface RandomSiteOptions {
  /** Number of pages, spread over the hosts. Default 12. */
  readonly pages?: number;
  /** Number of hosts. Default 3. */
  readonly hosts?: number;
  /** Most links of one page; duplicates and cycles are likely. Default 4. */
  readonly maxLinks?: number;
  /** Longest latency, ms. Default 9. */
  readonly maxLatency?: number;
  /** Share of pages that answer at once. Default 0.34. */
  readonly synchronous?: number;
  /** Share of pages that redirect. Default 0.1. */
  readonly redirects?: number;
  /** Share of pages that fail at least once, half of them for good. Default 0.2. */
  readonly failures?: number;
}

/** A site made by {@link randomSite}. */
export interface RandomSite {
  /** One to three URLs to start from, not always different. */
  readonly seeds: readonly string[];
  /** Pages by URL, for {@link virtualSite}. */
  readonly pages: Readonly<Record<string, PageSpec>>;
}

const CODES: readonly CrawlErrorCode[] = ['connection-reset', 'timeout-headers', 'truncated'];

/**
 * A random web for property tests: duplicate links, cycles, unreachable and absent pages,
 * redirects and chains and loops of them, failures that pass and failures that stay,
 * synchronous and slow pages, several hosts. The same seed gives the same web, on every
 * machine. {@link reachable} tells what a crawl of it has to visit.
 *
 * @param seed - a whole number
 *
 * @example
 * ```ts
 * import { from } from 'rxjs';
 * import { crawl } from 'rxcrawl/core';
 * import { randomSite, reachable, runToEnd, virtualPage, virtualSite, type VirtualPage } from 'rxcrawl/testing';
 *
 * for (let seed = 0; seed < 1000; seed++) {
 *   const { seeds, pages } = randomSite(seed);
 *   const site = virtualSite(pages);
 *   const handle = (page: VirtualPage) => page.follow();
 *   const options = { fetcher: site.fetcher, parse: virtualPage, handle, scope: () => true };
 *   runToEnd(from(seeds).pipe(crawl(options)));
 *   console.assert(site.started.every((url) => reachable(pages, seeds).has(url)));
 * }
 * ```
 */
export function randomSite(seed: number, options: RandomSiteOptions = {}): RandomSite {
  const { pages: size = 12, hosts = 3, maxLinks = 4, maxLatency = 9 } = options;
  const { synchronous = 0.34, redirects = 0.1, failures = 0.2 } = options;
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const urls = Array.from({ length: size }, (_, i) => `https://h${below(hosts)}.example/p${i}`);
  // One URL in twenty leads to a page that is not there.
  const anyUrl = () =>
    random() < 0.05 ? `https://h0.example/absent${below(3)}` : (urls[below(size)] ?? '');
  const page = (): PageSpec => {
    const latency = random() < synchronous ? 0 : 1 + below(maxLatency);
    if (random() < redirects) return { latency, redirect: anyUrl() };
    const links = Array.from({ length: below(maxLinks + 1) }, anyUrl);
    if (random() >= failures) return { latency, links };
    const code = CODES[below(CODES.length)] ?? 'network-error';
    if (random() < 0.5) return { latency, links, fail: code };
    return random() < 0.5
      ? { latency, links, fail: [code] }
      : { latency, links, status: [500, 200] };
  };
  return {
    pages: Object.fromEntries(urls.map((url) => [url, page()])),
    seeds: Array.from({ length: 1 + below(3) }, anyUrl),
  };
}
