import { once } from 'node:events';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lastValueFrom, type MonoTypeOperatorFunction, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toCsv, toJsonLines } from '../../src/items/index.js';
import { childProgram } from '../helpers/child-program.js';
import { scratchFolder } from '../helpers/scratch-folder.js';
import { hostileItem, type HostileItem } from './hostile-item.js';
import { readCsv } from './parse-csv.js';

/** `SINK_TEST_KILLS=100` for more. */
const KILLS = Number(process.env['SINK_TEST_KILLS'] ?? 8);
const folder = scratchFolder();
const start = childProgram(join(import.meta.dirname, 'endless-writer.child.ts'));

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Always the same numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Lets the program write from item `first` on, until the file has grown by some bytes, or was opened. */
async function writeAndKill(
  path: string,
  format: string,
  first: number,
  growth: number,
  delayMs: number,
): Promise<void> {
  const before = sizeOf(path);
  const child = start([path, format, String(first)]);
  const closed = once(child, 'close');
  // A repair makes it shorter first.
  while (sizeOf(path) <= before + growth && child.exitCode === null) await wait(1);
  await wait(delayMs);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await closed;
}

interface Format {
  readonly name: string;
  /** What stands before the first item. */
  readonly head: string;
  /** A record that is not whole, for the last repair. */
  readonly cut: string;
  /** The items of whole records, and the text behind them. */
  readonly read: (text: string) => { readonly items: readonly unknown[]; readonly rest: string };
  /** An item as `read` gives it. */
  readonly expected: (n: number) => unknown;
  readonly append: (path: string) => MonoTypeOperatorFunction<HostileItem>;
}

const FORMATS: readonly Format[] = [
  {
    name: 'jsonl',
    head: '',
    cut: '{"n":1,"te',
    read: (text) => {
      const lines = text.split('\n');
      const rest = lines.pop() ?? '';
      return { items: lines.map((line) => JSON.parse(line) as unknown), rest };
    },
    expected: hostileItem,
    append: (path) => toJsonLines(path, { mode: 'append' }),
  },
  {
    name: 'csv',
    head: 'n,text,long\r\n',
    cut: '1,"two\r\nlines\r\n',
    read: (text) => {
      const { rows, rest } = readCsv(text);
      return { items: rows, rest };
    },
    expected: (n) => Object.values(hostileItem(n)).map(String),
    append: (path) => toCsv(path, { mode: 'append' }),
  },
];

describe.each(FORMATS)('a file of $name', ({ name, head, cut, read, expected, append }) => {
  it('loses at most its last line when its writer is killed, and append repairs it', async () => {
    const path = join(folder, `killed.${name}`);
    const next = random(name.length);
    let kept = head;
    let count = 0;

    /** Nothing before was touched, and behind it is every item once; the rest is one cut line. */
    const check = (): string => {
      const text = readFileSync(path, 'utf8');
      expect(text.startsWith(kept)).toBe(true);
      const { items, rest } = read(text.slice(kept.length));
      expect(items).toEqual(items.map((_, n) => expected(count + n)));
      expect(items.length).toBeGreaterThan(0);
      kept = text.slice(0, text.length - rest.length);
      count += items.length;
      return rest;
    };

    for (let kill = 0; kill < KILLS; kill++) {
      await writeAndKill(path, name, count, Math.floor(next() * 50_000), Math.floor(next() * 5));
      expect(check().length).toBeLessThan(2_000);
    }
    appendFileSync(path, cut);
    await lastValueFrom(of(hostileItem(count)).pipe(append(path)));
    expect(check()).toBe('');
  }, 120_000);
});
