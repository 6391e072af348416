import type { ResponseHeaders } from '../core/index.js';
import { linkKindOf } from './link-kind-of.js';
import type { Link } from './link-scan.js';
import { headerValue } from './header-value.js';
import type { LinkKind } from './link-kinds.js';
import { LinkResolver } from './link-resolver.js';
import { parseLinkHeader } from './parse-link-header.js';
import { parseRefresh } from './parse-refresh.js';

/** The links of the `Link` and `Refresh` fields of an answer, of the kinds that are wanted. */
export function headerLinks(
  url: string,
  headers: ResponseHeaders,
  kinds: ReadonlySet<LinkKind>,
): readonly Link[] {
  const linkField = headerValue(headers, 'link');
  const refreshField = headerValue(headers, 'refresh');
  if (linkField === undefined && refreshField === undefined) return NONE;
  const resolver = new LinkResolver(new URL(url).href);
  const links: Link[] = [];
  for (const { url: reference, rel, parameters } of parseLinkHeader(linkField ?? '')) {
    const role = isAbout(parameters['anchor'], url) ? linkKindOf(rel) : 'link[href]';
    const kind = role === 'link[href]' ? 'header[link]' : role;
    if (kind === undefined || !kinds.has(kind)) continue;
    const absolute = resolver.resolve(reference);
    if (absolute === undefined) continue;
    const { hreflang, type } = parameters;
    links.push({ url: absolute, kind, rel, text: '', hreflang, type });
  }
  const refresh = refreshField === undefined ? undefined : parseRefresh(refreshField);
  if (refresh?.url !== undefined && kinds.has('header[refresh]')) {
    const absolute = resolver.resolve(refresh.url);
    if (absolute !== undefined) {
      links.push({
        url: absolute,
        kind: 'header[refresh]',
        rel: [],
        text: '',
        hreflang: undefined,
        type: undefined,
      });
    }
  }
  return links;
}

const NONE: readonly Link[] = [];

/** RFC 8288 §3.2: with an anchor, a link may be about another resource than the page. */
function isAbout(anchor: string | undefined, page: string): boolean {
  if (anchor === undefined) return true;
  try {
    const about = new URL(anchor, page);
    const own = new URL(page);
    about.hash = own.hash = '';
    return about.href === own.href;
  } catch {
    return false;
  }
}
