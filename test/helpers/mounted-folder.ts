import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * A folder that is a file system of its own, gone after the test file, or `undefined` where the
 * tests may not make one. For what no folder does by itself when the tests run as `root`.
 *
 * @param options - of `mount`: `size=64k` for one that is soon full, `ro` for one that cannot be
 *   written to
 */
export function mountedFolder(options: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rxcrawl-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  afterAll(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}
