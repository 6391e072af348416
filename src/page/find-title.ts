import { decodeHTML } from 'entities/decode';
import { collapse } from './link-text.js';
import { elementId, tagSet } from './html-elements.js';
import { TagScanner } from './tag-scanner.js';

const EVERY_TAG = tagSet(['*']);
const TITLE = elementId('title');
/** So many tags are looked at; a page of 10 MiB could have 3,000,000. */
const MAX_TAGS = 250_000;
/** A title is cut after so many characters. */
const MAX_TITLE = 1000;

/**
 * The title of an HTML page: the text of its first `title` element, blanks collapsed, at most
 * 1,000 characters; `undefined` if there is none among the first 250,000 tags. Reads no further
 * than that.
 */
export function findTitle(html: string): string | undefined {
  let title: string | undefined;
  new TagScanner(html, { maxTags: MAX_TAGS }).scan(EVERY_TAG, (tag) => {
    if (tag.element !== TITLE || tag.svg) return true;
    const content = tag
      .content()
      .slice(0, 10 * MAX_TITLE)
      .replaceAll('\0', '\ufffd');
    title = collapse(decodeHTML(content), MAX_TITLE);
    return false;
  });
  return title;
}
