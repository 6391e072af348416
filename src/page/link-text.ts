import { decodeHTML } from 'entities/decode';
import {
  BANG,
  DASH,
  QUESTION,
  SLASH,
  commentEnd,
  isLetter,
  isTagNameAt,
  rawTextEnd,
  skipAttributes,
  skipPast,
} from './html-syntax.js';
import type { Allowance } from './allowance.js';
import { attributeName, tagSet } from './html-elements.js';
import { attributeValue } from './html-value.js';
import { flatString } from './flat-string.js';
import { TagScanner } from './tag-scanner.js';

/** A link's text is cut after so many characters. */
export const MAX_LINK_TEXT = 200;
/** Blanks may go and references shrink: so much is read for a text. */
export const MAX_RAW_TEXT = 800;
/** So far behind the beginning of a link its text is looked for, tags included. */
const REACH = 16_384;

/** Tags of these do not part words. */
const INLINE = new Set(
  'b i u s em strong span small big sub sup code kbd samp var tt mark font abbr cite q time bdi bdo dfn'.split(
    ' ',
  ),
);
const HIDDEN = ['script', 'style', 'textarea', 'title', 'xmp', 'noembed', 'noframes', 'iframe'];

const IMAGES = tagSet(['img', 'image']);
const ALT = attributeName('alt');
/** So many images of one link are looked at for an `alt`. */
const MAX_IMAGES = 10;

/**
 * Text from `start` up to the end of the link, or the beginning of the next: without tags, with
 * character references decoded and blanks collapsed. Without any, what its first image that has
 * an `alt` says.
 *
 * @param room - how many characters may still be read of the page
 */
export function linkText(page: string, start: number, room: Allowance): string {
  if (room.spent) return '';
  // What is searched for a piece of it, such as the end of a comment, is not searched further.
  const html = page.slice(start, start + REACH);
  const parts: string[] = [];
  const images: string[] = [];
  let budget = MAX_RAW_TEXT;
  let at = 0;
  while (budget > 0) {
    const tag = html.indexOf('<', at);
    const end = tag === -1 ? html.length : tag;
    if (end > at) {
      parts.push(html.slice(at, Math.min(end, at + budget)));
      budget -= end - at;
    }
    at = end;
    if (tag === -1) break;
    const next = afterTag(html, tag, parts, images);
    if (next === END) break;
    at = next === -1 ? html.length : next;
  }
  room.spend(at);
  // HTML §13.2.6.4.7: U+0000 is ignored.
  const text = collapse(decodeHTML(parts.join('').replaceAll('\0', '')), MAX_LINK_TEXT);
  return text === '' && images.length > 0 ? altOf(images.join('')) : text;
}

function isAlphanumeric(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}

/** `image` is read as `img`. */
function isImage(name: string): boolean {
  return name === 'img' || name === 'image';
}

/** The first `alt` that is not empty. */
function altOf(images: string): string {
  let text = '';
  new TagScanner(images).scan(IMAGES, (tag) => {
    const alt = tag.find(ALT)?.slice(0, MAX_RAW_TEXT) ?? '';
    text = collapse(attributeValue(alt), MAX_LINK_TEXT);
    return text === '';
  });
  return text;
}

/** The link ends here. */
const END = -2;

/** Where to go on behind the `<` at an index; -1 if the text ends first, {@link END}. */
function afterTag(html: string, tag: number, parts: string[], images: string[]): number {
  const code = html.charCodeAt(tag + 1);
  if (code === BANG) {
    return html.charCodeAt(tag + 2) === DASH && html.charCodeAt(tag + 3) === DASH
      ? commentEnd(html, tag + 2)
      : skipPast(html, '>', tag + 2);
  }
  if (code === QUESTION) return skipPast(html, '>', tag + 2);
  const nameAt = code === SLASH ? tag + 2 : tag + 1;
  if (!isLetter(html.charCodeAt(nameAt))) {
    if (code === SLASH) return skipPast(html, '>', nameAt);
    parts.push('<');
    return tag + 1;
  }
  if (isTagNameAt(html, 'a', nameAt)) return END;
  let nameEnd = nameAt;
  // Names of interest are short.
  while (nameEnd < nameAt + 12 && isAlphanumeric(html.charCodeAt(nameEnd))) nameEnd += 1;
  const name = html.slice(nameAt, nameEnd).toLowerCase();
  const next = skipAttributes(html, nameEnd);
  if (next === -1) return -1;
  if (code !== SLASH) {
    if (HIDDEN.includes(name)) return rawTextEnd(html, name, next);
    if (isImage(name) && images.length < MAX_IMAGES) images.push(html.slice(tag, next));
  }
  if (parts.at(-1) !== ' ' && !INLINE.has(name)) parts.push(' ');
  return next;
}

/** Trims a text and makes every run of blanks one space, up to `limit` characters. */
export function collapse(text: string, limit: number): string {
  const collapsed = text.replace(/\s+/g, ' ').trim();
  if (collapsed.length <= limit) return flatString(collapsed);
  // Not in the middle of a surrogate pair.
  const last = collapsed.charCodeAt(limit - 1);
  return flatString(collapsed.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit));
}
