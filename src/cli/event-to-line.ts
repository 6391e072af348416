import { show } from '../core/expect.js';
import { messageOf } from '../core/message-of.js';
import { escapeTerminal, type CrawlEvent, type ItemEvent, type SkipEvent } from '../index.js';
import { csvRow } from '../items/csv-row.js';
import type { FormatName } from './define-command.js';
import { withoutUserInfo } from './mask-secrets.js';
import { PAGE_FIELDS } from './page-fields.js';
import type {
  CliPage,
  CliRecord,
  FailureRecord,
  ItemRecord,
  PageFieldName,
  PageRecord,
  SkipRecord,
} from './records.js';

/** Options of {@link eventToLine}. */
export interface EventToLineOptions {
  readonly format: FormatName;
  /** Fields of page records; all if left out. */
  readonly fields?: readonly PageFieldName[] | undefined;
  /** Whether items are written instead of pages. */
  readonly items?: boolean;
  /** Columns of items in CSV. Default: the fields of the first one. */
  readonly columns?: readonly string[] | undefined;
  /** Whether texts are written so that spreadsheets run none of them. */
  readonly csvSafe?: boolean;
  /** Told of what cannot be written, or has no place in the format. */
  readonly warn?: (text: string) => void;
  /** Whether URLs that were not asked for are written, too. */
  readonly skips: boolean;
  /** Whether a terminal shows the line, and could take parts of it for an order. */
  readonly terminal: boolean;
  /** Hides secrets in messages. */
  readonly mask: (text: string) => string;
}

/**
 * Makes a function that gives the line of data for an event, without its line feed, or
 * `undefined` for an event that is no data.
 *
 * A page that cannot be written, for whatever reason, becomes a `failure` record: one bad page
 * never takes the output of the others with it.
 */
export function eventToLine(
  options: EventToLineOptions,
): (event: CrawlEvent<unknown, CliPage>) => string | undefined {
  const { format, terminal } = options;
  const names = options.fields ?? (Object.keys(PAGE_FIELDS) as PageFieldName[]);
  const safe = terminal ? escapeTerminal : (line: string) => line;

  const asUrl = (event: CrawlEvent<unknown, CliPage>): string | undefined =>
    event.type === 'page' ? safe(withoutUserInfo(event.page.url)) : undefined;

  const asJson = (event: CrawlEvent<unknown, CliPage>): string | undefined => {
    try {
      const record = toRecord(event, names, options);
      return record && safe(JSON.stringify(record));
    } catch (error) {
      const failure = unwritable(event, error, options);
      options.warn?.(`${failure.url}: ${failure.message}`);
      return safe(JSON.stringify(failure));
    }
  };

  switch (format) {
    case 'urls':
      return asUrl;
    case 'csv':
      return asCsv(names, options, safe);
    default:
      return asJson;
  }
}

/** The line before the first event: the names of the columns of CSV, where they are known. */
export function headLine(options: EventToLineOptions): string | undefined {
  const { format, items = false, columns, fields, csvSafe = false, terminal } = options;
  const names = items ? columns : (fields ?? Object.keys(PAGE_FIELDS));
  if (format !== 'csv' || names === undefined) return undefined;
  return csvLines([names], csvSafe, terminal ? escapeTerminal : (line) => line, terminal);
}

function toRecord(
  event: CrawlEvent<unknown, CliPage>,
  names: readonly PageFieldName[],
  { items = false, skips, mask }: EventToLineOptions,
): CliRecord | undefined {
  switch (event.type) {
    case 'page': {
      if (event.page.file !== undefined) {
        return { type: 'file', ...event.page.file, url: withoutUserInfo(event.page.url) };
      }
      if (items) return undefined;
      const record: { -readonly [N in keyof PageRecord]?: unknown } = { type: 'page' };
      for (const name of names) record[name] = PAGE_FIELDS[name].read(event);
      return record as CliRecord;
    }
    case 'item':
      return items ? itemRecord(event) : undefined;
    case 'failure':
      return {
        type: 'failure',
        url: withoutUserInfo(event.request.url),
        code: event.error.code,
        message: mask(event.error.message),
        attempts: event.attempts,
        referrer: orNull(event.request.referrer),
      };
    case 'skip':
      return skips ? skipRecord(event, mask) : undefined;
    default:
      return undefined;
  }
}

/**
 * An object's fields stand beside `type` and `url`, unless one of them is a `type` of its own;
 * that and all other values are `item`.
 */
function itemRecord({ request, item }: ItemEvent<unknown>): ItemRecord {
  const record = { type: 'item', url: withoutUserInfo(request.url) } as const;
  const isPlain =
    typeof item === 'object' && item !== null && !Array.isArray(item) && !('toJSON' in item);
  if (!isPlain || Object.hasOwn(item, 'type')) return { ...record, item: inJson(item) };
  const { url = record.url } = item as { readonly url?: unknown };
  return { ...record, ...item, url: typeof url === 'string' ? withoutUserInfo(url) : record.url };
}

/** What JSON has no form for would be left out without a word. */
function inJson(item: unknown): unknown {
  if (typeof item !== 'function' && typeof item !== 'symbol') return item;
  throw new TypeError(`the item is ${show(item)}`);
}

/** Rows of one kind of record; before the first one the names of the columns, if nobody knew them. */
function asCsv(
  names: readonly PageFieldName[],
  { items = false, columns, csvSafe = false, warn, mask, ...options }: EventToLineOptions,
  safe: (line: string) => string,
): (event: CrawlEvent<unknown, CliPage>) => string | undefined {
  let head = items ? columns : names;
  let leavesOut = false;
  const tellOfOthers = (fields: ReadonlyMap<string, unknown>, head: readonly string[]): void => {
    const other = [...fields.keys()].find((name) => name !== 'type' && !head.includes(name));
    if (leavesOut || other === undefined) return;
    leavesOut = true;
    warn?.(
      `the first item names the columns: ${head.join(', ')}; other fields are left out, such as ${other}`,
    );
  };
  return (event) => {
    if (event.type !== (items ? 'item' : 'page')) return undefined;
    try {
      const fields: object = toRecord(event, names, { ...options, items, mask }) ?? {};
      const record = new Map<string, unknown>(Object.entries(fields));
      const fresh = head === undefined;
      head ??= [...record.keys()].filter((name) => name !== 'type');
      if (items) tellOfOthers(record, head);
      const values = head.map((name) => record.get(name));
      return csvLines(fresh ? [head, values] : [values], csvSafe, safe, options.terminal);
    } catch (error) {
      const { url, message } = unwritable(event, error, { ...options, mask });
      warn?.(`${url}: ${message}`);
      return undefined;
    }
  };
}

/** Whoever writes them adds the last line feed. The line ends are ours, those in a value are not. */
function csvLines(
  rows: readonly (readonly unknown[])[],
  csvSafe: boolean,
  safe: (line: string) => string,
  terminal: boolean,
): string {
  const end = terminal ? '' : '\r';
  return rows.map((row) => safe(csvRow(row, csvSafe).slice(0, -2)) + end).join('\n');
}

function skipRecord(
  { url, reason, detail, referrer }: SkipEvent,
  mask: (text: string) => string,
): SkipRecord {
  return {
    type: 'skip',
    url: withoutUserInfo(url),
    reason,
    detail: detail === undefined ? null : mask(detail),
    referrer: orNull(referrer),
  };
}

function unwritable(
  event: CrawlEvent<unknown, CliPage>,
  error: unknown,
  { mask }: EventToLineOptions,
): FailureRecord {
  const request = 'request' in event ? event.request : undefined;
  return {
    type: 'failure',
    url: withoutUserInfo(request?.url ?? ''),
    code: 'sink-failed',
    message: mask(`cannot be written: ${messageOf(error)}`),
    attempts: 'attempt' in event ? event.attempt : 0,
    referrer: orNull(request?.referrer),
  };
}

function orNull(url: string | undefined): string | null {
  return url === undefined ? null : withoutUserInfo(url);
}
