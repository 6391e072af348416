import { parse } from 'content-disposition';

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
}

/** A percent sign that begins no octet (RFC 8187 §3.2.1). */
const BROKEN_PERCENT = /%(?![0-9a-f]{2})/i;

/**
 * Reads a `Content-Disposition` header field (RFC 6266), as lenient as browsers are with what
 * servers send: never throws, the first of two parameters of a name wins, quotes may be
 * missing. Names are as they were sent: clean them with `safeFileName`.
 *
 * @example
 * ```ts
 * parseContentDisposition("attachment; filename=\"rates.pdf\"; filename*=UTF-8''%e2%82%ac.pdf");
 * // { type: 'attachment', parameters: { filename: '€.pdf', 'filename*': "UTF-8''%e2%82%ac.pdf" } }
 * ```
 */
export function parseContentDisposition(
  value: string,
  options: ContentDispositionOptions = {},
): ContentDisposition {
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
