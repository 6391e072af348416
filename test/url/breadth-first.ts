import { canonicalizer, tryParseUrl, type TrapGuard, type TrapRule, type UrlPolicy } from 'rxcrawl';
import type { TrapSite } from './trap-sites.js';

export interface WalkOptions {
  readonly policy?: UrlPolicy;
  readonly guard?: TrapGuard;
  /** Default 20, as in a crawl. */
  readonly maxDepth?: number;
  /** A test stops here in any case. */
  readonly atMost?: number;
}

export interface Walk {
  /** URLs in the order of their requests. */
  readonly visited: string[];
  readonly refused: Map<TrapRule, number>;
}

/** A crawl without a network: breadth first, with dedupe, depth and guards. */
export function walk(sites: readonly TrapSite[], options: WalkOptions = {}): Walk {
  const { policy = {}, guard, maxDepth = 20, atMost = 50_000 } = options;
  const key = canonicalizer(policy);
  const queue = sites.map((site) => ({ site, url: site.seed, depth: 0 }));
  const seen = new Set(queue.map(({ url }) => key(url)));
  const refused = new Map<TrapRule, number>();
  const visited: string[] = [];
  for (const seed of queue) guard?.(seed);
  for (let next = queue[0]; next !== undefined; next = queue[visited.length]) {
    const { site, url, depth } = next;
    visited.push(url);
    if (visited.length >= atMost) break;
    const page = new URL(url);
    guard?.observe(url, site.text?.(page) ?? url);
    for (const link of site.links(page)) {
      const target = tryParseUrl(link, page);
      if (target?.protocol !== 'http:' && target?.protocol !== 'https:') continue;
      const found = { site, url: target.href.split('#', 1)[0] ?? '', depth: depth + 1 };
      if (found.depth > maxDepth || seen.has(key(found.url))) continue;
      const rule = guard?.(found);
      if (rule !== undefined) {
        refused.set(rule, (refused.get(rule) ?? 0) + 1);
        continue;
      }
      seen.add(key(found.url));
      queue.push(found);
    }
  }
  return { visited, refused };
}
