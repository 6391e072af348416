import { isBlank } from './html-syntax.js';

const COMMA = 44;
const OPEN = 40;
const CLOSE = 41;

/** Pixels or density that one candidate of a `srcset` is meant for. */
export interface ImageCandidate {
  readonly url: string;
  /** Width in pixels, of a descriptor such as `480w`. */
  readonly width?: number;
  /** Density, of a descriptor such as `2x`. */
  readonly density?: number;
  /** Height in pixels, of a descriptor such as `320h`. */
  readonly height?: number;
}

/**
 * The image candidates of a `srcset` or `imagesrcset` attribute (HTML §4.8.4.3.9, "parse a
 * srcset attribute"). A candidate with a bad descriptor is dropped alone. Linear time.
 *
 * @param srcset - the attribute's value
 *
 * @example
 * ```ts
 * parseSrcset('a.png 1x, b.png 2x').map(({ url }) => url); // [ 'a.png', 'b.png' ]
 * ```
 */
export function parseSrcset(srcset: string): ImageCandidate[] {
  const candidates: ImageCandidate[] = [];
  const { length } = srcset;
  let at = 0;
  for (;;) {
    while (at < length && (isBlank(srcset.charCodeAt(at)) || srcset.charCodeAt(at) === COMMA)) {
      at += 1;
    }
    if (at === length) return candidates;
    const start = at;
    while (at < length && !isBlank(srcset.charCodeAt(at))) at += 1;
    let end = at;
    while (srcset.charCodeAt(end - 1) === COMMA) end -= 1;
    const url = srcset.slice(start, end);
    if (end < at) {
      candidates.push({ url });
      continue;
    }
    const descriptors: string[] = [];
    at = readDescriptors(srcset, at, descriptors);
    const candidate = withDescriptors(url, descriptors);
    if (candidate !== undefined) candidates.push(candidate);
  }
}

/** Reads up to the comma that ends the candidate; commas and blanks in parentheses do not count. */
function readDescriptors(srcset: string, from: number, descriptors: string[]): number {
  let at = from;
  let start = from;
  let inParens = false;
  const flush = () => {
    if (at > start) descriptors.push(srcset.slice(start, at));
  };
  for (; at < srcset.length; at += 1) {
    const code = srcset.charCodeAt(at);
    if (inParens) {
      inParens = code !== CLOSE;
    } else if (code === COMMA) {
      flush();
      return at + 1;
    } else if (isBlank(code)) {
      flush();
      start = at + 1;
    } else if (code === OPEN) {
      inParens = true;
    }
  }
  flush();
  return at;
}

const INTEGER = /^\d+$/;
/** A valid floating-point number of the HTML standard (§2.3.4.3). */
const FLOAT = /^-?(?:\d+|\d*\.\d+)(?:[eE][+-]?\d+)?$/;

function withDescriptors(url: string, descriptors: readonly string[]): ImageCandidate | undefined {
  let width: number | undefined;
  let density: number | undefined;
  let height: number | undefined;
  for (const descriptor of descriptors) {
    const unit = descriptor.at(-1);
    const number = descriptor.slice(0, -1);
    if (unit === 'w' && INTEGER.test(number)) {
      if (width !== undefined || density !== undefined) return undefined;
      width = Number(number);
      if (width === 0) return undefined;
    } else if (unit === 'x' && FLOAT.test(number)) {
      if (width !== undefined || density !== undefined || height !== undefined) return undefined;
      density = Number(number);
      if (density < 0) return undefined;
    } else if (unit === 'h' && INTEGER.test(number)) {
      if (height !== undefined || density !== undefined) return undefined;
      height = Number(number);
      if (height === 0) return undefined;
    } else {
      return undefined;
    }
  }
  if (height !== undefined && width === undefined) return undefined;
  return {
    url,
    ...(width !== undefined && { width }),
    ...(density !== undefined && { density }),
    ...(height !== undefined && { height }),
  };
}
