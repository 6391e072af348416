import { describe, expect, it } from 'vitest';
import { readSeeds } from '../../src/cli/read-seeds.js';

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* parts;
}

async function collect(seeds: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const seed of seeds) all.push(seed);
  return all;
}

describe('readSeeds', () => {
  it('reads one seed a line, without comments and blanks', async () => {
    const text = '\uFEFFhttps://a.example/\r\n\n  # all of it\n\thttps://b.example/#top  # home\nc';
    expect(await collect(readSeeds(chunks(text)))).toEqual([
      'https://a.example/',
      'https://b.example/#top',
      'c',
    ]);
  });

  it('puts lines together again, and characters too', async () => {
    const bytes = Buffer.from('https://ä.example/\r\nhttps://b.example/');
    for (let size = 1; size < bytes.length; size++) {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
      expect(await collect(readSeeds(chunks(...parts)))).toEqual([
        'https://ä.example/',
        'https://b.example/',
      ]);
    }
  });

  it('reads nothing before it is asked, and no further than it must', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        read++;
        yield `https://a.example/${read}\n`;
      }
    }
    const seeds = readSeeds(endless());
    expect(read).toBe(0);
    await seeds.next();
    await seeds.next();
    expect(read).toBe(2);
    await seeds.return();
  });

  it('cuts a line that does not end', async () => {
    async function* long(): AsyncGenerator<string> {
      for (let part = 0; part < 1_000; part++) yield 'x'.repeat(10_000);
    }
    const [seed] = await collect(readSeeds(long()));
    expect(seed?.length).toBe(65_536);
  });
});
