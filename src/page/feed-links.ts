import { Parser } from 'htmlparser2';
import type { LinkKind } from './link-kinds.js';
import { writePieces } from './write-pieces.js';

/** A link of a feed, not resolved. */
export interface FeedLink {
  readonly url: string;
  readonly kind: LinkKind & ('entry' | 'enclosure');
  /** Title of its entry. */
  readonly title: string;
}

const ENTRIES = new Set(['item', 'entry']);
/** Longer texts, and elements nested deeper, are no feed's. */
const MAX_TEXT = 10_000;
const MAX_DEPTH = 512;
/**
 * So many tags, attributes, references and pieces of text are read, at 0.4 µs each: enough for 20,000 entries,
 * and a feed of 10 MiB could have 3,000,000.
 */
const MAX_PARTS = 250_000;

/**
 * The links of an RSS or Atom feed: one for each entry, and its enclosures, in document order.
 * Broken XML is read as far as it goes, and a feed of more than 250,000 tags, attributes and
 * pieces of text, or character references, up to there.
 *
 * @param xml - the decoded text
 */
export function feedLinks(xml: string): FeedLink[] {
  const links: FeedLink[] = [];
  let entry: { links: FeedLink[]; title: string; guid: string } | undefined;
  let text: string | undefined;
  let permanent = true;
  let depth = 0;
  let parts = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        parts += 1;
        const local = localName(name);
        if (ENTRIES.has(local)) entry = { links: [], title: '', guid: '' };
        if (entry === undefined) return;
        if (local === 'link') {
          const rel = attributes['rel'] ?? 'alternate';
          const href = attributes['href'];
          if (href !== undefined && rel === 'alternate') push(href, 'entry');
          if (href !== undefined && rel === 'enclosure') push(href, 'enclosure');
        } else if (local === 'enclosure') {
          if (attributes['url'] !== undefined) push(attributes['url'], 'enclosure');
        } else if (local === 'guid') {
          permanent = attributes['isPermaLink'] !== 'false';
        }
        text = local === 'link' || local === 'title' || local === 'guid' ? '' : undefined;
      },
      onattribute() {
        parts += 1;
      },
      oncomment() {
        parts += 1;
      },
      oncdatastart() {
        parts += 1;
      },
      onprocessinginstruction() {
        parts += 1;
      },
      ontext(data) {
        parts += 1;
        if (text !== undefined && text.length < MAX_TEXT) text += data;
      },
      onclosetag(name) {
        depth -= 1;
        const local = localName(name);
        if (entry === undefined) return;
        const value = (text ?? '').trim();
        text = undefined;
        if (local === 'link' && value !== '') push(value, 'entry');
        else if (local === 'title' && value !== '') entry.title ||= value;
        else if (local === 'guid' && permanent) entry.guid = value;
        else if (ENTRIES.has(local)) finish();
      },
    },
    { xmlMode: true },
  );
  const push = (url: string, kind: FeedLink['kind']) => {
    entry?.links.push({ url, kind, title: '' });
  };
  const finish = () => {
    if (entry === undefined) return;
    const { title, guid } = entry;
    // A permanent identifier is the link of an entry that has no other.
    const isUrl = guid.startsWith('https://') || guid.startsWith('http://');
    if (isUrl && !entry.links.some(({ kind }) => kind === 'entry')) push(guid, 'entry');
    for (const link of entry.links) links.push({ ...link, title });
    entry = undefined;
  };
  // The parser's time grows with the square of the depth: look after each piece.
  writePieces(
    parser,
    xml,
    () => depth,
    (cost) => {
      parts += cost;
      return depth <= MAX_DEPTH && parts <= MAX_PARTS;
    },
  );
  finish();
  return links;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
