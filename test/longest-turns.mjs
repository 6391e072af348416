/**
 * Crawls pages that are made to be slow, and prints how long each holds the event loop at most:
 * `{ name: ms }`, in CPU time of this process, the best of some runs. It runs compiled code, since
 * the test runner's own form of a module makes loops several times slower.
 *
 *     node test/longest-turns.mjs dist/index.js
 */
import { setImmediate } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { TextEncoder } from 'node:util';
import { of } from 'rxjs';

const { crawl } = await import(pathToFileURL(process.argv[2]).href);

const MIB = 1024 * 1024;
/** The longest body that a crawl takes by default. */
const LIMIT = 10 * MIB;
const LONGEST_TURN = 250;

const fill = (piece) => piece.repeat(Math.floor(LIMIT / piece.length) - 1);

/** As many different pieces as there is room for. */
function count(piece) {
  const pieces = [];
  for (let n = 0, length = 0; length < LIMIT - MIB; n += 1) {
    pieces.push(piece(n));
    length += pieces[n].length;
  }
  return pieces.join('');
}

const PAGES = [
  ['different links', () => count((n) => `<a href="http://h.test/a/b/${n}.html">some text</a>`)],
  ['one link over and over', () => fill('<a href=/x>x</a>')],
  ['links with long paths', () => count((n) => `<a href="/${'a/b/c/d/'.repeat(30)}${n}">x</a>`)],
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
];

/** Crawls a page and gives the longest turn of the event loop, ms of CPU time. */
async function longestTurn(body) {
  const fetcher = ({ url, depth }) =>
    of({
      url,
      status: url.endsWith('/robots.txt') || depth > 0 ? 404 : 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
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
    crawl({ fetcher, delay: 0, maxPages: 1 })('http://h.test/dir/').subscribe({
      error: reject,
      complete: resolve,
    });
  });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  isOver = true;
  return longest;
}

const longest = {};
for (const [name, html] of PAGES) {
  const body = new TextEncoder().encode(html()).subarray(0, LIMIT);
  longest[name] = Infinity;
  // Other work on the machine counts, and the first run compiles.
  for (let run = 0; run < 10 && longest[name] > LONGEST_TURN; run += 1) {
    longest[name] = Math.min(longest[name], Math.round(await longestTurn(body)));
  }
}
console.log(JSON.stringify(longest));
