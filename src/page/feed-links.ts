import { Parser } from 'htmlparser2';
import type { LinkKind } from './link-kinds.js';
import { writePieces } from './write-pieces.js';
import { XmlBases } from './xml-bases.js';

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

/** An entry that is open. */
interface Entry {
  readonly depth: number;
  readonly links: FeedLink[];
  title: string;
  guid: string;
}

/**
 * The links of an RSS or Atom feed: one for each entry, and its enclosures, in document order.
 * Only what stands directly in an entry is its own: a link in its `source` is another feed's, and
 * one in its content is no entry. Broken XML is read as far as it goes, and a feed of more than
 * 250,000 tags, attributes and pieces of text, or character references, up to there.
 *
 * @param xml - the decoded text
 * @param url - URL of the feed, for what its `xml:base` attributes are relative to
 */
export function feedLinks(xml: string, url: string): FeedLink[] {
  const links: FeedLink[] = [];
  const bases = new XmlBases(url);
  let entry: Entry | undefined;
  let text: string | undefined;
  let depth = 0;
  let parts = 0;
  let isOver = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        parts += 1;
        bases.open(depth, attributes['xml:base']);
        const local = localName(name);
        if (ENTRIES.has(local)) {
          // The one before was not closed.
          finish();
          entry = { depth, links: [], title: '', guid: '' };
        }
        if (depth - 1 !== entry?.depth) return;
        if (local === 'link') {
          const role = roleOf(attributes['rel']);
          const href = attributes['href'];
          if (href !== undefined && role === 'alternate') push(href, 'entry');
          if (href !== undefined && role === 'enclosure') push(href, 'enclosure');
        } else if (local === 'enclosure') {
          if (attributes['url'] !== undefined) push(attributes['url'], 'enclosure');
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
        if (entry !== undefined && depth === entry.depth + 1) endChild(entry, localName(name));
        else if (depth === entry?.depth) finish();
        bases.close(depth);
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  const push = (reference: string, kind: FeedLink['kind']) => {
    entry?.links.push({ url: bases.resolve(reference), kind, title: '' });
  };
  const endChild = (open: Entry, local: string) => {
    const value = (text ?? '').trim();
    text = undefined;
    // What ends because the feed does may not be whole.
    if (isOver) return;
    if (local === 'link' && value !== '') push(value, 'entry');
    else if (local === 'title' && value !== '') open.title ||= value;
    else if (local === 'guid') open.guid = value;
  };
  const finish = () => {
    if (entry === undefined) return;
    const { title, guid } = entry;
    // An identifier that is a URL is the link of an entry that has no other, whatever its
    // `isPermaLink` says: crawlers and readers have always followed it.
    const isUrl = guid.startsWith('https://') || guid.startsWith('http://');
    if (isUrl && !entry.links.some(({ kind }) => kind === 'entry')) push(guid, 'entry');
    for (const link of entry.links) links.push({ ...link, title });
    entry = undefined;
    text = undefined;
  };
  // The parser's time grows with the square of the depth: look after each piece.
  const isWhole = writePieces(
    parser,
    xml,
    () => depth,
    (cost) => {
      parts += cost;
      return depth <= MAX_DEPTH && parts <= MAX_PARTS;
    },
  );
  isOver = true;
  if (isWhole) parser.end();
  finish();
  return links;
}

const REGISTERED = 'http://www.iana.org/assignments/relation/';

/** RFC 4287 §4.2.7.2: `alternate` if there is none, and names may be written as IRIs. */
function roleOf(rel: string | undefined): string {
  const name = rel?.trim().toLowerCase() ?? '';
  if (name === '') return 'alternate';
  return name.startsWith(REGISTERED) ? name.slice(REGISTERED.length) : name;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
