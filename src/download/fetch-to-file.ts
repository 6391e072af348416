import { catchError, concatMap, finalize, from, Observable, throwError } from 'rxjs';
import {
  type AnswerHead,
  type BodyReceiver,
  CrawlError,
  type CrawlErrorCode,
  type CrawlRequest,
  type FetchedResponse,
  isCrawlError,
  withRequest,
} from '../core/index.js';
import { parseContentRange } from './content-range.js';
import { PartFile } from './part-file.js';
import { contentTypeOf } from './content-type-of.js';
import { strongValidator } from './strong-validator.js';

/** How {@link fetchToFile} works, complete and checked. */
export interface FileSettings {
  /** Makes the file for an answer; throws if it is not wanted. */
  readonly open: (head: AnswerHead) => PartFile;
  readonly maxBytes: number;
  readonly resumes: number;
  /** Gives the file its name. */
  readonly keep: (file: PartFile, sha256: string) => Promise<void>;
  readonly onProgress: (head: AnswerHead, file: PartFile, total: number | undefined) => void;
}

/** Makes an exchange whose body, if it has one, is given to what `receive` returns. */
export type Ask = (
  request: CrawlRequest,
  receive: (head: AnswerHead) => BodyReceiver | undefined,
) => Observable<FetchedResponse>;

/** The connection broke, and what came before is as good as ever. */
const BROKEN: ReadonlySet<CrawlErrorCode> = new Set([
  'connection-reset',
  'network-error',
  'timeout-idle',
  'truncated',
]);

const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * Fetches to a file: one exchange, and, when it breaks, others for what is missing, as long as a
 * strong validator says that it is the same file. Whatever else goes wrong, no file is left.
 */
export function fetchToFile(
  request: CrawlRequest,
  ask: Ask,
  settings: FileSettings,
): Observable<FetchedResponse> {
  return new Observable((subscriber) => {
    const transfer = new Transfer(settings);
    let resumesLeft = settings.resumes;
    const exchange = (): Observable<FetchedResponse> =>
      ask(transfer.next(request), transfer.receive).pipe(
        catchError((error: unknown) => {
          const goOn = resumesLeft > 0 && transfer.canResume(error);
          if (!goOn) return throwError(() => error);
          resumesLeft -= 1;
          return exchange();
        }),
      );
    return exchange()
      .pipe(
        concatMap((response) => transfer.finish(response)),
        catchError((error: unknown) =>
          from(transfer.discard()).pipe(concatMap(() => throwError(() => error))),
        ),
        finalize(() => transfer.abandon()),
      )
      .subscribe(subscriber);
  });
}

/** One file on its way, over one or several exchanges. */
class Transfer {
  readonly #settings: FileSettings;
  #file: PartFile | undefined;
  #head: AnswerHead | undefined;
  /** Of the whole file, bytes. */
  #total: number | undefined;
  #validator: string | undefined;

  constructor(settings: FileSettings) {
    this.#settings = settings;
  }

  /** Content codings would make sizes and ranges those of another thing (RFC 9110 §14.1.2). */
  next(request: CrawlRequest): CrawlRequest {
    const headers: Record<string, string> = { ...request.headers, 'accept-encoding': 'identity' };
    if (this.#file !== undefined && this.#validator !== undefined) {
      headers['range'] = `bytes=${this.#file.size}-`;
      headers['if-range'] = this.#validator;
    }
    return withRequest(request, { headers });
  }

  readonly receive = (head: AnswerHead): BodyReceiver | undefined => {
    if (head.status === 206) this.#resume(head);
    else if (head.status === 200) this.#begin(head);
    else return undefined;
    return (part) => this.#take(part);
  };

  canResume(error: unknown): boolean {
    if (!isCrawlError(error) || !BROKEN.has(error.code)) return false;
    return this.#validator !== undefined && this.#file !== undefined && this.#file.size > 0;
  }

  async finish(response: FetchedResponse): Promise<FetchedResponse> {
    if (response.status === 206 && this.#file === undefined) throw unexpectedPart();
    if (response.status !== 200 && response.status !== 206) return response;
    // A fetcher that knows no receivers, or a body that had to be decoded.
    if (this.#file === undefined) await this.#takeWhole(response);
    const file = this.#file as unknown as PartFile;
    if (this.#total !== undefined && file.size !== this.#total) {
      throw new CrawlError('truncated', 'the body is not as long as it was announced', {
        detail: { announced: this.#total, seen: file.size },
      });
    }
    const sha256 = await file.close();
    await this.#settings.keep(file, sha256);
    await file.discard();
    const { path, size: bytes } = file;
    const contentType = contentTypeOf(this.#head?.headers ?? response.headers);
    return {
      ...response,
      status: 200,
      body: NO_BYTES,
      file: { url: response.url, path, bytes, contentType, sha256 },
    };
  }

  async discard(): Promise<void> {
    await this.#file?.discard();
  }

  abandon(): void {
    this.#file?.abandon();
  }

  /** The first answer, or one that says that the file has changed since. */
  #begin(head: AnswerHead): void {
    const length = Number(head.headers['content-length'] ?? NaN);
    this.#total = Number.isNaN(length) ? undefined : length;
    this.#checkSize(this.#total ?? 0);
    this.#head = head;
    this.#validator =
      head.headers['accept-ranges'] === 'none' ? undefined : strongValidator(head.headers);
    if (this.#file === undefined) this.#file = this.#settings.open(head);
    else this.#file.restart();
  }

  #resume({ headers }: AnswerHead): void {
    const range = parseContentRange(headers['content-range']);
    const file = this.#file;
    if (file === undefined || range?.first !== file.size) throw unexpectedPart();
    const { etag = this.#head?.headers['etag'] } = headers;
    const isSame = etag === this.#head?.headers['etag'];
    const { total = range.total } = { total: this.#total };
    if (!isSame || (range.total !== undefined && range.total !== total)) throw unexpectedPart();
    this.#total = total;
    this.#checkSize(total ?? 0);
  }

  #take(part: Uint8Array): Promise<void> | undefined {
    const file = this.#file as PartFile;
    this.#checkSize(file.size + part.length);
    const written = file.write(part);
    this.#settings.onProgress(this.#head as AnswerHead, file, this.#total);
    return written;
  }

  async #takeWhole(response: FetchedResponse): Promise<void> {
    if (response.truncated === true) {
      throw new CrawlError('truncated', 'the body was cut', { status: response.status });
    }
    this.#begin(response);
    // The announced length may be that of a coded body.
    this.#total = response.body.length;
    await this.#take(response.body);
  }

  #checkSize(seen: number): void {
    const { maxBytes: limit } = this.#settings;
    if (seen <= limit) return;
    throw new CrawlError('too-large', `the file has more than ${limit} bytes`, {
      detail: { limit, seen },
    });
  }
}

function unexpectedPart(): CrawlError {
  return new CrawlError('protocol-error', 'the answer holds another part than was asked for', {
    status: 206,
  });
}
