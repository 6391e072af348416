import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalUrl, type UrlPolicy } from 'rxcrawl';

const text = readFileSync(new URL('../../docs/urls.md', import.meta.url), 'utf8');

/** Rows `option | from | to` of the table of options. */
const ROWS = text
  .split('\n')
  .map((line) => /^\| `(\w+)(?:: (.+?))?`\s*\| `([^`]+)`\s*\| (?:`([^`]+)`|unchanged)/.exec(line))
  .filter((row) => row !== null)
  .map(([, option = '', value, from = '', to]) => ({ option, value, from, to: to ?? from }))
  .filter(({ from }) => from.startsWith('/') || from.startsWith('http'));

function absolute(url: string): string {
  const plain = url.replace('\\|', '|');
  return plain.startsWith('/') ? `http://h.example${plain}` : plain;
}

describe('docs/urls.md', () => {
  it.each(ROWS)('$option $value: $from is $to', ({ option, value, from, to }) => {
    const setting: unknown = value === undefined ? true : JSON.parse(value.replaceAll("'", '"'));
    const policy: UrlPolicy = { [option]: setting };
    expect(canonicalUrl(absolute(from), policy)).toBe(absolute(to));
  });

  it('has a row for each option', () => {
    expect(new Set(ROWS.map(({ option }) => option)).size).toBe(23);
  });
});
