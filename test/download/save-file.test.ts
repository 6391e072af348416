import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { request, type BarePage } from '../../src/core/index.js';
import { filePathOf, saveFile, type SaveFileOptions } from '../../src/download/index.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const scratch = scratchFolder();
let folders = 0;
const newDir = () => join(scratch, String(folders++));
const U = 'https://a.example/docs/a.bin';

function page(body: string, url = U): BarePage {
  return {
    request: request(url),
    url,
    status: 200,
    headers: { 'content-type': 'application/pdf' },
    bytes: Buffer.from(body),
    redirects: [],
  };
}

const save = (options: SaveFileOptions, body = 'abc', url = U) =>
  lastValueFrom(saveFile(options)(page(body, url)));
const named = (name: string) => ({ name: () => name });
/** All files below a folder, relative. */
const filesIn = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));

describe('saveFile', () => {
  it('writes the body under a name by its URL, and says what it wrote', async () => {
    const dir = newDir();
    const saved = await save({ dir });
    expect(saved).toEqual({
      url: U,
      path: join(dir, filePathOf(U)),
      bytes: 3,
      contentType: 'application/pdf',
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    expect(readFileSync(saved.path, 'utf8')).toBe('abc');
    expect(filesIn(dir)).toEqual([filePathOf(U)]);
  });

  it('takes a name of the user', async () => {
    const dir = newDir();
    await save({ dir, ...named('x/y.pdf') });
    expect(filesIn(dir)).toEqual(['x/y.pdf']);
  });

  it('is cold', async () => {
    const dir = newDir();
    const saved$ = saveFile({ dir })(page('abc'));
    expect(existsSync(dir)).toBe(false);
    await lastValueFrom(saved$);
    expect(existsSync(dir)).toBe(true);
  });

  it('replaces nothing unless told so', async () => {
    const dir = newDir();
    const old = { dir, ...named('a') };
    await save(old, 'old');
    await expect(save(old, 'new')).rejects.toMatchObject({
      code: 'sink-failed',
      message: expect.stringContaining('the file exists') as string,
    });
    await save({ ...old, exists: 'keep' }, 'new');
    expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('old');
    await save({ ...old, exists: 'overwrite' }, 'new');
    expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('new');
    expect(filesIn(dir)).toEqual(['a']);
  });

  it('lets one of many that save under one name at once win', async () => {
    const dir = newDir();
    const bodies = ['one', 'two', 'three'];
    const results = await Promise.allSettled(
      bodies.map((body) => save({ dir, ...named('a') }, body)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(bodies).toContain(readFileSync(join(dir, 'a'), 'utf8'));
    expect(filesIn(dir)).toEqual(['a']);
  });

  it.each(['../x', '/etc/x', 'a/../../x', '..', ''])('refuses the name %j', async (name) => {
    const dir = newDir();
    await expect(save({ dir, ...named(name) })).rejects.toThrow('the name leads out of the folder');
    expect(existsSync(dir)).toBe(false);
  });

  it.each([undefined, null, 5, {}, Promise.resolve('a'), 'a\0b', 'a/'.repeat(3_000)])(
    'refuses what can be no name: %j',
    async (name) => {
      const dir = newDir();
      await expect(save({ dir, name: () => name as never })).rejects.toMatchObject({
        code: 'sink-failed',
        message: expect.stringContaining('expected') as string,
      });
      expect(existsSync(dir)).toBe(false);
    },
  );

  it('makes no folder for a file of it that is in the way', async () => {
    const dir = newDir();
    writeFileSync(dir, '');
    await expect(save({ dir, ...named('a') })).rejects.toMatchObject({ code: 'sink-failed' });
  });

  it('follows no link out of the folder', async () => {
    const dir = newDir();
    const outside = newDir();
    mkdirSync(dir);
    mkdirSync(outside);
    symlinkSync(outside, join(dir, 'a'));
    await expect(save({ dir, ...named('a/x') })).rejects.toThrow(
      `${JSON.stringify(join(dir, 'a'))}: the link leads out of the folder`,
    );
    await expect(save({ dir, ...named('a/b/x') })).rejects.toThrow('the link leads out');
    expect(readdirSync(outside)).toEqual([]);

    writeFileSync(join(outside, 'target'), 'mine');
    symlinkSync(join(outside, 'target'), join(dir, 'file'));
    await expect(save({ dir, ...named('file') })).rejects.toThrow('the file exists');
    await save({ dir, ...named('file'), exists: 'overwrite' });
    expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('mine');
    expect(lstatSync(join(dir, 'file')).isSymbolicLink()).toBe(false);
  });

  it('follows links that stay inside, and a folder that is one itself', async () => {
    const real = newDir();
    const dir = newDir();
    mkdirSync(join(real, 'b'), { recursive: true });
    symlinkSync(real, dir);
    symlinkSync('b', join(real, 'a'));
    await save({ dir, ...named('a/x') });
    expect(readFileSync(join(real, 'b', 'x'), 'utf8')).toBe('abc');
  });

  it('fails one file alone, and leaves nothing behind', async () => {
    const dir = newDir();
    await save({ dir, ...named('a') });
    const fails = async (name: string, code: string) =>
      expect(save({ dir, ...named(name) })).rejects.toMatchObject({
        code: 'sink-failed',
        message: expect.stringContaining(code) as string,
      });
    await fails('x'.repeat(300), 'ENAMETOOLONG');
    await fails('a/x', 'ENOTDIR');
    expect(filesIn(dir)).toEqual(['a']);
    await expect(save({ dir: join(dir, 'a') })).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  it.skipIf(process.getuid?.() === 0)('says that a folder cannot be written to', async () => {
    const dir = newDir();
    mkdirSync(dir);
    chmodSync(dir, 0o500);
    await expect(save({ dir })).rejects.toThrow('EACCES');
  });

  it('refuses wrong options', () => {
    expect(() => saveFile({ dir: '' })).toThrow('saveFile: dir: expected a path');
    expect(() => saveFile({ dir: 'a\0b' })).toThrow('saveFile: dir: expected a path');
    expect(() => saveFile({ dir: 'x', name: 'y' as never })).toThrow('saveFile: name: expected');
    expect(() => saveFile({ dir: 'x', exists: 'y' as never })).toThrow(
      'saveFile: exists: expected',
    );
    expect(() => saveFile({ dir: 'x', mode: 1 } as never)).toThrow('unknown option "mode"');
  });
});
