import { decodeHTML } from 'entities/decode';
import { collapse } from './link-text.js';
import { TagScanner, tagSet } from './tag-scanner.js';

const TITLE = tagSet(['title']);
/** A title is cut after so many characters. */
const MAX_TITLE = 1000;

/**
 * The title of an HTML page: the text of its first `title` element, blanks collapsed, at most
 * 1,000 characters; `undefined` if there is none. Reads no further than that.
 */
export function findTitle(html: string): string | undefined {
  let title: string | undefined;
  new TagScanner(html).scan(TITLE, (tag) => {
    title = collapse(decodeHTML(tag.content().slice(0, 10 * MAX_TITLE)), MAX_TITLE);
    return false;
  });
  return title;
}
