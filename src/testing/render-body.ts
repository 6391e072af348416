import type { PageSpec } from './page-spec.js';

const encoder = new TextEncoder();
const SPACE = 0x20;
const EMPTY = new Uint8Array();

/** The body of a page as bytes: the one that is given, or HTML made of title and links. */
export function renderBody(spec: PageSpec): Uint8Array {
  const { body = spec.redirect === undefined ? html(spec) : '', bytes = 0 } = spec;
  const content = body === '' ? EMPTY : typeof body === 'string' ? encoder.encode(body) : body;
  if (content.length >= bytes) return content;
  const padded = new Uint8Array(bytes).fill(SPACE);
  padded.set(content);
  return padded;
}

function html({ title, links = [] }: PageSpec): string {
  const head = title === undefined ? '' : `<title>${escape(title)}</title>\n`;
  let anchors = '';
  for (const link of links) {
    const text = escape(link);
    anchors += `<a href="${text}">${text}</a>\n`;
  }
  return `<!doctype html>\n${head}${anchors}`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['txt', 'text/plain; charset=utf-8'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
]);

/** The media type that a server would give a URL, by the extension of its path. */
export function contentTypeOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return TYPES.get(path.slice(path.lastIndexOf('.') + 1)) ?? 'text/html; charset=utf-8';
}
