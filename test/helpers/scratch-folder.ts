import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the files of a test file, gone after it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rxcrawl-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
