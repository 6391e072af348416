import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sitemapEntries, type SitemapEntry } from 'rxcrawl';

const PAGE = 'http://a.test/sitemap.xml';
const COUNT = 50_000;

function* document(count = COUNT): Generator<Buffer, void, undefined> {
  yield Buffer.from('<?xml version="1.0"?><urlset>');
  for (let i = 0; i < count; i += 100) {
    let text = '';
    for (let j = i; j < i + 100; j++) text += `<url><loc>http://a.test/p/${j}</loc></url>\n`;
    yield Buffer.from(text);
  }
  yield Buffer.from('</urlset>');
}

async function all(stream: AsyncIterable<SitemapEntry>): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  for await (const entry of stream) entries.push(entry);
  return entries;
}

function* pieces(bytes: Buffer, size = 1000): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('sitemapEntries', () => {
  it('gives the first of 50,000 before the last byte has come', async () => {
    let chunks = 0;
    let ended = false;
    async function* source() {
      for (const chunk of document()) {
        chunks += 1;
        yield chunk;
      }
      ended = true;
    }
    let count = 0;
    let chunksAtFirst = 0;
    const stream = sitemapEntries(source(), { url: PAGE });
    for await (const { url } of stream) {
      if (count === 0) {
        chunksAtFirst = chunks;
        expect(ended).toBe(false);
        expect(url).toBe('http://a.test/p/0');
      }
      count += 1;
    }
    expect(count).toBe(COUNT);
    // The stream between reads a few chunks ahead, not all 502.
    expect(chunksAtFirst).toBeLessThan(50);
    expect(stream).toMatchObject({ kind: 'urlset', truncated: false, warnings: [] });
  });

  it('undoes two layers of gzip as they come', async () => {
    const packed = gzipSync(gzipSync(Buffer.concat([...document(2000)])));
    expect(await all(sitemapEntries(pieces(packed, 7), { url: PAGE }))).toHaveLength(2000);
  });

  it('gives what was whole of cut and of broken gzip', async () => {
    const packed = gzipSync(Buffer.concat([...document(5000)]));
    const cut = sitemapEntries(pieces(packed.subarray(0, packed.length / 2)), { url: PAGE });
    expect((await all(cut)).length).toBeGreaterThan(200);
    expect(cut.truncated).toBe(true);
    expect(cut.warnings).toMatchObject([{ code: 'cut' }]);

    // Without compression the data are blocks that tell their length; that of the third is wrong.
    const bad = gzipSync(Buffer.concat([...document(5000)]), { level: 0 });
    const second = 10 + 5 + bad.readUInt16LE(11);
    const third = second + 5 + bad.readUInt16LE(second + 1);
    bad.writeUInt16LE(0, third + 3);
    const broken = sitemapEntries(pieces(bad), { url: PAGE });
    expect((await all(broken)).length).toBeGreaterThan(200);
    expect(broken.truncated).toBe(true);
    expect(broken.warnings.map(({ code }) => code)).toStrictEqual(['cut', 'gzip']);
  });

  it('unpacks no more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    const stream = sitemapEntries(pieces(bomb), { url: PAGE, maxBytes: 1_000_000 });
    expect(await all(stream)).toHaveLength(0);
    expect(stream.truncated).toBe(true);
    expect(stream.warnings).toMatchObject([{ code: 'too-large' }]);
  });

  it('closes its source when the reader has enough', async () => {
    let closed = false;
    async function* source() {
      try {
        yield* document();
      } finally {
        closed = true;
      }
    }
    for await (const { url } of sitemapEntries(source(), { url: PAGE })) {
      expect(url).toBe('http://a.test/p/0');
      break;
    }
    expect(closed).toBe(true);
  });

  it('hands on an error of its source', async () => {
    async function* source() {
      yield Buffer.from('<urlset>');
      throw new Error('cable cut');
    }
    await expect(all(sitemapEntries(source(), { url: PAGE }))).rejects.toThrow('cable cut');
  });

  it('refuses wrong options at call time', () => {
    expect(() => sitemapEntries([], { url: 'x' })).toThrow(TypeError);
    expect(() => sitemapEntries([], { url: PAGE, maxUrls: -1 })).toThrow(RangeError);
  });
});
