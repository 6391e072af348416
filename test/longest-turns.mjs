/**
 * Crawls pages that are made to be slow, and prints how long each holds the event loop at most:
 * `{ name: ms }`, in CPU time of this process, the best of some runs. It runs compiled code, since
 * the test runner's own form of a module makes loops several times slower.
 *
 *     node test/longest-turns.mjs dist/index.js
 */
import { Buffer } from 'node:buffer';
import { setImmediate } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { TextEncoder } from 'node:util';
import { of } from 'rxjs';

const { crawl, loadPage } = await import(pathToFileURL(process.argv[2]).href);

const MIB = 1024 * 1024;
/** The longest body that a crawl takes by default. */
const LIMIT = 10 * MIB;
const LONGEST_TURN = 250;

const fill = (piece) => piece.repeat(Math.floor(LIMIT / piece.length) - 1);

/** Parameters of a query. */
const join = (many, parameter) => Array.from({ length: many }, (_, k) => parameter(k)).join('&');

/** As many different pieces as there is room for. */
function count(piece) {
  const pieces = [];
  for (let n = 0, length = 0; length < LIMIT - MIB; n += 1) {
    pieces.push(piece(n));
    length += pieces[n].length;
  }
  return pieces.join('');
}

const RSS = { type: 'application/rss+xml' };
const readMeta = { handle: (page) => (page.meta === undefined ? [page.url] : []) };
const readTexts = { handle: (page) => (page.links.length === -1 ? [page.url] : []) };
/** Reads a document, which may be refused. */
const readDocument = (parser) => ({
  handle: (page) => (page.$ === undefined ? [page.url] : []),
  options: { parse: loadPage({ parser }) },
});
const jsonLd = (text) => `<script type="application/ld+json">${text}</script>`;
const gb18030 = { type: 'text/html; charset=gb18030' };
const iso2022 = { type: 'text/html; charset=iso-2022-jp' };
/** Finds every kind of link, among them what needs a second parser. */
const allKinds = { ...readTexts, options: { parse: loadPage({ kinds: ['all'] }) } };

/** Looks into documents in frames. */
const withSrcdoc = { ...readTexts, options: { parse: loadPage({ srcdoc: true }) } };
const frame = (html) => `<iframe srcdoc="${html}"></iframe>`;

/** Name, page, and what is not as usual. */
const PAGES = [
  ['different links', () => count((n) => `<a href="http://h.test/a/b/${n}.html">some text</a>`)],
  ['one link over and over', () => fill('<a href=/x>x</a>')],
  ['links with long paths', () => count((n) => `<a href="/${'a/b/c/d/'.repeat(30)}${n}">x</a>`)],
  [
    'links with many parameters',
    () => count((n) => `<a href="/x?${join(60, (k) => `param${k}=value${n * k}`)}">x</a>`),
  ],
  [
    'links with parameters of tracking and sessions',
    () =>
      count((n) => `<a href="/x?sid=abcdefgh12345678&${join(60, (k) => `utm_${k}=${n}`)}">x</a>`),
  ],
  ['links upwards', () => count((n) => `<a href="${'../'.repeat(50)}${n}">x</a>`)],
  ['links to many hosts', () => count((n) => `<a href="http://x${n}.y${n}.test/">x</a>`)],
  ['links with international names', () => count((n) => `<a href="http://bü${n}.test/ä">x</a>`)],
  ['nested elements', () => fill('<div>')],
  ['nested templates', () => fill('<template>')],
  ['nothing but <', () => fill('<')],
  ['one tag of many attributes', () => `<a ${count((n) => `a${n}=1 `)}>`],
  ['one attribute', () => `<a href="${'x'.repeat(LIMIT - 20)}">`],
  ['one attribute, not closed', () => `<a href="${fill('<a href=/x>').slice(20)}`],
  ['a comment, not closed', () => `<!--${fill('-- >').slice(20)}`],
  ['entities', () => fill('&notit;')],
  ['text', () => fill('word ')],
  ['options in selects', () => fill('<select><option>')],
  ['zero bytes', () => fill('\0<a\0 href=/\0>')],
  ['a rel of many tokens', () => `<a href=/x rel="${fill('a ').slice(40)}">`],
  ['many rels of many tokens', () => count((n) => `<a href=/${n} rel="${'ab '.repeat(100)}">`)],
  ['references in one href', () => `<a href="${fill('&amp;').slice(40)}">`],
  ['references in many hrefs', () => fill(`<a href="${'&notit;'.repeat(9000)}">`)],
  ['one srcset', () => `<img srcset="${fill('a 1x,').slice(40)}">`],
  ['many srcsets', () => fill(`<img srcset="${'a 1q,'.repeat(10_000)}">`)],
  ['links of 8 KB', () => count((n) => `<a href="/${n}${'x'.repeat(8000)}">`)],
  ['a long base', () => `<base href="/${'a/'.repeat(2000)}">${count((n) => `<a href=${n}>`)}`],
  ['robots metas', () => fill('<meta name=robots content=nofollow>')],
  ['end tags in open SVG', () => `<svg>${'<g>'.repeat(510)}${fill('</x>').slice(2000)}`],
  ['a feed', () => count((n) => `<item><link>/${n}</link></item>`), RSS],
  ['a feed of end tags', () => `<rss>${'<a>'.repeat(500)}${fill('</x>').slice(2000)}`, RSS],
  ['a feed of references', () => `<rss><item><link href="${fill('&amp;').slice(99)}"/>`, RSS],
  ['metadata: no JSON-LD', () => fill(jsonLd('{')), readMeta],
  ['metadata: JSON-LD', () => fill(jsonLd(`[${'{},'.repeat(300_000)}0]`)), readMeta],
  ['metadata: properties', () => fill('<meta property=og:a content=x>'), readMeta],
  ['metadata: nothing but <', () => fill('<'), { ...readMeta, type: 'text/html' }],
  ['metadata: templates', () => fill('<template>'), { ...readMeta, type: 'text/html' }],
  ['metadata: no charset', () => fill('<meta content=x>'), { ...readMeta, type: 'text/html' }],
  ['metadata: no title', () => fill('<a>'), readMeta],
  ['texts of images', () => count((n) => `<a href=/${n}>${'<img>'.repeat(200)}`), readTexts],
  ['texts of blocks', () => count((n) => `<a href=/${n}>${'<p>'.repeat(400)}`), readTexts],
  ['texts of tags', () => count((n) => `<a href=/${n}>${'<i b=c>'.repeat(130)}`), readTexts],
  ['texts in SVG', () => `<svg>${fill('<a href=x><script>')}`, readTexts],
  ['many documents in frames', () => fill(frame('<a href=x>')), withSrcdoc],
  ['texts in frames', () => fill(frame('<a href=x><i b>'.repeat(1200))), withSrcdoc],
  [
    'bases in frames',
    () => fill(frame(`<base href=/${'b/'.repeat(2000)}>${'<a href=x>'.repeat(1500)}`)),
    withSrcdoc,
  ],
  ['GB18030 of four bytes', () => Buffer.alloc(LIMIT, '95328236', 'hex'), gb18030],
  ['GB18030 that is none', () => Buffer.alloc(LIMIT, '813081', 'hex'), gb18030],
  ['ISO-2022-JP', () => Buffer.alloc(LIMIT, `\x1b$B${'$"'.repeat(40)}`), iso2022],
  ['ISO-2022-JP of escapes', () => Buffer.alloc(LIMIT, '\x1b$B\x1b(B'), iso2022],
  ['ISO-2022-JP that is none', () => Buffer.alloc(LIMIT, '\x1b$B\x7f\x7f'), iso2022],
  ['all kinds: one style', () => `<style>${fill('a{b:url(x)}').slice(99)}</style>`, allKinds],
  ['all kinds: many styles', () => fill('<style>@import "x";</style>'), allKinds],
  ['all kinds: style attributes', () => fill('<p style="a:url(x)">'), allKinds],
  ['all kinds: escapes', () => `<style>${fill('url(\\26 \\)').slice(99)}</style>`, allKinds],
  ['all kinds: strings', () => `<style>${fill(`"'`).slice(99)}</style>`, allKinds],
  ['all kinds: bad URLs', () => `<style>${fill('url(').slice(99)}</style>`, allKinds],
  ['all kinds: comments', () => `<style>${fill('/**/').slice(99)}</style>`, allKinds],
  ['all kinds: references', () => fill(`<p style="${'&notit;'.repeat(9000)}">`), allKinds],
  ['all kinds: JSON-LD', () => fill(jsonLd('[{"url":"x"}]')), allKinds],
  ['all kinds: pings', () => fill(`<a href=x ping="${'a '.repeat(9000)}">`), allKinds],
  ['all kinds: links', () => count((n) => `<q cite=/${n}><td background=/${n}b>`), allKinds],
  ['a document of paragraphs', () => fill('<p>x</p>').slice(0, 5e6), readDocument('htmlparser2')],
  ['a document of attributes', () => fill('<p a b c>').slice(0, 5e6), readDocument('htmlparser2')],
  [
    'an exact document of tables',
    () => fill('<table><td>x</table>').slice(0, 1e6),
    readDocument('parse5'),
  ],
];

/** Crawls a page and gives the longest turn of the event loop, ms of CPU time. */
async function longestTurn(body, { type, handle, options } = {}) {
  const fetcher = ({ url, depth }) =>
    of({
      url,
      status: url.endsWith('/robots.txt') || depth > 0 ? 404 : 200,
      headers: { 'content-type': type ?? 'text/html; charset=utf-8' },
      body: depth > 0 ? new Uint8Array() : body,
      redirects: [],
      wireBytes: body.length,
    });
  let longest = 0;
  let before = process.cpuUsage();
  let isOver = false;
  const turn = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve, reject) => {
    crawl({ fetcher, delay: 0, maxPages: 1, ...(handle && { handle }), ...options })(
      'http://h.test/dir/',
    ).subscribe({
      error: reject,
      complete: resolve,
    });
  });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  isOver = true;
  return longest;
}

const longest = {};
for (const [name, make, unusual] of PAGES) {
  const page = make();
  const bytes = typeof page === 'string' ? new TextEncoder().encode(page) : page;
  const body = bytes.subarray(0, LIMIT);
  longest[name] = Infinity;
  // Other work on the machine counts, and the first run compiles.
  for (let run = 0; run < 10 && longest[name] > LONGEST_TURN; run += 1) {
    longest[name] = Math.min(longest[name], Math.round(await longestTurn(body, unusual)));
  }
}
console.log(JSON.stringify(longest));
