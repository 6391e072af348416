import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/fetch/make-folder.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const folder = scratchFolder();

describe('makeFolder', () => {
  it('makes a folder and those above it, or leaves what is there', async () => {
    const path = join(folder, 'a/b/c');
    await makeFolder(path, 0o700);
    await Promise.all([makeFolder(path), makeFolder(join(path, 'd')), makeFolder(join(path, 'd'))]);
    expect(statSync(join(path, 'd')).isDirectory()).toBe(true);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('takes a link to a folder', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    await makeFolder(join(folder, 'link/x'));
    expect(existsSync(join(folder, 'real/x'))).toBe(true);
  });

  it('refuses what is no folder', async () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'none'), join(folder, 'dangling'));
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file/x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolder(join(folder, 'dangling'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.runIf(existsSync('/proc/self'))('ends where nobody can make a folder', async () => {
    await expect(makeFolder('/proc/none')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(makeFolder('/proc/none/x')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
