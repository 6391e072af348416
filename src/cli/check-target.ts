import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OutputError } from './output-error.js';
import type { OutputFile } from './parse-options.js';
import { UsageError } from './usage-error.js';

/**
 * Checks before the crawl a file that is written, or gets its name, after it.
 *
 * @param subject - the option, for messages
 * @param remedy - the options that allow a file that exists
 * @throws UsageError if it is a folder, or exists and is neither to be replaced nor to be added to
 * @throws OutputError if it, or its folder, cannot be written to
 */
export async function checkTarget(
  { path, existing }: OutputFile,
  subject: string,
  remedy: string,
): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) {
    throw new UsageError(subject, 'the path of a file, not of a folder', path);
  }
  if (found !== undefined && existing === 'refuse') {
    throw new UsageError(subject, `a file that does not exist yet, or ${remedy} beside it`, path);
  }
  try {
    // The dot: whatever is no folder has none.
    await access(found === undefined ? `${dirname(path)}/.` : path, constants.W_OK);
  } catch (error) {
    throw new OutputError(path, error);
  }
}
