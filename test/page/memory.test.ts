import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { createPage, decodeText, type Page } from '../../src/page/index.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const PAGES = 60;
const SIZE = 200_000;

/** A page with all that texts can be cut from. */
function pageOf(n: number, kind: string, size = SIZE): Page {
  const name = `number-${n}-with-a-name-that-is-longer-than-thirteen-characters`;
  const html = `<!doctype html><html lang="en-${name}"><head><title>Title of ${name}</title>
    <meta name=description content="Description of ${name}"><meta property="og:${name}" content="Value of ${name}">
    <meta name=robots content="noindex, ${name}"><base href="/base-of/${name}/">
    <script type="application/ld+json">{"url":"/json/${name}","${name}":"${name}"}</script>
    <link rel="canonical" href="/canonical/${name}"></head><body>
    <a href="/rooted/${name}" rel="nofollow ${name}" hreflang="xx-${name}" type="text/${name}">Text of ${name}</a>
    <a href="relative/${name}">x</a><a href="../up/${name}">x</a><a href="https://a.example/absolute/${name}">x</a>
    <a href="https://other.example/absolute/${name}">x</a><a href="#fragment-${name}">x</a><a href="?query=${name}">x</a>
    <a href="/refer&amp;ence/${name}">x</a><a href="/sp ace/${name}">x</a><a href="scheme-of-${name}:x">x</a>
    <img alt="Picture of ${name}" src="/image/${name}" srcset="/one/${name} 1x, /two/${name} 2x">
    <p style="background:url(/css/${name})">${kind === 'two-byte' ? '日本' : ''}${'x'.repeat(size)}`;
  const url = `https://a.example/${n}`;
  return createPage(
    {
      url,
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.from(html),
      redirects: [],
      wireBytes: 1,
    },
    request(url),
    { kinds: ['all'] },
  );
}

/** Bytes of heap and of what hangs on it. */
function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** MB of memory that are held by what `keep` returns for each page. */
function heldBy(kind: string, keep: (page: Page) => unknown): number {
  const kept: unknown[] = [];
  // First enough pages for the code to be compiled, as it then works in another way.
  for (let n = 0; n < 100; n += 1) keep(pageOf(n, kind, 0));
  collectGarbage();
  const before = used();
  for (let n = 0; n < PAGES; n += 1) kept.push(keep(pageOf(n, kind)));
  collectGarbage();
  const held = (used() - before) / 1e6;
  expect(kept).toHaveLength(PAGES);
  return held;
}

describe.each(['one-byte', 'two-byte'])(
  'what is kept of a page does not keep the page: %s',
  (kind) => {
    it.each<[string, (page: Page) => unknown]>([
      ['title', (page) => page.title],
      ['links', (page) => [...page.links]],
      ['requests', (page) => page.follow()],
      ['requests by selector', (page) => page.follow('body > a')],
      ['meta', (page) => page.meta],
      ['robots', (page) => page.linkScan.robots],
      ['schemes', (page) => [page.linkScan.schemes, page.linkScan.base]],
    ])('%s', { timeout: 60_000 }, (_, keep) => {
      // Kept whole, they are 150 MB.
      expect(heldBy(kind, keep)).toBeLessThan(15);
    });
  },
);

it('a large text lies in the heap, where quick collections reach it', () => {
  const bytes = Buffer.alloc(3_000_000, '<p>text');
  const before = process.memoryUsage().external;
  const { text } = decodeText(bytes, 'text/html');
  expect(process.memoryUsage().external - before).toBeLessThan(300_000);
  expect(text).toHaveLength(3_000_000);
});
