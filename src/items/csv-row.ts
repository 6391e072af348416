import { CrawlError } from '../core/index.js';

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
/** Where some spreadsheets begin a new cell, which may then be a formula. */
const OTHER_SEPARATOR = /[;\t]/;
/** What spreadsheets take for the begin of a formula, also behind blanks and what nobody sees. */
const FORMULA =
  /^[\s\p{Cc}\p{DI}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]|^[\t\r\n]/u;

/**
 * A row of CSV (RFC 4180) with its line end.
 *
 * @param spreadsheetSafe - whether texts that a spreadsheet would run as a formula get an
 * apostrophe
 * @throws CrawlError `sink-failed` for a value that has no form in text
 */
export function csvRow(values: readonly unknown[], spreadsheetSafe: boolean): string {
  const row = values.map((value) => cellOf(value, spreadsheetSafe)).join(',');
  // An empty line would be no row at all.
  return `${row === '' ? '""' : row}\r\n`;
}

function cellOf(value: unknown, spreadsheetSafe: boolean): string {
  let text = textOf(value);
  // A number is a number, also below zero.
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (spreadsheetSafe && !isNumber && FORMULA.test(text)) text = `'${text}`;
  const isQuoted = NEEDS_QUOTES.test(text) || (spreadsheetSafe && OTHER_SEPARATOR.test(text));
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return '';
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return '';
      // One that is no date is null in JSON, and nothing here.
      if (value instanceof Date) return Number.isNaN(Number(value)) ? '' : value.toISOString();
      try {
        const json: unknown = JSON.stringify(value);
        // Nothing where `toJSON` gives nothing.
        return typeof json === 'string' ? json : '';
      } catch (cause) {
        throw new CrawlError('sink-failed', 'a value of the item has no form in JSON', { cause });
      }
    default:
      throw new CrawlError('sink-failed', `a value of the item is a ${typeof value}`);
  }
}
