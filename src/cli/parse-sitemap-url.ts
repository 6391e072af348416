import { tryParseUrl } from '../url/index.js';
import { UsageError } from './usage-error.js';

/**
 * Makes a reader of the URL of a sitemap.
 *
 * @throws UsageError, from the reader, if it is no absolute http: or https: URL
 */
export function parseSitemapUrl(subject: string): (text: string) => string {
  return (text) => {
    if (/^https?:\/\//i.test(text) && tryParseUrl(text) !== undefined) return text;
    throw new UsageError(subject, 'an absolute http: or https: URL after =', text);
  };
}
