import { type Observable, Subject } from 'rxjs';
import {
  type AnswerHead,
  type CrawlRequest,
  CrawlError,
  type FetchContext,
  type FetcherDecorator,
  type ResponseHeaders,
} from '../core/index.js';
import { expectBoolean, expectFunction, show } from '../core/expect.js';
import { expectOptions, integerFrom, listOf } from '../core/expect-options.js';
import { Permits } from '../core/permits.js';
import { contentTypeOf } from './content-type-of.js';
import { fetchToFile, type FileSettings } from './fetch-to-file.js';
import { PartFile, type Twin } from './part-file.js';
import { expectExisting, expectFolder, type ExistingFile } from './place-file.js';
import { filePathOf } from './safe-file-name.js';
import { TargetFolder } from './target-folder.js';

/** What is known of a file before its body has come. */
export interface DownloadHead {
  /** The URL that was asked for, before redirects. */
  readonly url: string;
  readonly request: CrawlRequest;
  readonly headers: ResponseHeaders;
}

/** How far a file is. */
export interface DownloadProgress {
  /** The URL that answered. */
  readonly url: string;
  /** Absolute path that the file will have. */
  readonly path: string;
  /** Bytes that have come. */
  readonly bytes: number;
  /** Size of the whole file, bytes, where the server said it. */
  readonly total: number | undefined;
}

/** What {@link download} takes. */
export interface DownloadOptions {
  /** Folder for all files; made if it is absent. Nothing is ever written outside of it. */
  readonly dir: string;
  /** Which requests are for files. Default: those with the label `file`. */
  readonly match?: (request: CrawlRequest) => boolean;
  /**
   * Path inside of `dir`, with `/`. Default {@link filePathOf}: by the URL that was asked for. For
   * what servers propose see {@link safeFileName}.
   */
  readonly name?: (head: DownloadHead) => string;
  /** What to do with a file that exists. Default `refuse`: a failure, and the file stays. */
  readonly exists?: ExistingFile;
  /** Most bytes of a file. Default 10 GiB. */
  readonly maxBytes?: number;
  /** Media types to save, such as `image/*` or `application/pdf`. Default: all. */
  readonly types?: readonly string[];
  /** Files at once, of all workers of the crawl. Default: no limit but theirs. */
  readonly concurrency?: number;
  /** How often the rest of a file is asked for when the connection breaks. Default 5. */
  readonly resumes?: number;
  /**
   * Whether a file with the content of another one of this crawl becomes a second name of it (a
   * hard link) instead of a copy. Default true.
   */
  readonly linkDuplicates?: boolean;
}

/** A decorator that saves files, and tells how far they are. */
export type Downloads = FetcherDecorator & {
  /** Emits for each part of each file. Never ends. */
  readonly progress$: Observable<DownloadProgress>;
};

/** Paths that are remembered for their content. */
const MAX_TWINS = 100_000;

/**
 * Makes a decorator that writes the bodies of some requests to files while they come, whatever
 * their size: memory holds about 1 MB of each, and the sender waits for the disk. These requests
 * are part of the crawl like all others, so scope, robots.txt, pace, redirects, retries and dedupe
 * are the crawl's. Their pages have a `file`, and no `bytes`.
 *
 * - A file has its name only when it is whole and durable; see {@link saveFile}, which has the
 *   same rules. When anything fails, nothing is left.
 * - When a connection breaks, the rest is asked for with `Range` and `If-Range`, if the server gave
 *   a strong validator (RFC 9110 §13.1.5). Otherwise the crawl's retries begin anew.
 * - The time limit for everything (`timeouts.total`) ends with the head; `idle` and `minRate` hold.
 * - An answer with a content coding, though none was asked for, is decoded in memory first, with
 *   the crawl's limits.
 *
 * Failures: `sink-failed` (disk full, no permission, the file exists), `too-large`, `item-invalid`
 * for a media type that is not in `types`.
 *
 * ```text
 * requests:  p-f---|      p is a page, f is for a file
 * responses: p---f-|      the body of f goes to the disk
 * ```
 *
 * @throws TypeError or RangeError that names the option that is wrong
 *
 * @example
 * ```ts
 * const files = download({ dir: 'images', types: ['image/*'] });
 * crawl({
 *   decorators: [files],
 *   *handle(page) {
 *     if (page.file) yield page.file;
 *     yield page.follow();
 *     yield page.follow('img', { label: 'file' });
 *   },
 * })('https://a.example/').pipe(items()).subscribe(({ path, bytes }) => console.log(path, bytes));
 * ```
 */
export function download(options: DownloadOptions): Downloads {
  checkDownloadOptions(options);
  const {
    match = isLabelledFile,
    name = nameByUrl,
    exists = 'refuse',
    maxBytes = 10 * 1024 ** 3,
    types,
    concurrency = Infinity,
    resumes = 5,
    linkDuplicates = true,
  } = options;
  const folder = new TargetFolder(options.dir);
  const permits = new Permits();
  permits.resize(concurrency);
  const progress$ = new Subject<DownloadProgress>();
  const firstUrls = new WeakMap<FetchContext, string>();
  const twins = new Map<string, Twin>();

  const settings: Omit<FileSettings, 'open'> = {
    maxBytes,
    resumes,
    keep: async (file, sha256) => {
      if (!linkDuplicates) await file.place(exists);
      else {
        const placed = await file.place(exists, twins.get(sha256));
        if (placed !== undefined && twins.size < MAX_TWINS) twins.set(sha256, placed);
      }
    },
    onProgress: ({ url }, { path, size: bytes }, total) => {
      if (progress$.observed) progress$.next({ url, path, bytes, total });
    },
  };

  const decorate: FetcherDecorator = (fetcher) => {
    // Decorators further in know the hops of one fetch by their context.
    const contexts = new WeakMap<FetchContext, Mutable>();
    return (request, context = { attempt: 1 }) => {
      if (!match(request)) return fetcher(request, context);
      const firstUrl = firstUrls.get(context) ?? request.url;
      firstUrls.set(context, firstUrl);
      const open = ({ headers }: AnswerHead): PartFile => {
        checkMediaType(headers, types);
        return new PartFile(folder, name({ url: firstUrl, request, headers }));
      };
      const inner = contexts.get(context) ?? { ...context };
      contexts.set(context, inner);
      return permits.guard(
        fetchToFile(
          request,
          (asked, receive) => {
            inner.receive = receive;
            return fetcher(asked, inner);
          },
          { ...settings, open },
        ),
      );
    };
  };
  return Object.assign(decorate, { progress$: progress$.asObservable() });
}

type Mutable = { -readonly [K in keyof FetchContext]: FetchContext[K] };

function isLabelledFile({ label }: CrawlRequest): boolean {
  return label === 'file';
}

function nameByUrl({ url, headers }: DownloadHead): string {
  return filePathOf(url, { contentType: contentTypeOf(headers) });
}

function checkMediaType(headers: ResponseHeaders, types: readonly string[] | undefined): void {
  if (types === undefined) return;
  const type = (contentTypeOf(headers)?.split(';', 1)[0] ?? '').trim().toLowerCase();
  const isWanted = types.some(
    (wanted) =>
      wanted === '*/*' ||
      (wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted),
  );
  if (isWanted) return;
  throw new CrawlError('item-invalid', `expected ${types.join(' or ')}, got ${show(type)}`);
}

function checkDownloadOptions(options: DownloadOptions): void {
  expectOptions('download', options, {
    dir: expectFolder,
    match: expectFunction,
    name: expectFunction,
    exists: expectExisting,
    maxBytes: integerFrom(1),
    types: expectTypes,
    concurrency: integerFrom(1),
    resumes: integerFrom(0),
    linkDuplicates: expectBoolean,
  });
  expectFolder('download: dir', options.dir);
}

function expectTypes(name: string, types: unknown): void {
  listOf(expectMediaType)(name, types);
  if ((types as readonly string[]).length > 0) return;
  throw new TypeError(`${name}: expected at least one media type, got none`);
}

function expectMediaType(name: string, type: unknown): void {
  if (typeof type === 'string' && /^[^\s/A-Z]+\/[^\s/A-Z]+$/.test(type)) return;
  throw new TypeError(
    `${name}: expected media types in lower case such as "image/*", got ${show(type)}`,
  );
}
