import { stat } from 'node:fs/promises';

/**
 * Whether a file that is whole may take this name. Not that of a device or a pipe, such as
 * `/dev/null`, which would be gone then: it is written to as it is.
 */
export async function isReplaceable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile();
}
