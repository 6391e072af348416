import type { LinkKind } from './link-kinds.js';

/** Relations that only warm up a connection. */
const HINTS = new Set(['dns-prefetch', 'preconnect']);

/** The kind of a `link` element, or `undefined` if it leads nowhere. */
export function linkKindOf(rel: readonly string[]): LinkKind | undefined {
  if (rel.includes('canonical')) return 'canonical';
  if (rel.includes('amphtml')) return 'amphtml';
  if (rel.includes('next')) return 'next';
  if (rel.includes('prev') || rel.includes('previous')) return 'prev';
  if (rel.includes('alternate') && !rel.includes('stylesheet')) return 'alternate';
  return rel.length > 0 && rel.every((token) => HINTS.has(token)) ? undefined : 'link[href]';
}
