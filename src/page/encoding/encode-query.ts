import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';
import { encodingFromLabel } from './encoding-label.js';

/** The query percent-encode set of special URLs (URL standard §1.3), in order. */
const QUERY_SET = ' "#\'<>';

/**
 * Percent-encodes the query of a link in the encoding of the page that it stands on, as
 * browsers do: URL standard §1.3, "percent-encode after encoding". Only the query is encoded in
 * that way; path and fragment are always UTF-8.
 *
 * A character that the encoding does not have becomes its decimal reference, `%26%23N%3B`.
 * What is percent-encoded already stays as it is. UTF-16 and `replacement` mean UTF-8.
 *
 * @param query - the query without its question mark
 * @param encoding - an encoding's name or label
 * @throws RangeError if nobody knows that label
 *
 * @example
 * ```ts
 * encodeQuery('q=é', 'windows-1252'); // 'q=%E9'
 * encodeQuery('q=†', 'big5'); // 'q=%26%238224%3B'
 * ```
 */
export function encodeQuery(query: string, encoding: string): string {
  const name = encodingFromLabel(encoding);
  if (name === undefined) {
    throw new RangeError(
      `encodeQuery: expected the label of an encoding, got ${JSON.stringify(encoding)}`,
    );
  }
  const unicode = name === 'replacement' || name.startsWith('UTF-16');
  return percentEncodeAfterEncoding(unicode ? 'UTF-8' : name, query, QUERY_SET);
}
