import type { Link } from './link-scan.js';

/** Adds the URLs of resolved links, without their fragments: each once. */
export function addHrefs(
  links: readonly Link[],
  isWanted: (link: Link) => boolean,
  hrefs: Set<string>,
): void {
  for (const link of links) if (isWanted(link)) hrefs.add(withoutFragment(link.url));
}

/** A URL up to its fragment. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}
