import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isReplaceable } from '../../src/cli/is-replaceable.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const folder = scratchFolder();

it.skipIf(process.platform === 'win32')('lets files take the place of files alone', async () => {
  writeFileSync(join(folder, 'file'), '');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(await isReplaceable(join(folder, 'file'))).toBe(true);
  expect(await isReplaceable(join(folder, 'none'))).toBe(true);
  expect(await isReplaceable(join(folder, 'pipe'))).toBe(false);
  expect(await isReplaceable('/dev/null')).toBe(false);
});
