/** What a text of CSV holds. */
export interface ParsedCsv {
  readonly rows: readonly (readonly string[])[];
  /** Characters behind the last whole row. */
  readonly rest: string;
}

/**
 * Reads CSV as strictly as RFC 4180 has it, up to the first row that is not whole.
 *
 * @throws Error where a row that has an end is none
 */
export function readCsv(csv: string): ParsedCsv {
  const rows: string[][] = [];
  let row: string[] = [];
  let whole = 0;
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cell.exec(csv); match; match = cell.exec(csv)) {
    row.push((match[1] ?? match[2] ?? '').replaceAll('""', '"'));
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
    whole = cell.lastIndex;
  }
  return { rows, rest: csv.slice(whole) };
}

/** The rows of a text of CSV that has nothing else in it. */
export function parseCsv(csv: string): readonly (readonly string[])[] {
  const { rows, rest } = readCsv(csv);
  if (rest === '') return rows;
  throw new Error(`no row: ${JSON.stringify(rest.slice(0, 40))}`);
}
