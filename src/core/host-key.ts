/**
 * Names the group of URLs that share politeness limits. Must be a pure function of the URL.
 *
 * @example
 * ```ts
 * crawl({ hostKey: (url) => (url.includes('.cdn.example') ? 'cdn' : hostOf(url)) });
 * ```
 */
export type HostKey = (url: string) => string;

/**
 * Host and port of an absolute `http:` or `https:` URL, without user information; the port is
 * missing where it is the scheme's default. Cheap: cuts the text of `URL.href`, parses nothing.
 */
export function hostOf(href: string): string {
  const start = href.indexOf('//') + 2;
  let end = href.length;
  for (let index = start; index < end; index += 1) {
    const unit = href.charCodeAt(index);
    // '/', '?', '#'
    if (unit === 47 || unit === 63 || unit === 35) {
      end = index;
      break;
    }
  }
  const at = href.lastIndexOf('@', end - 1);
  return href.slice(at < start ? start : at + 1, end);
}
