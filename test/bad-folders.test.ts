import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catchError, from, lastValueFrom, mergeMap, of, toArray } from 'rxjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../src/cli/run-cli.js';
import {
  type BarePage,
  crawl,
  csvSink,
  diskCache,
  download,
  isCrawlError,
  jsonLinesSink,
  request,
  saveFile,
  toCsv,
  toJsonLines,
} from '../src/index.js';
import { fakeSystem } from './cli/fake-system.js';
import { type TestSite, testSite } from './cli/test-site.js';
import { mountedFolder } from './helpers/mounted-folder.js';
import { scratchFolder } from './helpers/scratch-folder.js';
import { readCsv } from './items/parse-csv.js';

const scratch = scratchFolder();
const aFile = join(scratch, 'file');
writeFileSync(aFile, 'mine');
const full = mountedFolder('size=64k');
const readOnly = mountedFolder('ro');

const LONG = Array.from({ length: 90 }, (_, n) => `/long/${n}?${'x'.repeat(500)}`);

/** Has two pages and a file of 200 kB, and a hundred kB of records below `/long`. */
let site: TestSite;
beforeAll(async () => {
  site = await testSite((path, _request, response) => {
    if (path.startsWith('/long')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      const links = path === '/long' ? LONG.map((href) => `<a href="${href}">x</a>`) : [];
      response.end(`<title>${'long "title" '.repeat(300)}</title>${links.join('')}`);
      return undefined;
    }
    if (path !== '/big.png') return path === '/' ? ['/a', '/big.png'] : [];
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(200_000));
    return undefined;
  });
});
afterAll(() => site.close());
afterEach(() => {
  if (full === undefined) return;
  for (const name of readdirSync(full)) rmSync(join(full, name), { recursive: true });
});

/** Leaves no place on the small disk. */
function fill(folder: string): void {
  try {
    writeFileSync(join(folder, 'filler'), Buffer.alloc(1_000_000));
  } catch {
    // It is full when the rest did not fit.
  }
}

const U = 'https://a.example/a.bin';
const page = (bytes: number): BarePage => ({
  request: request(U),
  url: U,
  status: 200,
  headers: {},
  bytes: Buffer.alloc(bytes),
  redirects: [],
});

/** Files below a folder; hidden and temporary ones, too. */
const filesIn = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'filler')
        .map(({ name }) => name)
    : [];

async function problem(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  return isCrawlError(error) ? `${error.code}: ${error.message}` : String(error);
}

/** Everything in the library that writes below a folder, and what it says of a problem. */
const WRITERS: readonly (readonly [string, (dir: string) => Promise<unknown>])[] = [
  ['toJsonLines', (dir) => lastValueFrom(of({ a: 1 }).pipe(toJsonLines(join(dir, 'x.jsonl'))))],
  ['toCsv', (dir) => lastValueFrom(of({ a: 1 }).pipe(toCsv(join(dir, 'x.csv'))))],
  [
    'toCsv with columns',
    (dir) =>
      lastValueFrom(of().pipe(toCsv(join(dir, 'x.csv'), { columns: ['a'] })), { defaultValue: 0 }),
  ],
  ['saveFile', (dir) => lastValueFrom(saveFile({ dir })(page(10)))],
  [
    'download',
    async (dir) => {
      const events = await lastValueFrom(
        crawl({
          decorators: [download({ dir, match: ({ url }) => url.endsWith('.png') })],
          delay: 0,
        })(`${site.origin}/big.png`).pipe(toArray()),
      );
      const failure = events.find((event) => event.type === 'failure');
      if (failure) throw failure.error;
    },
  ],
];

const CLI_WRITERS: readonly (readonly [string, (dir: string) => readonly string[]])[] = [
  ['-o', (dir) => ['-o', join(dir, 'out.jsonl')]],
  ['-o of one list', (dir) => ['--format', 'json', '-o', join(dir, 'out.json')]],
  ['--summary', (dir) => ['--summary', join(dir, 'summary.json')]],
  ['--cookies', (dir) => ['--cookies', join(dir, 'cookies.json')]],
];

async function command(...argv: readonly string[]): Promise<{ code: number; err: string }> {
  const system = fakeSystem();
  const code = await runCli(['-c', '1', '--delay', '0', ...argv, `${site.origin}/`], system);
  return { code, err: system.err() };
}

describe('a folder that is a file', () => {
  it.each(WRITERS)('is no place for %s', async (_name, write) => {
    expect(await problem(() => write(aFile))).toMatch(/^sink-failed: ".*": .*(ENOTDIR|EEXIST)/);
    expect(readFileSync(aFile, 'utf8')).toBe('mine');
  });

  it.each([
    ...CLI_WRITERS,
    ['--cache', (dir: string) => ['--cache', dir]] as const,
    ['--dir', (dir: string) => ['--download', 'a', '--dir', dir]] as const,
  ])('is refused for %s before anything is fetched', async (_name, argv) => {
    const before = site.log.length;
    const { code, err } = await command(...argv(aFile));
    expect(code).toBe(3);
    expect(err).toMatch(/cannot write .*file.*: (ENOTDIR|EEXIST)/);
    expect(site.log).toHaveLength(before);
    expect(readFileSync(aFile, 'utf8')).toBe('mine');
  });

  it('is no place for a cache, and the crawl goes on', async () => {
    await expect(diskCache(aFile).set('k', stored(10))).rejects.toThrow(/EEXIST|ENOTDIR/);
    const events = await lastValueFrom(
      crawl({ cache: { store: diskCache(aFile) }, delay: 0 })(`${site.origin}/a`).pipe(toArray()),
    );
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'warning')).toMatchObject({ code: 'cache-failed' });
  });
});

describe.skipIf(readOnly === undefined)(
  'a folder that is read-only (needs the right to mount)',
  () => {
    const dir = readOnly ?? '';

    it.each(WRITERS)('is no place for %s', async (_name, write) => {
      expect(await problem(() => write(dir))).toMatch(/^sink-failed: ".*": EROFS/);
      expect(filesIn(dir)).toEqual([]);
    });

    it.each([
      ...CLI_WRITERS,
      ['--cache', (folder: string) => ['--cache', folder]] as const,
      ['--dir', (folder: string) => ['--download', 'a', '--dir', folder]] as const,
    ])('is refused for %s before anything is fetched', async (_name, argv) => {
      const before = site.log.length;
      const { code, err } = await command(...argv(dir));
      expect(code).toBe(3);
      expect(err).toMatch(/cannot write .*: EROFS/);
      expect(site.log).toHaveLength(before);
    });
  },
);

const stored = (bytes: number) => ({
  status: 200,
  headers: {},
  body: Buffer.alloc(bytes),
  at: 0,
  vary: {},
});

describe.skipIf(full === undefined)('a disk that is full (needs the right to mount)', () => {
  const dir = full ?? '';

  it.each(WRITERS)('fails %s, and nothing is left', async (name, write) => {
    fill(dir);
    expect(await problem(() => write(dir))).toMatch(/^sink-failed: ".*": ENOSPC/);
    const left = filesIn(dir).map((file) => readFileSync(join(dir, file)).length);
    // A file of records is there, without a record.
    expect(left).toEqual(name.startsWith('to') ? [0] : []);
  });

  it.each([
    ['jsonl', jsonLinesSink<{ n: number; text: string }>],
    ['csv', csvSink<{ n: number; text: string }>],
  ] as const)(
    'keeps whole records of %s, and takes more when there is room again',
    async (name, make) => {
      const path = join(dir, `x.${name}`);
      const sink = make(path);
      const items = Array.from({ length: 100 }, (_, n) => ({ n, text: '"\r\n'.repeat(300) }));
      const results = await lastValueFrom(
        from(items).pipe(
          mergeMap((item) => sink(item).pipe(catchError((error: unknown) => of(error))), 1),
          toArray(),
        ),
      );
      const failed = results.filter(isCrawlError);
      expect(failed.length).toBeGreaterThan(0);
      expect(failed[0]).toMatchObject({
        code: 'sink-failed',
        message: expect.stringContaining('ENOSPC') as string,
      });
      const text = readFileSync(path, 'utf8');
      const whole = items.length - failed.length;
      expect(whole).toBeGreaterThan(5);
      if (name === 'csv') {
        expect(readCsv(text)).toMatchObject({ rest: '' });
        expect(readCsv(text).rows).toHaveLength(whole + 1);
      } else {
        const lines = text.split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(whole);
      }
      await lastValueFrom(sink.close(), { defaultValue: undefined });
    },
  );

  it('fails a file that does not fit, and nothing is left', async () => {
    expect(await problem(() => WRITERS[4]![1](dir))).toMatch(/^sink-failed: ".*": ENOSPC/);
    expect(await problem(() => lastValueFrom(saveFile({ dir })(page(200_000))))).toMatch(/ENOSPC/);
    expect(filesIn(dir)).toEqual([]);
  });

  it('is a warning of the cache, and nothing half-written is left', async () => {
    const store = diskCache(join(dir, 'cache'));
    await store.set('small', stored(100));
    await expect(store.set('large', stored(200_000))).rejects.toThrow('ENOSPC');
    expect(filesIn(dir)).toHaveLength(1);
    expect(await store.get('small')).toBeDefined();
    expect(await store.get('large')).toBeUndefined();
  });

  it.each(CLI_WRITERS)(
    'ends the command with %s, and nothing half-written is left',
    async (_name, argv) => {
      fill(dir);
      const { code, err } = await command(...argv(dir));
      expect(code).toBe(3);
      expect(err).toMatch(/cannot write .*: .*(ENOSPC|no space)/);
      expect(
        filesIn(dir)
          .map((file) => readFileSync(join(dir, file), 'utf8'))
          .join(''),
      ).toBe('');
    },
  );

  it.each(['jsonl', 'csv'])('ends the command, behind a whole record of %s', async (format) => {
    const path = join(dir, 'out');
    const system = fakeSystem();
    const argv = ['--delay', '0', '--format', format, '-o', path, `${site.origin}/long`];
    expect(await runCli(argv, system), system.err()).toBe(3);
    expect(system.err()).toMatch(/cannot write .*out: ENOSPC/);
    const text = readFileSync(path, 'utf8');
    expect(text.length).toBeGreaterThan(20_000);
    if (format === 'csv') expect(readCsv(text).rest).toBe('');
    else for (const line of text.split('\n').slice(0, -1)) JSON.parse(line);
    expect(text.endsWith('\n')).toBe(true);
  });
});
