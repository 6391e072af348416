import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childProgram } from '../helpers/child-program.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const MB = 1_000_000;
/** `DOWNLOAD_TEST_MB=5000` for a longer one. */
const SIZE = Number(process.env['DOWNLOAD_TEST_MB'] ?? 300) * MB;
const dir = scratchFolder();

/** Sends so many zeros as its path says; in a thread of this process, the reader has its own. */
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

const start = childProgram(join(import.meta.dirname, 'downloader.child.ts'));

describe('a process that downloads a file', () => {
  let server: Worker;
  let origin: string;

  beforeAll(async () => {
    server = new Worker(SERVER, { eval: true });
    const [port] = (await once(server, 'message')) as [number];
    origin = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.terminate());

  async function growths(...sizes: readonly number[]): Promise<number[]> {
    const child = start([origin, dir, ...sizes.map(String)]);
    return JSON.parse(await text(child.stdout)) as number[];
  }

  it('grows by less than 32 MB, whatever the size', { timeout: 300_000 }, async () => {
    // With the first file comes what V8 lets pile up of the buffers of any socket, some 50 MB.
    const [, growth] = await growths(100 * MB, SIZE);
    expect(growth).toBeLessThan(32 * MB);
  });
});
