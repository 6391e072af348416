import { PAGE_FIELDS } from './page-fields.js';

/**
 * The text of `--list-fields`: each field of a page record with what it holds, one a line.
 *
 * @example
 * ```ts
 * listFields(); // 'url          URL as it was requested\n…'
 * ```
 */
export function listFields(): string {
  return Object.entries(PAGE_FIELDS)
    .map(([name, { about }]) => `${name.padEnd(12)} ${about}\n`)
    .join('');
}
