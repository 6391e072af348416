import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { linkKindOf } from '../../src/page/link-kind-of.js';
import { linkKinds, type LinkKind } from '../../src/page/link-kinds.js';
import { parseRefresh } from '../../src/page/parse-refresh.js';
import { parseSrcset } from '../../src/page/srcset.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Name spaces, as texts: parse5 has an enum for them. */
const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';

/** Elements in tree order. Contents of templates are not part of the tree. */
function* elements(node: Node): Generator<Element> {
  if ('tagName' in node) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child);
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => (one.prefix ? `${one.prefix}:` : '') + one.name === name)
    ?.value;
}

function isHtml(element: Element): boolean {
  return (element.namespaceURI as string) === HTML;
}

interface Reference {
  readonly kind: LinkKind;
  readonly value: string;
}

function* references(element: Element): Generator<Reference> {
  const html = isHtml(element);
  if (!html && (element.namespaceURI as string) !== SVG) return;
  const href = attribute(element, 'href');
  if (html && element.tagName === 'meta') {
    const refresh = parseRefresh(attribute(element, 'content') ?? '');
    const pragma = attribute(element, 'http-equiv')?.toLowerCase();
    if (pragma === 'refresh' && refresh?.url !== undefined) {
      yield { kind: 'meta[refresh]', value: refresh.url };
    }
  }
  if (html && element.tagName === 'link' && href !== undefined) {
    const rel = (attribute(element, 'rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/);
    const kind = linkKindOf(rel.filter((token) => token !== ''));
    if (kind !== undefined) yield { kind, value: href };
  }
  const name = (html ? '' : 'svg:') + element.tagName.toLowerCase();
  for (const info of linkKinds) {
    if (info.element !== name || info.attribute === undefined) continue;
    const value = attribute(element, info.attribute);
    if (value === undefined) continue;
    if (info.attribute === 'xlink:href' && href !== undefined) continue;
    if (info.value === 'srcset') {
      for (const { url } of parseSrcset(value)) yield { kind: info.kind, value: url };
    } else {
      yield { kind: info.kind, value };
    }
  }
}

/**
 * What a browser without scripts makes of a page: the base URL and the links, as `kind url`.
 * The plain way, by a tree.
 */
export function linksByParse5(html: string, page: string): { base: string; links: Set<string> } {
  const all = [...elements(parse(html, { scriptingEnabled: false }))];
  const reference = all
    .filter((element) => element.tagName === 'base' && isHtml(element))
    .map((element) => attribute(element, 'href'))
    .find((value) => value !== undefined);
  const declared = reference === undefined ? undefined : tryUrl(reference, page);
  const usable = declared?.protocol !== 'data:' && declared?.protocol !== 'javascript:';
  const base = (usable ? declared?.href : undefined) ?? page;
  const links = new Set<string>();
  for (const element of all) {
    for (const { kind, value } of references(element)) {
      const url = tryUrl(value, base);
      if (url?.protocol === 'http:' || url?.protocol === 'https:') links.add(`${kind} ${url.href}`);
    }
  }
  return { base, links };
}

function tryUrl(reference: string, base: string): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    return undefined;
  }
}
