import { load } from 'cheerio/slim';
import { messageOf } from '../core/message-of.js';
import type { Page } from '../index.js';
import type { ExtractField } from './parse-extract.js';
import { UsageError } from './usage-error.js';
import { tryParseUrl } from '../url/index.js';

/** Attributes that hold one URL, which is given as absolute. */
const URL_ATTRIBUTES = new Set(['href', 'src', 'action', 'data', 'poster', 'cite', 'formaction']);

/**
 * Makes a function that makes an item of each page on which at least one selector matches. A field
 * that is not there is null, blanks of texts are collapsed.
 *
 * @throws UsageError for a selector that cannot be compiled
 */
export function extractor(fields: readonly ExtractField[]): (page: Page) => readonly object[] {
  for (const { name, selector } of fields) {
    checkSelector(selector, 'option --extract', ` for ${name}`);
  }
  return (page) => {
    const found = fields.map((field) => [field.name, valueOf(page, field)] as const);
    if (found.every(([, value]) => value === undefined)) return [];
    const values = found.map(([name, value]) => [name, value ?? null] as const);
    return [Object.fromEntries([['url', page.url], ...values])];
  };
}

/** @throws UsageError for a selector that cannot be compiled */
export function checkSelector(selector: string, subject: string, whatFor = ''): void {
  try {
    // The library lets these pass, and nothing ever matches.
    if (/[>+~,]\s*$/.test(selector)) throw new Error('it ends with a combinator');
    load('<a></a>').root().find(selector);
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(subject, `a CSS selector${whatFor} (${why})`, selector);
  }
}

/** `undefined` where nothing matches, or the attribute is not there. */
function valueOf(page: Page, { selector, attribute }: ExtractField): string | undefined {
  const [element] = page.$.root().find(selector);
  if (element === undefined) return undefined;
  const one = page.$(element);
  if (attribute === undefined) return one.text().trim().replace(/\s+/g, ' ');
  const value = one.attr(attribute);
  if (value === undefined || !URL_ATTRIBUTES.has(attribute)) return value;
  const { base } = page.linkScan;
  return tryParseUrl(value, base)?.href ?? value;
}
