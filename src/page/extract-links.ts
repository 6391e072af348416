import { expectBoolean, expectString } from '../core/expect.js';
import { anything, type Expectations, expectOptions, integerFrom } from '../core/expect-options.js';
import { expectKinds } from './link-kinds.js';
import { LinkPass } from './link-pass.js';
import type { ExtractLinksOptions, Link, LinkScan } from './link-scan.js';

/**
 * The links of an HTML page, in document order, duplicates included, without building a tree.
 *
 * Never throws for what is in the page: a link that is no `http:` or `https:` URL is left out
 * alone. No link comes from comments, scripts, styles, templates and other elements whose
 * content is text. `docs/links.md` has the table of kinds and all decisions.
 *
 * @param html - the decoded text
 * @throws TypeError if `url` is no absolute URL, or an option is wrong
 *
 * @example
 * ```ts
 * extractLinks('<a href="/about">About us</a>', { url: 'https://a.example/' });
 * // [{ url: 'https://a.example/about', kind: 'a[href]', rel: [], text: 'About us', … }]
 * ```
 */
export function extractLinks(html: string, options: ExtractLinksOptions): Link[] {
  return [...scanLinks(html, options).links];
}

/** As {@link extractLinks}, with the base URL, counts of what was left out, and robots metas. */
export function scanLinks(html: string, options: ExtractLinksOptions): LinkScan {
  expectOptions('extractLinks', options, EXPECTED);
  const pass = new LinkPass(html, options);
  pass.readTexts();
  return pass.scan;
}

const EXPECTED: Expectations<ExtractLinksOptions> = {
  url: anything,
  contentType: expectString,
  encoding: expectString,
  kinds: expectKinds,
  maxLinks: integerFrom(0),
  noscript: expectBoolean,
  srcdoc: expectBoolean,
};
