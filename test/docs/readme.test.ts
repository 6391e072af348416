import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as core from 'rxcrawl/core';
import * as testing from 'rxcrawl/testing';
import * as main from 'rxcrawl';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRIES: Readonly<Record<string, object>> = {
  rxcrawl: main,
  'rxcrawl/core': core,
  'rxcrawl/testing': testing,
};

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

describe.each(FILES)('%s', (name) => {
  const text = readFileSync(join(ROOT, name), 'utf8');

  it('links to files that are there', () => {
    const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
    const targets = [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target));
    const dead = targets.filter((target) => !existsSync(join(ROOT, dirname(name), target)));
    expect(dead).toEqual([]);
  });

  it('has code that can be read, and imports what there is', () => {
    for (const code of blocksOf(text)) {
      const { diagnostics = [] } = ts.transpileModule(code, {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
      });
      expect(
        diagnostics.map(({ messageText }) => messageText),
        code,
      ).toEqual([]);
      for (const [, names = '', from = ''] of code.matchAll(/import \{([^}]*)\} from '([^']+)'/g)) {
        const entry = ENTRIES[from];
        if (entry === undefined) continue;
        const values = names
          .split(',')
          .map((each) => each.trim().replace(/ as .*/, ''))
          .filter((each) => each !== '' && !each.startsWith('type '));
        expect(
          values.filter((each) => !(each in entry)),
          code,
        ).toEqual([]);
      }
    }
  });
});

it('the package holds what README links to', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    files: string[];
  };
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const linked = [...readme.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, path = '']) => path);
  expect(linked.length).toBeGreaterThan(10);
  const isPacked = (path: string): boolean =>
    files.includes(path) || files.includes(`${dirname(path)}/*.md`);
  expect(linked.filter((path) => !isPacked(path))).toEqual([]);
});
