import { hostOf } from '../core/index.js';

// These cut the text of `URL.href` instead of parsing it: they run for each link.

const [HASH, SLASH, QUESTION, CLOSE] = [35, 47, 63, 93] as const;

/** Index of the first `/`, `?` or `#` behind the host, or the length. */
function endOfHost(href: string): number {
  let index = href.indexOf('//') + 2;
  for (; index < href.length; index += 1) {
    const unit = href.charCodeAt(index);
    if (unit === SLASH || unit === QUESTION || unit === HASH) break;
  }
  return index;
}

/** A host without its port; an IPv6 address keeps its brackets. */
export function withoutPort(host: string): string {
  const colon = host.lastIndexOf(':');
  if (colon === -1 || host.charCodeAt(host.length - 1) === CLOSE) return host;
  return host.slice(0, colon);
}

/** Host name of an absolute URL: no user information, no port. */
export function hostnameOfHref(href: string): string {
  const host = hostOf(href);
  return host.includes(':') ? withoutPort(host) : host;
}

/** Path of an absolute URL, without query and fragment. */
export function pathOfHref(href: string): string {
  const start = endOfHost(href);
  let end = start;
  for (; end < href.length; end += 1) {
    const unit = href.charCodeAt(end);
    if (unit === QUESTION || unit === HASH) break;
  }
  return href.slice(start, end) || '/';
}

/** Query of an absolute URL without its `?`, or `undefined`. */
export function queryOfHref(href: string): string | undefined {
  const hash = href.indexOf('#');
  const end = hash === -1 ? href.length : hash;
  const mark = href.indexOf('?');
  return mark === -1 || mark > end ? undefined : href.slice(mark + 1, end);
}
