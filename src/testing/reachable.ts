import { outcomeOf, pageLookup, resolve, toPageSpec, type SiteSpec } from './page-spec.js';

/** Options of {@link reachable}. */
export interface ReachableOptions {
  /** Attempts that the crawl makes at a page before it gives up. Default 3. */
  readonly attempts?: number;
}

/**
 * The URLs that a crawl of a virtual site has to request when it follows every link and every
 * redirect: what a plain breadth-first search over the description finds. A page that fails in
 * every attempt, or answers with a status of 400 or more, is in the set, and leads nowhere.
 *
 * @param pages - as given to {@link virtualSite}, with absolute URLs
 * @param seeds - absolute URLs
 *
 * @example
 * ```ts
 * import { reachable } from 'rxcrawl/testing';
 *
 * reachable({ 'https://a.example/': ['/b'], 'https://a.example/c': [] }, ['https://a.example/']);
 * // Set { 'https://a.example/', 'https://a.example/b' }
 * ```
 */
export function reachable(
  pages: SiteSpec,
  seeds: Iterable<string>,
  { attempts = 3 }: ReachableOptions = {},
): Set<string> {
  const lookup = pageLookup(pages, undefined);
  const found = new Set<string>();
  const visit = (link: string, base: string | undefined) => {
    const url = resolve(link, base);
    if (url !== undefined) found.add(url);
  };
  for (const seed of seeds) visit(seed, undefined);
  // A Set yields what is added while it is walked: it is the queue of the search too.
  for (const url of found) {
    const spec = toPageSpec(lookup(url));
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const outcome = outcomeOf(spec, attempt);
      if ('fail' in outcome || outcome.status >= 400) continue;
      const targets = spec.redirect === undefined ? (spec.links ?? []) : [spec.redirect];
      for (const target of targets) visit(target, url);
      break;
    }
  }
  return found;
}
