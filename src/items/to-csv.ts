/*
 * Own code for the cells: csv-stringify takes twice as long for a row (6 µs against 3 µs) and 1.1 MB
 * on disk, for what is one line here.
 */
import { defer, endWith, tap, type MonoTypeOperatorFunction } from 'rxjs';
import { expectBoolean, expectString, show } from '../core/expect.js';
import { expectOptions, listOf } from '../core/expect-options.js';
import { CrawlError } from '../core/index.js';
import { csvRow } from './csv-row.js';
import { through, type ItemSink } from './item-sink.js';
import { lastWholeRow } from './last-whole-row.js';
import { expectMode, expectPath, OutputFile, type FileMode } from './output-file.js';

/** Options of {@link toCsv} and {@link csvSink}. */
export interface CsvOptions {
  /**
   * Names of the fields that become columns, in order; other fields are left out. Default: those
   * of the first item, so name them where items differ.
   */
  readonly columns?: readonly string[];
  /**
   * Put an apostrophe before texts that a spreadsheet would run as a formula: those that begin
   * with `=`, `+`, `-`, `@`, their full-width and small forms, a tab or a line break, also behind
   * what nobody sees; and quotes around those that hold a semicolon or a tab, where some begin a
   * new cell. Default false, which leaves all values as they are.
   */
  readonly spreadsheetSafe?: boolean;
  /**
   * What to do with a file that exists. `append` drops a last row that a crash has cut, and
   * wants the same columns. Default `refuse`.
   */
  readonly mode?: FileMode;
}

/**
 * A sink that writes items as rows of CSV (RFC 4180: commas, CRLF, quotes where needed; UTF-8),
 * for the `sink` of `crawl()`. The first row names the columns; with the option `columns` it is there
 * also where there are no items. Absent values, `null` and
 * `undefined` are empty, dates are ISO 8601, objects are JSON.
 *
 * Errors of an item, `sink-failed`: it is no object, it is the first one and has no fields, a value
 * has no form as text, or the row could not be written.
 *
 * @throws TypeError for a wrong option
 *
 * @example
 * ```ts
 * const sink = csvSink('books.csv', { columns: ['url', 'title'], spreadsheetSafe: true });
 * const events$ = crawl({ handle, sink })(seeds);
 * concat(events$, sink.close()).subscribe();
 * ```
 */
export function csvSink<T extends object>(path: string, options: CsvOptions = {}): ItemSink<T> {
  checkCsv('csvSink', path, options);
  const { spreadsheetSafe = false } = options;
  let { columns } = options;
  let head: string | undefined;
  let hasNames = false;

  /** The row of the column names, where the file has none yet. */
  const takeNames = (names: readonly string[]): string => {
    const row = csvRow(names, spreadsheetSafe);
    if (head !== undefined && bare(head) !== bare(row)) {
      throw new CrawlError(
        'sink-failed',
        `${JSON.stringify(path)}: expected the columns ${row.trim()}, the file has ${head.trim()}`,
      );
    }
    const isNew = head === undefined && !hasNames;
    hasNames = true;
    return isNew ? row : '';
  };

  const file = new OutputFile(
    path,
    options.mode ?? 'refuse',
    async (handle, size) => {
      const inspected = await lastWholeRow(handle, size);
      ({ head } = inspected);
      return inspected;
    },
    () => (columns === undefined ? '' : takeNames(columns)),
  );

  const sink = (item: T) =>
    defer(() => {
      let names = '';
      const written$ = file.write(() => {
        const wanted = columns ?? namesOf(item);
        const row = csvRow(valuesOf(item, wanted), spreadsheetSafe);
        names = takeNames(wanted);
        columns = wanted;
        return names + row;
      });
      // Names that were not written are still to be written.
      return written$.pipe(tap({ error: () => (hasNames &&= names === '') }), endWith(item));
    });
  return Object.assign(sink, { open: () => file.open(), close: () => file.close() });
}

/**
 * Writes items to a file of CSV, and passes each on when it is written. See {@link csvSink},
 * which is for `crawl()` itself and holds its workers.
 *
 * @example
 * ```ts
 * crawl({ handle })(seeds).pipe(items(), toCsv('books.csv')).subscribe();
 * ```
 */
export function toCsv<T extends object>(
  path: string,
  options: CsvOptions = {},
): MonoTypeOperatorFunction<T> {
  checkCsv('toCsv', path, options);
  return through(() => csvSink<T>(path, options));
}

function checkCsv(owner: string, path: string, options: CsvOptions): void {
  expectPath(`${owner}: path`, path);
  expectOptions(owner, options, {
    columns: expectColumns,
    spreadsheetSafe: expectBoolean,
    mode: expectMode,
  });
}

function expectColumns(name: string, columns: unknown): void {
  listOf(expectString)(name, columns);
  const names = columns as readonly string[];
  if (names.length === 0) throw new TypeError(`${name}: expected a list of names, got none`);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice === undefined) return;
  throw new TypeError(`${name}: expected different names, got ${show(twice)} twice`);
}

/** A row as it was before a spreadsheet or an editor has saved it in its own way. */
function bare(row: string): string {
  return row.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
}

/** The columns of a file that begins with this item. */
function namesOf(item: unknown): readonly string[] {
  const names = readItem(item, Object.keys);
  if (names.length > 0) return names;
  throw new CrawlError('sink-failed', 'the first item has no fields that could name the columns');
}

/** Own fields only: a column may be named `constructor`. */
function valuesOf(item: unknown, columns: readonly string[]): readonly unknown[] {
  return readItem(item, (fields) =>
    columns.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined)),
  );
}

/** Reads an item, which may be no object whatever its type says, and may throw. */
function readItem<R>(item: unknown, read: (fields: Readonly<Record<string, unknown>>) => R): R {
  if (typeof item !== 'object' || item === null) {
    throw new CrawlError('sink-failed', `expected an object, got ${show(item)}`);
  }
  try {
    return read(item as Readonly<Record<string, unknown>>);
  } catch (cause) {
    throw new CrawlError('sink-failed', 'the item cannot be read', { cause });
  }
}
