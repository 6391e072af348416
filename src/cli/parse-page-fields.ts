import { PAGE_FIELDS, isPageField } from './page-fields.js';
import type { PageFieldName } from './records.js';
import { UsageError } from './usage-error.js';

/**
 * Reads a list of fields, `url,status,title`. The order is kept, repeated names count once, and
 * `type` may be named though every record has it anyway.
 *
 * @throws UsageError that names the unknown field and lists the known ones
 *
 * @example
 * ```ts
 * parsePageFields('title,url'); // ['title', 'url']
 * ```
 */
export function parsePageFields(text: string): readonly PageFieldName[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  names.delete('type');
  return Array.from(names, (name) => {
    if (isPageField(name)) return name;
    const known = Object.keys(PAGE_FIELDS).join(', ');
    throw new UsageError('option --fields', `names out of ${known}`, name);
  });
}
