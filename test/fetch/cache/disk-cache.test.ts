import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskCache, type StoredResponse } from '../../../src/fetch/index.js';

const KEY = 'https://a.example/../../etc/passwd?q=%00';
const RESPONSE: StoredResponse = {
  status: 200,
  headers: {
    etag: '"é"',
    'x-list': 'a, b',
    __proto__: null,
  } as unknown as StoredResponse['headers'],
  body: Buffer.from('line\nline\u0000ü'),
  at: 5,
  vary: { accept: 'x' },
};

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'rxcrawl-cache-')), 'pages');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const onlyFile = async (): Promise<string> => {
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? '');
};

describe('diskCache', () => {
  it('gives back what was kept, also to another process', async () => {
    await diskCache(folder).set(KEY, RESPONSE);
    const found = await diskCache(folder).get(KEY);
    expect(found).toEqual({ ...RESPONSE, headers: { etag: '"é"', 'x-list': 'a, b' } });
    expect(Buffer.from(found?.body ?? []).equals(RESPONSE.body)).toBe(true);
    expect(await diskCache(folder).get('https://a.example/')).toBeUndefined();
  });

  it('names files by hashes, for their owner alone', async () => {
    await diskCache(folder).set(KEY, RESPONSE);
    const file = await onlyFile();
    expect(file).toMatch(/[/\\][0-9a-f]{64}\.page$/);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (file: string) => Promise<void>]>([
    ['cut', (file) => truncate(file, 250)],
    ['empty', (file) => truncate(file, 0)],
    ['rubbish', (file) => writeFile(file, 'rubbish\n')],
    ['null', (file) => writeFile(file, 'null\n')],
    [
      'changed in its body',
      async (file) => writeFile(file, (await readFile(file, 'utf8')).replace(/line\n/, 'like\n')),
    ],
    [
      'that of another page',
      async (file) =>
        writeFile(file, (await readFile(file, 'utf8')).replace('a.example', 'b.example')),
    ],
    [
      'of another format',
      async (file) => writeFile(file, (await readFile(file, 'utf8')).replace('cache-1', 'cache-0')),
    ],
  ])('takes a file that is %s for none, and replaces it', async (_name, damage) => {
    const store = diskCache(folder);
    await store.set(KEY, RESPONSE);
    await damage(await onlyFile());
    expect(await store.get(KEY)).toBeUndefined();
    await store.set(KEY, RESPONSE);
    expect(await store.get(KEY)).toMatchObject({ status: 200 });
  });

  it('deletes', async () => {
    const store = diskCache(folder);
    await store.delete(KEY);
    await store.set(KEY, RESPONSE);
    await store.delete(KEY);
    expect(await store.get(KEY)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps within its bytes, counting what is there already', async () => {
    const page = { ...RESPONSE, body: Buffer.alloc(1_000) };
    for (const key of ['a', 'b', 'c']) await diskCache(folder).set(key, page);
    const store = diskCache(folder, { maxBytes: 4_000 });
    await store.set('d', page);
    expect((await readdir(folder)).length).toBe(3);
    expect(await store.get('a')).toBeUndefined();
    await store.set('d', { ...page, body: Buffer.alloc(5_000) });
    expect(await store.get('d')).toBeUndefined();
    expect((await readdir(folder)).length).toBe(2);
  });

  it('serves many at once, and leaves no parts behind', async () => {
    const store = diskCache(folder);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        Promise.resolve(store.set(`k${index % 5}`, RESPONSE)),
      ),
    );
    expect((await readdir(folder)).length).toBe(5);
  });

  it('fails where there can be no folder, and tries again', async () => {
    await writeFile(join(folder, '..', 'file'), '');
    const store = diskCache(join(folder, '..', 'file', 'below'));
    await expect(store.set(KEY, RESPONSE)).rejects.toThrow();
    await expect(store.set(KEY, RESPONSE)).rejects.toThrow();
  });

  it.each(['', 'a\0b', undefined, 7])('refuses the folder %j', (path) => {
    expect(() => diskCache(path as string)).toThrow(
      'diskCache: folder: expected the path of a folder',
    );
  });
});
