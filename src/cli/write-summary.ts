import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OutputError } from './output-error.js';
import type { OutputFile } from './parse-options.js';
import type { SummaryRecord } from './summary.js';
import { UsageError } from './usage-error.js';

const FLAGS = { refuse: 'wx', replace: 'w', append: 'a' } as const;

/**
 * Checks before the crawl what would go wrong after it.
 *
 * @throws UsageError if the file exists and is neither to be replaced nor to be added to
 * @throws OutputError if its folder cannot be written to
 */
export async function checkSummary({ path, existing }: OutputFile): Promise<void> {
  if (existing === 'refuse' && (await exists(path))) {
    throw new UsageError(
      'option --summary',
      'a file that does not exist yet, or --force or --append beside it',
      path,
    );
  }
  try {
    // The dot: whatever is no folder has none.
    await access(`${dirname(path)}/.`, constants.W_OK);
  } catch (error) {
    throw new OutputError(path, error);
  }
}

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

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
