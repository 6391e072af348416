import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../servers/fault-server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let server: FaultServer;

beforeAll(async () => {
  server = await startFaultServer();
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-exit-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(
    join(folder, 'entry.ts'),
    `export { undiciFetcher } from ${JSON.stringify(join(root, 'src/fetch/undici-fetcher.ts'))};
     export { request } from ${JSON.stringify(join(root, 'src/core/request.ts'))};`,
  );
  await build({
    root: folder,
    logLevel: 'silent',
    build: {
      ssr: join(folder, 'entry.ts'),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'fetcher.mjs' } },
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Runs a program in a process of its own; its output and how long it lived after `done`, ms. */
async function run(program: string): Promise<{ output: string; lingered: number }> {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    file,
    `import { request, undiciFetcher } from './fetcher.mjs';
     const fetcher = undiciFetcher();
     const url = (name) => 'http://127.0.0.1:${server.port}/' + name;
     const done = () => console.log('done at', Date.now());
     process.on('exit', () => console.log('exit at', Date.now()));
     ${program}`,
  );
  // Without the flag, a process that lives for less than a second waits until V8 has optimized
  // undici's parser: 0.4 s on a busy machine, whatever the program does.
  const child = spawn(process.execPath, ['--liftoff-only', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  const at = (word: string): number => Number(new RegExp(`${word} at (\\d+)`).exec(output)?.[1]);
  return { output, lingered: at('exit') - at('done') };
}

describe('a process', () => {
  it('ends by itself at once after the last answer, though its connection is kept', async () => {
    const { lingered } = await run(`fetcher(request(url('ok'))).subscribe({ complete: done });`);
    expect(lingered).toBeLessThan(300);
  });

  it('ends by itself at once after unsubscribing', async () => {
    const { output, lingered } = await run(`
      const running = ['silent', 'stall', 'drip-head', 'drip-body'].map((name) =>
        fetcher(request(url(name))).subscribe({ next: console.log, error: console.log }));
      setTimeout(() => { running.forEach((one) => one.unsubscribe()); done(); }, 100);`);
    expect(lingered).toBeLessThan(300);
    expect(output).not.toContain('Error');
  });

  it('lives as long as a fetch is running', async () => {
    const { output } = await run(
      `fetcher(request(url('late?ms=300'))).subscribe((page) => console.log('status', page.status));`,
    );
    expect(output).toContain('status 200');
  });
});
