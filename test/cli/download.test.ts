import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run-cli.js';
import { scratchFolder } from '../helpers/scratch-folder.js';
import { buildCommand, type BuiltCommand } from './built-command.js';
import { fakeSystem } from './fake-system.js';
import { type TestSite, testSite } from './test-site.js';

const scratch = scratchFolder();
let command: BuiltCommand;
let site: TestSite;
beforeAll(async () => {
  command = await buildCommand();
  site = await testSite((path, _request, response) => {
    if (path.endsWith('.png') || path.endsWith('.pdf')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(200_000));
      return undefined;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<h1>T</h1><img src=/a.png><a href=/b.pdf>b</a><a href=/page>c</a>');
    return undefined;
  });
}, 60_000);
afterAll(async () => {
  await command.remove();
  await site.close();
});

async function run(
  ...argv: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  const system = fakeSystem();
  const code = await runCli(['-c', '1', '--retries', '0', ...argv], system);
  return { code, out: system.out(), err: system.err() };
}
const recordsOf = (out: string) =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const SELECTOR = 'img,a[href$=.pdf]';

it('saves what links lead to, also on the last pages', async () => {
  const dir = join(scratch, 'files');
  const argv = ['-d', '0', '--download', SELECTOR, '--dir', dir, `${site.origin}/`];
  const { code, out } = await run('--extract', 'h=h1', ...argv);
  expect(code).toBe(0);
  const records = recordsOf(out);
  expect(records.map(({ type, url }) => [type, url])).toEqual([
    ['item', `${site.origin}/`],
    ['file', `${site.origin}/a.png`],
    ['file', `${site.origin}/b.pdf`],
  ]);
  expect(records[1]).toMatchObject({ bytes: 200_000, contentType: 'image/png' });
  expect(readFileSync(String(records[1]?.['path']))).toHaveLength(200_000);
  const again = recordsOf((await run(...argv)).out);
  expect(again.map(({ type }) => type)).toEqual(['page', 'failure', 'failure']);
  const forced = recordsOf((await run('--force', ...argv)).out);
  expect(forced.map(({ type }) => type)).toEqual(['page', 'file', 'file']);
});

it.each([
  [['--download', 'img'], 'option --download: expected --dir beside it'],
  [['--dir', 'x'], 'option --dir: expected --download beside it'],
  [
    ['--download', 'img[', '--dir', 'x'],
    'option --download: expected a CSS selector (Expected name',
  ],
  [['--download', 'img', '--dir', 'x', '--format', 'csv'], '--format jsonl or json beside it'],
])('refuses %j', async (argv, message) => {
  const { code, err } = await run(...argv, `${site.origin}/`);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

it('names a folder that is a file, and fetches nothing', async () => {
  const file = join(scratch, 'file');
  writeFileSync(file, '');
  const { code, err } = await run('--download', 'img', '--dir', file, `${site.origin}/`);
  expect(code).toBe(3);
  expect(err).toContain(`cannot write ${file}`);
});

it.runIf(existsSync('/proc/self'))('names a folder that nobody can make', async () => {
  const { code, err } = await run('--download', 'img', '--dir', '/proc/none/x', `${site.origin}/`);
  expect(code).toBe(3);
  expect(err).toContain('cannot write /proc/none/x: ENOENT');
});

it.skipIf(process.platform === 'win32')(
  'leaves nothing half-written when the disk takes no more',
  async () => {
    const dir = join(scratch, 'full');
    const argv = [command.main, '-d', '0', '--download', 'img', '--dir', dir, `${site.origin}/`];
    // No file of this process may have more than 64 blocks.
    const script = `ulimit -f 64; exec "$0" "$@"`;
    const out = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', script, process.execPath, ...argv], (_error, stdout) =>
        resolve(stdout),
      );
    });
    expect(recordsOf(out)[1]).toMatchObject({
      type: 'failure',
      url: `${site.origin}/a.png`,
      code: 'sink-failed',
    });
    expect(
      readdirSync(dir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()),
    ).toEqual([]);
  },
);
