import type { SitemapKind } from './sitemap.js';

/** Root elements, and what is left of a sitemap that lost its own. */
const ROOTS: Readonly<Record<string, SitemapKind | undefined>> = {
  __proto__: null as never,
  urlset: 'urlset',
  url: 'urlset',
  sitemapindex: 'index',
  sitemap: 'index',
  rss: 'rss',
  rdf: 'rss',
  feed: 'atom',
};

/** Longer names than this are none of ours. */
const NAME_LENGTH = 80;

/** How many names of entities are kept. */
const MAX_ENTITIES = 1000;

/** What stands before the root element. */
export interface Prolog {
  /** A DOCTYPE was passed over. */
  doctype: boolean;
  /** Something that does not belong there was passed over. */
  garbage: boolean;
  /** Names of the entities that the DOCTYPE declares. They are never expanded. */
  readonly entities: Set<string>;
}

/** Where the search for the root element stands. */
export type RootSearch =
  | { readonly state: 'found'; readonly at: number; readonly kind: SitemapKind }
  /** More text is needed; go on at `at`. */
  | { readonly state: 'more'; readonly at: number }
  /** It is a page of HTML. */
  | { readonly state: 'none' };

/**
 * Searches for the root element of a sitemap or feed, past whatever servers put before it:
 * declarations, comments, a DOCTYPE with its internal subset (which the tokeniser behind this
 * would take for markup), and warnings of PHP.
 *
 * @param at - where to begin
 * @param last - whether no more text comes
 * @param prolog - is told what was passed over
 */
export function findRoot(text: string, at: number, last: boolean, prolog: Prolog): RootSearch {
  for (;;) {
    const start = text.indexOf('<', at);
    if (/\S/.test(text.slice(at, start === -1 ? undefined : start))) prolog.garbage = true;
    if (start === -1) return { state: 'more', at: text.length };

    const head = text.slice(start, start + NAME_LENGTH);
    const tag = /^<([\w.-]+:)?([\w.-]+)[\s/>]/.exec(head);
    if (tag !== null) {
      const name = (tag[2] ?? '').toLowerCase();
      const kind = ROOTS[name];
      if (kind !== undefined) return { state: 'found', at: start, kind };
      if (name === 'html') return { state: 'none' };
      prolog.garbage = true;
      at = start + 1;
    } else if (!last && head.length < NAME_LENGTH && !head.includes('>')) {
      return { state: 'more', at: start };
    } else if (head.startsWith('<!--')) {
      at = behind(text, '-->', start + 4);
    } else if (head.startsWith('<?')) {
      at = behind(text, '?>', start + 2);
    } else if (/^<!doctype/i.test(head)) {
      at = behindDoctype(text, start + 9, prolog);
      if (at !== -1) prolog.doctype = true;
    } else {
      prolog.garbage = true;
      at = start + 1;
    }
    if (at === -1) return { state: 'more', at: start };
  }
}

function behind(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

/** Passes over a DOCTYPE: quoted text, comments and the internal subset may hold a `>`. */
function behindDoctype(text: string, from: number, prolog: Prolog): number {
  const mark = /["'[\]>]|<!--|<\?|<!ENTITY\s+([\w.:-]+)/g;
  mark.lastIndex = from;
  let subset = false;
  for (;;) {
    const found = mark.exec(text);
    if (found === null) return -1;
    const [token, entity] = found;
    if (entity !== undefined && prolog.entities.size < MAX_ENTITIES) prolog.entities.add(entity);
    let end = mark.lastIndex;
    if (token === '"' || token === "'") end = behind(text, token, end);
    else if (token === '<!--') end = behind(text, '-->', end);
    else if (token === '<?') end = behind(text, '?>', end);
    else if (token === '[') subset = true;
    else if (token === ']') subset = false;
    else if (token === '>' && !subset) return end;
    if (end === -1) return -1;
    mark.lastIndex = end;
  }
}
