import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rows = readFileSync(`${root}docs/coverage.md`, 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]-\d\d /.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, id, , here, tests]) => ({ id, here: here ?? '', tests: tests ?? '' }));

describe('docs/coverage.md', () => {
  it('has each row once', () => {
    const counts = { G: 97, Z: 22, R: 18, C: 23, P: 21 };
    const expected = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from(
        { length: count },
        (_, index) => `${letter}-${String(index + 1).padStart(2, '0')}`,
      ),
    );
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it.each(rows)('$id names a test that exists, or why there is none', ({ here, tests }) => {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => `test/${name}`);
    if (files.length === 0) expect(here).toMatch(/_Left out_|performance|bench/);
    for (const file of files) {
      const found = [file, `${file}.test.ts`].some((path) => existsSync(root + path));
      expect(found, file).toBe(true);
    }
  });
});
