import type { FileHandle } from 'node:fs/promises';
import { concat, of, type MonoTypeOperatorFunction } from 'rxjs';
import { show } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { CrawlError } from '../core/index.js';
import { through, type ItemSink } from './item-sink.js';
import {
  expectMode,
  expectPath,
  OutputFile,
  type FileMode,
  type Inspected,
} from './output-file.js';

/** Options of {@link toJsonLines} and {@link jsonLinesSink}. */
export interface JsonLinesOptions {
  /**
   * What to do with a file that exists. `append` drops a last line that a crash has cut.
   * Default `refuse`.
   */
  readonly mode?: FileMode;
}

/**
 * A sink that writes each item as one line of JSON (UTF-8), for the `sink` of `crawl()`. A crawl
 * that is killed leaves whole lines and at most one cut last line.
 *
 * Errors of an item, `sink-failed`: it has no form in JSON (a cycle, a function, a `bigint`), or
 * it could not be written.
 *
 * @throws TypeError for a wrong option
 *
 * @example
 * ```ts
 * const sink = jsonLinesSink('books.jsonl', { mode: 'append' });
 * const events$ = crawl({ handle, sink })(seeds);
 * concat(events$, sink.close()).subscribe();
 * ```
 */
export function jsonLinesSink<T>(path: string, options: JsonLinesOptions = {}): ItemSink<T> {
  expectPath('jsonLinesSink: path', path);
  expectOptions('jsonLinesSink', options, { mode: expectMode });
  const file = new OutputFile(path, options.mode ?? 'refuse', lastWholeLine);
  const sink = (item: T) =>
    concat(
      file.write(() => lineOf(item)),
      of(item),
    );
  return Object.assign(sink, { open: () => file.open(), close: () => file.close() });
}

/**
 * Writes items to a file, one line of JSON each, and passes each on when it is written. See
 * {@link jsonLinesSink}, which is for `crawl()` itself and holds its workers.
 *
 * @example
 * ```ts
 * crawl({ handle })(seeds).pipe(items(), toJsonLines('books.jsonl')).subscribe();
 * ```
 */
export function toJsonLines<T>(
  path: string,
  options: JsonLinesOptions = {},
): MonoTypeOperatorFunction<T> {
  expectPath('toJsonLines: path', path);
  expectOptions('toJsonLines', options, { mode: expectMode });
  return through(() => jsonLinesSink<T>(path, options));
}

function lineOf(item: unknown): string {
  let json: unknown;
  try {
    json = JSON.stringify(item);
  } catch (cause) {
    throw new CrawlError('sink-failed', 'the item has no form in JSON', { cause });
  }
  // Not of functions, symbols and undefined, whatever its type says.
  if (typeof json !== 'string') {
    throw new CrawlError('sink-failed', `the item has no form in JSON: it is ${show(item)}`);
  }
  return `${json}\n`;
}

const BLOCK = 65_536;
const LF = 0x0a;

/** Looks for the last line end from behind; keeps a last line without one if it is whole. */
async function lastWholeLine(file: FileHandle, size: number): Promise<Inspected> {
  let tail: Buffer = Buffer.alloc(0);
  for (let start = size; start > 0;) {
    const length = Math.min(BLOCK, start);
    start -= length;
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    const end = buffer.lastIndexOf(LF);
    tail = Buffer.concat([buffer.subarray(end + 1), tail]);
    if (end !== -1) break;
  }
  if (tail.length > 0 && isWhole(tail.toString())) return { keep: size, complete: '\n' };
  return { keep: size - tail.length };
}

/** A number or a word may be cut and still be JSON; what has an end sign may not. */
function isWhole(json: string): boolean {
  if (!/^[{["]/.test(json)) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
