import { show } from './expect.js';

/**
 * What an iterator has given, checked as `for … of` does: one that gives no results would never
 * come to an end.
 *
 * @throws TypeError if it is no result
 */
export function iteratorResult<T>(given: IteratorResult<T>): IteratorResult<T> {
  const result: unknown = given;
  if (typeof result === 'object' && result !== null) return given;
  throw new TypeError(`expected an iterator's result, got ${show(result)}`);
}
