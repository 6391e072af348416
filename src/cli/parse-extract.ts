import { UsageError } from './usage-error.js';

/** One field of an item, and where it is on a page. */
export interface ExtractField {
  readonly name: string;
  /** The first element that matches counts. */
  readonly selector: string;
  /** Name of the attribute to take; the text if there is none. */
  readonly attribute: string | undefined;
}

/** What every item has anyway. */
const TAKEN = new Set(['type', 'url']);
/** Behind the last `@`; an `@` in a selector is inside of quotes, which do not match. */
const ATTRIBUTE = /^[\p{L}_][\p{L}\p{N}_:.-]*$/u;

/**
 * Reads `name=selector` or `name=selector@attribute`. Whether the selector is one is seen when it
 * is compiled.
 *
 * @throws UsageError
 *
 * @example
 * ```ts
 * parseExtract('image=.cover img@src');
 * // { name: 'image', selector: '.cover img', attribute: 'src' }
 * ```
 */
export function parseExtract(text: string): ExtractField {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals)).trim();
  const at = text.lastIndexOf('@');
  const behind = text.slice(at + 1).trim();
  const attribute = at > equals && ATTRIBUTE.test(behind) ? behind : undefined;
  const selector = text.slice(equals + 1, attribute === undefined ? undefined : at).trim();
  if (name === '' || selector === '') {
    throw new UsageError(
      'option --extract',
      "name=selector or name=selector@attribute, such as 'title=h1'",
      text,
    );
  }
  if (TAKEN.has(name)) {
    throw new UsageError(
      'option --extract',
      'another name than type and url, which items have',
      text,
    );
  }
  return { name, selector, attribute };
}
