import { writeFile } from 'node:fs/promises';
import { OutputError } from './output-error.js';
import type { OutputFile } from './parse-options.js';
import type { SummaryRecord } from './summary.js';

const FLAGS = { refuse: 'wx', replace: 'w', append: 'a' } as const;

/** Writes the summary: one line of JSON. */
export async function writeSummary(
  { path, existing }: OutputFile,
  summary: SummaryRecord,
): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(summary)}\n`, { flag: FLAGS[existing] });
  } catch (error) {
    throw new OutputError(path, error);
  }
}
