import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { download, request, undiciFetcher } from '../../src/index.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const MB = 1_000_000;
/** `DOWNLOAD_TEST_MB=5000` for a longer one. */
const SIZE = Number(process.env['DOWNLOAD_TEST_MB'] ?? 300) * MB;
const dir = scratchFolder();

/** Sends so many zeros as its path says, from a thread of its own: only the reader is measured. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const part = Buffer.alloc(1e6);
  createServer((req, res) => {
    let left = Number(req.url.slice(1));
    res.setHeader('content-length', left);
    const send = () => {
      while (left > 0) {
        left -= part.length;
        if (!res.write(part)) return void res.once('drain', send);
      }
      res.end();
    };
    send();
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

it('streams a file of any size in little memory', { timeout: 120_000 }, async () => {
  const server = new Worker(SERVER, { eval: true });
  const [port] = (await once(server, 'message')) as [number];
  const fetch = download({ dir })(undiciFetcher());
  const get = (bytes: number) =>
    lastValueFrom(fetch(request(`http://127.0.0.1:${port}/${bytes}`, { label: 'file' })));
  try {
    // What the garbage collector lets pile up is there after the first file already.
    await get(100 * MB);
    const start = process.memoryUsage.rss();
    let most = start;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 2);
    const { file } = await get(SIZE);
    clearInterval(timer);
    expect(file?.bytes).toBe(SIZE);
    if (file) rmSync(file.path);
    expect(most - start).toBeLessThan(32 * MB);
  } finally {
    await server.terminate();
  }
});
