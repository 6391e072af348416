import { createHash } from 'node:crypto';
import { cleanSegment, cutToBytes } from './clean-segment.js';
import { extensionOf } from './extension-of.js';
import { expectString, show } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';

import { tryParseUrl } from '../url/index.js';

/** What {@link safeFileName} and {@link filePathOf} know besides. */
export interface FileNameOptions {
  /** The URL of the file. Its hash goes into the name, so that two URLs never share a file. */
  readonly url?: string | undefined;
  /** `Content-Type` of the file; gives an extension to a name without one. */
  readonly contentType?: string | undefined;
}

/** Bytes of a name: file systems take 255, and a temporary name needs some. */
const MAX_BYTES = 240;
/** Longer ones are no extensions, but names with a dot. */
const EXTENSION = /^(.*)\.([a-z0-9]{1,10})$/is;
const HASH_DIGITS = 16;

/**
 * Makes a file name of what a server proposes: a single segment of a path, on any system, whatever
 * it is given. The last part of a path counts (`../../etc/passwd` is `passwd`), percent-encoding
 * is undone before anything is judged, an extension survives shortening, and the name is never
 * empty. With `url`, 16 hexadecimal digits of the URL's hash are put before the extension: the
 * same URL has the same name on each run, and no two share one, also where case does not count.
 *
 * @param proposed - such as the `filename` of a `Content-Disposition`
 * @throws TypeError for what is no text, or a wrong option
 *
 * @example
 * ```ts
 * safeFileName('..\\..\\win.ini'); // 'win.ini'
 * safeFileName('con', { contentType: 'text/html' }); // '_con.html'
 * safeFileName('a.pdf', { url: 'https://a.example/1' }); // 'a-d817b80f9a5befb9.pdf'
 * ```
 */
export function safeFileName(proposed: string, options: FileNameOptions = {}): string {
  expectString('safeFileName: proposed', proposed);
  expectOptions('safeFileName', options, { url: expectString, contentType: expectString });
  const { url, contentType } = options;
  const last = decode(proposed)
    .split(/[/\\]/)
    .map(cleanSegment)
    .findLast((segment) => segment !== '');
  const [, named, extension] = EXTENSION.exec(last ?? '') ?? [];
  const stem = named ?? last ?? 'file';
  const end = extension ?? extensionOf(contentType);
  const tail = (url === undefined ? '' : `-${hashOf(url)}`) + (end === undefined ? '' : `.${end}`);
  const head = cutToBytes(stem, MAX_BYTES - tail.length);
  return cleanSegment((head === '' ? 'file' : head) + tail);
}

/** Folders of a path beyond these are left out; the hash keeps the files apart. */
const MAX_FOLDERS = 8;
const MAX_FOLDER_BYTES = 80;

/**
 * The place of a file by its URL: a relative path with `/`, of the host, the folders of the URL and
 * a name that carries the URL's hash. All parts are safe, and the path has under 1,000 bytes.
 * Scheme, port and query are in the hash; a fragment counts for nothing.
 *
 * @throws TypeError if `url` is no absolute URL
 *
 * @example
 * ```ts
 * filePathOf('https://a.example/docs/a%20b?x=1', { contentType: 'text/html' });
 * // 'a.example/docs/a b-4d5c3b4aac721c53.html'
 * ```
 */
export function filePathOf(url: string, options: Omit<FileNameOptions, 'url'> = {}): string {
  const parsed = tryParseUrl(url);
  if (parsed === undefined) {
    throw new TypeError(`filePathOf: url: expected an absolute URL, got ${show(url)}`);
  }
  expectOptions('filePathOf', options, { contentType: expectString });
  const segments = parsed.pathname.split('/').slice(1);
  const name = segments.pop() ?? '';
  const folders = [parsed.hostname, ...segments.slice(0, MAX_FOLDERS).map(decode)]
    .map((segment) => cutToBytes(cleanSegment(segment), MAX_FOLDER_BYTES))
    .filter((segment) => segment !== '');
  return [...folders, safeFileName(name === '' ? 'index' : name, { ...options, url })].join('/');
}

function hashOf(url: string): string {
  const end = url.indexOf('#');
  const text = tryParseUrl(url)?.href ?? url;
  const hash = createHash('sha256').update(end === -1 ? text : text.replace(/#.*$/s, ''));
  return hash.digest('hex').slice(0, HASH_DIGITS);
}

/** Undone once; what still holds a percent sign then loses it in the cleaning. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
