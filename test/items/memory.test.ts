import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { childProgram } from '../helpers/child-program.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const start = childProgram(join(import.meta.dirname, 'many-items.child.ts'));
const path = join(scratchFolder(), 'items.jsonl');

it('needs no more memory for 100,000 items than for 20,000', { timeout: 120_000 }, async () => {
  const child = start([path], ['--expose-gc']);
  const { bytes, most, saved } = JSON.parse(await text(child.stdout)) as {
    bytes: [number, number, number];
    most: number;
    saved: number;
  };
  expect(saved).toBe(100_000);
  // Those in the buffer, and what each of the 10 workers holds.
  expect(most).toBeLessThan(50 + 2 * 10 + 5);
  const [first, middle, last] = bytes;
  expect(Math.max(middle, last) - first).toBeLessThan(1_000_000);
  let lines = 0;
  for await (const line of createInterface(createReadStream(path))) {
    expect((JSON.parse(line) as { n: number }).n).toBe((lines += 1));
  }
  expect(lines).toBe(100_000);
});
