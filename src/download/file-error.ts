import { CrawlError, isCrawlError } from '../core/index.js';
import { messageOf } from '../core/message-of.js';

/** What went wrong with a file, as an error of its request. */
export function asSinkFailed(path: string, cause: unknown): CrawlError {
  if (isCrawlError(cause)) return cause;
  return sinkFailed(path, messageOf(cause), cause);
}

/** An error that names the file. */
export function sinkFailed(path: string, what: string, cause?: unknown): CrawlError {
  return new CrawlError('sink-failed', `${JSON.stringify(path)}: ${what}`, { cause });
}

/** What the system calls an error. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
