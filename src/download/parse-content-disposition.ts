import { parse } from 'content-disposition';
import { expectBoolean, expectString } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { parseLeniently } from './lenient-disposition.js';

/** What a `Content-Disposition` header field says. */
export interface ContentDisposition {
  /** In lower case: `attachment`, `inline` … */
  readonly type: string;
  /** By name in lower case; no prototype. An encoded `filename*` is also there as `filename`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Options of {@link parseContentDisposition}. */
export interface ContentDispositionOptions {
  /** Decode `name*` parameters (RFC 8187) into `name`. Default true. */
  readonly extended?: boolean;
  /** Read what browsers send in `multipart/form-data`. Default false. */
  readonly multipart?: boolean;
  /**
   * Find a name wherever a browser would: also without a type, behind a quote that is not closed,
   * in quotes that hold quotes, in UTF-8 that was not said to be, as `%xx` or an encoded word of a
   * mail (RFC 2047), in parts (`filename*0`, RFC 2231 §3), and in any encoding of the web. Default
   * false: by RFC 6266.
   */
  readonly lenient?: boolean;
}

/** A percent sign that begins no octet (RFC 8187 §3.2.1). */
const BROKEN_PERCENT = /%(?![0-9a-f]{2})/i;

/**
 * Reads a `Content-Disposition` header field (RFC 6266). Takes any text, in linear time, and
 * forgives: the first of two parameters of a name wins, quotes may be missing, a name that cannot
 * be decoded is none. With `lenient` it reads more. Names are as they were sent: clean them with
 * `safeFileName`.
 *
 * @throws TypeError for a wrong option, or what is no text
 *
 * @example
 * ```ts
 * parseContentDisposition("attachment; filename=\"rates.pdf\"; filename*=UTF-8''%e2%82%ac.pdf");
 * // { type: 'attachment', parameters: { filename: '€.pdf', 'filename*': "UTF-8''%e2%82%ac.pdf" } }
 *
 * parseContentDisposition('filename="=?UTF-8?B?4oKsLnBkZg==?="', { lenient: true });
 * // { type: 'attachment', parameters: { filename: '€.pdf' } }
 * ```
 */
export function parseContentDisposition(
  value: string,
  options: ContentDispositionOptions = {},
): ContentDisposition {
  expectString('parseContentDisposition: value', value);
  expectOptions('parseContentDisposition', options, {
    extended: expectBoolean,
    multipart: expectBoolean,
    lenient: expectBoolean,
  });
  if (options.lenient === true) return parseLeniently(value, options.extended !== false);
  const disposition = parse(value, options);
  const { parameters } = disposition;
  const broken = Object.keys(parameters).filter(
    (name) => name.endsWith('*') && BROKEN_PERCENT.test(parameters[name] ?? ''),
  );
  if (broken.length === 0 || options.extended === false) return disposition;
  // The library decodes what it can; half a name is none.
  const plain = parse(value, { ...options, extended: false }).parameters;
  for (const name of broken.map((each) => each.slice(0, -1))) {
    const unencoded = plain[name];
    if (unencoded === undefined) Reflect.deleteProperty(parameters, name);
    else parameters[name] = unencoded;
  }
  return disposition;
}
