import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutput } from '../../src/cli/open-output.js';
import { OutputError } from '../../src/cli/output-error.js';
import type { OutputFile } from '../../src/cli/parse-options.js';
import { UsageError } from '../../src/cli/usage-error.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-output-'));
  path = join(folder, 'out.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(text: string, existing: OutputFile['existing']): Promise<string> {
  const stream = await openOutput({ path, existing }, 'option -o, --output');
  await new Promise<void>((resolve) => {
    stream.end(text, resolve);
  });
  return readFile(path, 'utf8');
}

describe('openOutput', () => {
  it('makes a new file, whatever is to be done with an existing one', async () => {
    for (const existing of ['refuse', 'replace', 'append'] as const) {
      expect(await write('new\n', existing)).toBe('new\n');
      await rm(path);
    }
  });

  it('refuses a file that exists, and leaves it alone', async () => {
    await writeFile(path, 'precious\n');
    const opening = openOutput({ path, existing: 'refuse' }, 'option -o, --output');
    await expect(opening).rejects.toThrow(UsageError);
    await expect(opening).rejects.toThrow(/-o, --output: expected a file that does not exist yet/);
    expect(await readFile(path, 'utf8')).toBe('precious\n');
  });

  it('replaces or adds to a file if told', async () => {
    await writeFile(path, 'old\n');
    expect(await write('new\n', 'append')).toBe('old\nnew\n');
    expect(await write('newest\n', 'replace')).toBe('newest\n');
  });

  it('removes a record that was cut off before it adds', async () => {
    const whole = `{"type":"page","title":"${'x'.repeat(70_000)}"}\n`;
    for (let cut = 1; cut < 40; cut++) {
      await writeFile(path, whole + whole.slice(0, cut));
      const text = await write('{"type":"page"}\n', 'append');
      expect(text.endsWith('\n{"type":"page"}\n')).toBe(true);
      if (cut >= 8) expect(text).toBe(`${whole}{"type":"page"}\n`);
    }
    await writeFile(path, whole.slice(0, -2));
    expect(await write('{"type":"page"}\n', 'append')).toBe('{"type":"page"}\n');
  });

  it('ends a last line of other text before it adds', async () => {
    await writeFile(path, 'https://a.example/\nhttps://b.example/');
    expect(await write('https://c.example/\n', 'append')).toBe(
      'https://a.example/\nhttps://b.example/\nhttps://c.example/\n',
    );
  });

  it('tells why a file cannot be written', async () => {
    path = join(folder, 'missing', 'out.jsonl');
    const opening = openOutput({ path, existing: 'refuse' }, 'option -o, --output');
    await expect(opening).rejects.toThrow(OutputError);
    await expect(opening).rejects.toThrow(/cannot write .*missing.*ENOENT/);
  });
});
