/** What markup is, by its first tag. */
export type MarkupKind = 'html' | 'xhtml' | 'xml' | 'rss' | 'atom' | 'sitemap';

/** Elements that HTML may begin with, when no type says that it is HTML. */
const HTML_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'html head body title meta link base script style noscript template iframe frameset frame ' +
    'a abbr address article aside audio b big blockquote br button canvas center cite code dd ' +
    'del details dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr i img input ins kbd label li main map marquee menu nav object ol p ' +
    'picture pre q s section select small span strike strong sub summary sup table tbody td ' +
    'textarea tfoot th thead tr tt u ul var video'
  ).split(' '),
);

/**
 * Tells what markup a text is by its first tag, or `undefined` for no markup. Comments,
 * processing instructions and a DOCTYPE before it are passed over.
 *
 * @param text - the start of the text, without byte order mark
 */
export function markupKind(text: string): MarkupKind | undefined {
  let position = 0;
  let xml = false;
  let comment = false;
  for (;;) {
    position = skipBlanks(text, position);
    if (text.charAt(position) !== '<') return prologKind(xml, comment);
    if (text.startsWith('<!--', position)) {
      comment = true;
      position = behind(text, '-->', position + 4);
    } else if (text.startsWith('<?', position)) {
      xml ||= text.startsWith('<?xml', position);
      position = behind(text, '>', position);
    } else if (text.startsWith('<!', position)) {
      const doctype = text.slice(position, position + 32).toLowerCase();
      if (!doctype.startsWith('<!doctype')) return prologKind(xml, comment);
      if (/^<!doctype\s+html\b/.test(doctype)) return xml ? rootKind(text, position, xml) : 'html';
      xml = true;
      position = behindDoctype(text, position);
    } else {
      return rootKind(text, position, xml);
    }
  }
}

/** What begins with a comment and shows no tag is HTML, by the table of the standard. */
function prologKind(xml: boolean, comment: boolean): MarkupKind | undefined {
  return xml ? 'xml' : comment ? 'html' : undefined;
}

/** The kind by the root element at or behind a position. */
function rootKind(text: string, position: number, xml: boolean): MarkupKind | undefined {
  const tag = /<([a-z][\w.-]*:)?([a-z][\w.-]*)(?=[\s/>]|$)/iy;
  tag.lastIndex = text.startsWith('<!', position) ? behindDoctype(text, position) : position;
  while (/\s/.test(text.charAt(tag.lastIndex))) tag.lastIndex++;
  const name = tag.exec(text)?.[2]?.toLowerCase();
  switch (name) {
    case undefined:
      return xml ? 'xml' : undefined;
    case 'rss':
    case 'rdf':
      return 'rss';
    case 'feed':
      return 'atom';
    case 'urlset':
    case 'sitemapindex':
      return 'sitemap';
    case 'html':
      return xml ? 'xhtml' : 'html';
    default:
      if (xml) return 'xml';
      return HTML_ELEMENTS.has(name) ? 'html' : name === 'svg' ? 'xml' : undefined;
  }
}

/** Position behind a DOCTYPE with its internal subset. */
function behindDoctype(text: string, position: number): number {
  const end = behind(text, '>', position);
  const subset = text.indexOf('[', position);
  return subset === -1 || subset > end ? end : behind(text, ']>', subset);
}

function behind(text: string, mark: string, position: number): number {
  const found = text.indexOf(mark, position);
  return found === -1 ? text.length : found + mark.length;
}

function skipBlanks(text: string, position: number): number {
  while (position < text.length && text.charCodeAt(position) <= 0x20) position++;
  return position;
}
