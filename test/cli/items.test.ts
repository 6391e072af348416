import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli } from '../../src/cli/run-cli.js';
import { fakeSystem } from './fake-system.js';
import { type TestPages, type TestSite, testSite } from './test-site.js';

let folder: string;
const sites: TestSite[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-items-'));
});
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
  await rm(folder, { recursive: true });
});
const file = (name: string): string => join(folder, name);

/** A shop: `/` lists two books; one has a title that a spreadsheet would run. */
const HTML: Readonly<Record<string, string>> = {
  '/': '<title>Shop</title><a href="/books/1">One</a> <a href="/books/2">Two</a>',
  '/books/1': '<base href="/img/"><h1> The  "first",\n one </h1><img src="1.png"><b data-x="7">',
  '/books/2': '<h1>=1+2</h1>',
};
const shop: TestPages = (path, _request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(HTML[path] ?? '');
  return undefined;
};
async function shopUrl(): Promise<string> {
  const site = await testSite(shop);
  sites.push(site);
  return `${site.origin}/`;
}

async function run(
  ...argv: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  const system = fakeSystem();
  const code = await runCli(['-c', '1', '--retries', '0', ...argv], system);
  return { code, out: system.out(), err: system.err() };
}

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

describe('--extract', () => {
  const FIELDS = [
    '--extract',
    'title=h1',
    '--extract',
    'image=img@src',
    '--extract',
    'x=[data-x]@data-x',
  ];

  it('makes an item of each page on which something matches', async () => {
    const url = await shopUrl();
    const { code, out } = await run(...FIELDS, url);
    expect(code).toBe(0);
    expect(linesOf(out)).toEqual([
      {
        type: 'item',
        url: `${url}books/1`,
        title: 'The "first", one',
        image: `${url}img/1.png`,
        x: '7',
      },
      { type: 'item', url: `${url}books/2`, title: '=1+2', image: null, x: null },
    ]);
  });

  it('writes rows of CSV with fixed columns', async () => {
    const url = await shopUrl();
    const { out } = await run(...FIELDS, '--format', 'csv', url);
    expect(out).toBe(
      `url,title,image,x\r\n${url}books/1,"The ""first"", one",${url}img/1.png,7\r\n${url}books/2,=1+2,,\r\n`,
    );
    // The names of the columns are there also where nothing matches.
    const none = await run('--extract', 'x=[data-none]', '--format', 'csv', url);
    expect(none.out).toBe('url,x\r\n');
    const safe = await run(...FIELDS, '--format', 'csv', '--csv-safe', url);
    expect(safe.out).toContain(`${url}books/2,'=1+2,,\r\n`);
  });

  it.each([
    ['title', 'option --extract: expected name=selector or name=selector@attribute'],
    ['=h1', 'option --extract: expected name=selector'],
    ['title=', 'option --extract: expected name=selector'],
    ['url=h1', 'option --extract: expected another name than type and url'],
    ['title=h1[', 'option --extract: expected a CSS selector for title (Expected name'],
    ['title=h1:nope', 'for title (Unknown pseudo-class :nope), got "h1:nope"'],
    ['title=h1 >', 'for title (it ends with a combinator), got "h1 >"'],
  ])('refuses %j before anything is fetched', async (field, message) => {
    const { code, out, err } = await run(
      '--extract',
      field,
      '-o',
      file('x'),
      'http://127.0.0.1:1/',
    );
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    [['--extract', 'a=b', '--extract', 'a=c'], 'a name only once, got "a"'],
    [['--extract', 'a=b', '--handler', 'x.js'], 'only one of them'],
    [['--extract', 'a=b', '--format', 'urls'], 'another --format beside it, got "urls"'],
    [['--handler', 'x.js', '--fields', 'url'], 'option --handler: expected no --fields beside it'],
    [['--csv-safe'], '--format csv beside it'],
    [
      ['--append', '-o', 'x', '--summary', 'y', '--format', 'csv'],
      '--format jsonl or urls beside it, got "csv"',
    ],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await run(...argv, 'http://127.0.0.1:1/');
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('--handler', () => {
  it('writes what a module makes of pages, and follows what it says', async () => {
    await writeFile(
      file('shop.mjs'),
      `export default function* (page) {
        yield page.follow('a');
        if (page.matches('/books/*')) yield { title: page.$('h1').text().trim() };
        if (page.matches('/books/2')) { yield 'text'; yield { type: 'own' }; }
      }`,
    );
    const url = await shopUrl();
    const { code, out } = await run('--handler', file('shop.mjs'), url);
    expect(code).toBe(0);
    const book = { type: 'item', url: `${url}books/2` };
    expect(linesOf(out).slice(1)).toEqual([
      { ...book, title: '=1+2' },
      { ...book, item: 'text' },
      { ...book, item: { type: 'own' } },
    ]);
    const csv = await run('--handler', file('shop.mjs'), '--format', 'csv', url);
    expect(csv.out).toMatch(/^url,title\r\n/);
  });

  it('tells of an item that has no form, and goes on', async () => {
    await writeFile(
      file('odd.mjs'),
      'export default () => [{ a: 1n }, { a: Symbol.iterator }, { a: 2 }];',
    );
    const url = await shopUrl();
    const json = await run('--handler', file('odd.mjs'), url);
    expect(linesOf(json.out)).toMatchObject([
      { type: 'failure', code: 'sink-failed' },
      { type: 'item' },
      { type: 'item', a: 2 },
    ]);
    expect(json.err).toContain(`warning ${url}: cannot be written: `);
    const csv = await run('--handler', file('odd.mjs'), '--format', 'csv', url);
    expect(csv.out).toBe(`url,a\r\n${url},1\r\n${url},2\r\n`);
    expect(csv.err).toContain(`warning ${url}: cannot be written: a value of the item is a symbol`);
  });

  it('tells once that CSV has no column for fields that the first item has not', async () => {
    await writeFile(
      file('fields.mjs'),
      'export default () => [{ a: 1 }, { a: 2, b: 3 }, { c: 4 }, 5];',
    );
    const url = await shopUrl();
    const { out, err } = await run('--handler', file('fields.mjs'), '--format', 'csv', url);
    expect(out).toBe(`url,a\r\n${url},1\r\n${url},2\r\n${url},\r\n${url},\r\n`);
    expect(err.match(/^warning .*$/gm)).toEqual([
      'warning the first item names the columns: url, a; other fields are left out, such as b',
    ]);
  });

  it.each([
    ['absent.mjs', undefined, 'a file that exists (ENOENT'],
    ['', undefined, 'a file, not a folder'],
    ['missing.mjs', 'import "./not-there.mjs"; export default () => [];', 'not-there.mjs'],
    ['broken.mjs', 'throw new RangeError("no luck")', '(RangeError: no luck)'],
    ['syntax.mjs', 'export default function (', 'a module that can be loaded ('],
    [
      'named.mjs',
      'export const handle = () => [];',
      'a function (page, context) => …, not undefined',
    ],
    ['null.mjs', 'throw null', '(null)'],
    ['value.mjs', 'export default { handle() {} };', 'a function (page, context) => …, not object'],
  ])('refuses %s', async (name, text, message) => {
    if (text !== undefined) await writeFile(file(name), text);
    const { code, err } = await run('--handler', file(name), 'http://127.0.0.1:1/');
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(JSON.stringify(file(name)));
  });
});

describe('--handler with a module that waits for ever', () => {
  afterEach(() => vi.useRealTimers());

  it('is told after half a minute', async () => {
    await writeFile(file('waits.mjs'), 'await new Promise(() => {}); export default () => [];');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const running = run('--handler', file('waits.mjs'), 'http://127.0.0.1:1/');
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(30_000);
    const { code, err } = await running;
    expect(code).toBe(2);
    expect(err).toContain('a module that can be loaded (Error: not loaded after 30 s)');
  });
});

describe('--format', () => {
  it('writes pages as CSV with the columns of --fields', async () => {
    const url = await shopUrl();
    const { out } = await run('--format', 'csv', '--fields', 'status,url,title', url);
    expect(out).toBe(
      `status,url,title\r\n200,${url},Shop\r\n200,${url}books/1,\r\n200,${url}books/2,\r\n`,
    );
  });

  it.skipIf(process.platform === 'win32')(
    'writes into a pipe, and puts nothing in its place',
    async () => {
      const url = await shopUrl();
      const pipe = file('pipe');
      execFileSync('mkfifo', [pipe]);
      const [text] = await Promise.all([
        readFile(pipe, 'utf8'),
        run('-d', '0', '--format', 'json', '--fields', 'url', '--force', '-o', pipe, url),
      ]);
      expect(JSON.parse(text)).toEqual([{ type: 'page', url }]);
      expect((await stat(pipe)).isFIFO()).toBe(true);
      expect(await readdir(folder)).toEqual(['pipe']);
    },
  );

  it('writes one list of JSON, also an empty one', async () => {
    const url = await shopUrl();
    const { out } = await run('--format', 'json', '--fields', 'url', url);
    expect(JSON.parse(out)).toEqual(
      ['', 'books/1', 'books/2'].map((path) => ({ type: 'page', url: url + path })),
    );
    const none = await run('--format', 'json', '--extract', 'a=nothing-here', url);
    expect(JSON.parse(none.out)).toEqual([]);
  });

  it('writes a list to a file that appears when it is whole', async () => {
    const url = await shopUrl();
    const argv = ['--format', 'json', '--fields', 'url', '-o', file('all.json'), url];
    expect((await run(...argv)).code).toBe(0);
    expect(await readdir(folder)).toEqual(['all.json']);
    expect(JSON.parse(await readFile(file('all.json'), 'utf8'))).toHaveLength(3);
    const again = await run(...argv);
    expect(again.code).toBe(2);
    expect(again.err).toContain('expected a file that does not exist yet, or --force beside it');
    expect((await run('--force', '-d', '0', ...argv)).code).toBe(0);
    expect(JSON.parse(await readFile(file('all.json'), 'utf8'))).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['all.json']);
  });

  it('leaves a whole list when it is interrupted', async () => {
    const system = fakeSystem();
    const site = await testSite((path, _request, response) => {
      if (path === '/2') {
        system.emit('SIGINT');
        system.emit('SIGINT');
        return undefined;
      }
      response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/1"><a href="/2">');
      return undefined;
    });
    sites.push(site);
    const argv = ['-c', '1', '--format', 'json', '-o', file('all.json'), `${site.origin}/`];
    expect(await runCli(argv, system)).toBe(130);
    expect(JSON.parse(await readFile(file('all.json'), 'utf8'))).toMatchObject([
      { type: 'page' },
      { type: 'page' },
      { type: 'failure', code: 'aborted' },
    ]);
    expect(await readdir(folder)).toEqual(['all.json']);
  });
});
