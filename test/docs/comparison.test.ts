import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}docs/comparison.md`, 'utf8');

const shown = [
  ...page.matchAll(/\[`(examples\/[^`]+)`\]\(\.\.\/([^)]+)\)\n\n```ts\n(.*?)```\n/gs),
].map(([, name = '', path = '', code = '']) => ({ name, path, code }));

const plain = ['plain', 'plain/support'].flatMap((folder) =>
  readdirSync(`${root}examples/${folder}`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `examples/${folder}/${file}`),
);

describe('docs/comparison.md', () => {
  it('shows each plain program, and the example that it stands beside', () => {
    const twins = plain
      .map((path) => path.replace('plain/', ''))
      .filter((path) => existsSync(root + path));
    expect(twins).toHaveLength(4);
    expect(shown.map(({ name }) => name).sort()).toEqual([...plain, ...twins].sort());
  });

  it.each(shown)('shows $name as it is', ({ name, path, code }) => {
    expect(path).toBe(name);
    expect(code).toBe(readFileSync(root + path, 'utf8'));
  });

  it('counts their lines as the benchmark does', () => {
    const script = `${root}bench/examples.mjs`;
    const counted = cellsOf(
      execFileSync(process.execPath, [script, '--lines'], { encoding: 'utf8' }),
    );
    const written = cellsOf(page);
    expect(counted).toHaveLength(6);
    for (const row of counted.filter(([name]) => name !== '---'))
      expect(written).toContainEqual(row);
  });
});

function cellsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
