import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

const rows = read('docs/coverage.md')
  .split('\n')
  .filter((line) => /^\| [A-Z]-\d\d /.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, id = '', , here = '', tests = '']) => ({ id, here, tests }));

/**
 * Every name of the public API: the report of the main entry, the options that it takes over
 * from the core, and the entry for tests.
 */
const PUBLIC = new Set(
  ['etc/rxcrawl.api.md', 'src/core/crawl-options.ts', 'src/testing/index.ts', 'package.json']
    .map(read)
    .join('\n')
    .match(/[A-Za-z_$][\w$]*/g),
);
/** What belongs to the language, to rxjs and to the command. */
const OTHERS = new Set(['RangeError', 'expand', 'demo']);

const spansOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
const isLeftOut = ({ here }: { here: string }): boolean => here.includes('_Left out_');

describe('docs/coverage.md', () => {
  it('has each row once', () => {
    const counts = { G: 97, Z: 22, R: 18, C: 23, P: 21, W: 45 };
    const expected = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from(
        { length: count },
        (_, index) => `${letter}-${String(index + 1).padStart(2, '0')}`,
      ),
    );
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it.each(rows)('$id names what exists, or why it is left out', ({ here }) => {
    const spans = spansOf(here);
    if (spans.length === 0) {
      expect(here).toMatch(/_Left out_.*: .+|\]\(\w+\.md\)/);
    }
    for (const span of spans) {
      if (/^(examples|bench|docs)\//.test(span)) {
        expect(existsSync(root + span), span).toBe(true);
        continue;
      }
      const words = span.replaceAll(/'[^']*'/g, '').match(/[A-Za-z_$][\w$]*/g) ?? [];
      const unknown = words.filter((word) => !PUBLIC.has(word) && !OTHERS.has(word));
      expect(unknown, span).toEqual([]);
    }
  });

  it.each(rows)('$id names a test that exists, if there is something to test', (row) => {
    const files = spansOf(row.tests).map((name) => `test/${name}`);
    if (files.length === 0) expect(isLeftOut(row) || row.here.includes('.md)')).toBe(true);
    for (const file of files) {
      const found = [file, `${file}.test.ts`].some((path) => existsSync(root + path));
      expect(found, file).toBe(true);
    }
  });

  it('leads to pages that exist', () => {
    for (const [, page] of read('docs/coverage.md').matchAll(/\]\(([\w-]+\.md)/g)) {
      expect(existsSync(`${root}docs/${page}`), page).toBe(true);
    }
  });
});
