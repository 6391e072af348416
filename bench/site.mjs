/**
 * A site of any size, made from page numbers alone: the same number always gives the same page.
 * A page is about 26 KB and has 100 links, as in a generated API documentation: most of them
 * lead to pages that are linked from elsewhere too, some out of the site, some to fragments.
 */
const LINKS = 100;
const SECTION = 100;
const WORDS =
  'the a of to and in is it for that with as on this by be are from or an at not which can have one all class method returns value field given type if'.split(
    ' ',
  );

/** Path of a page; page 0 is `/`. */
export function pathOf(page) {
  return page === 0 ? '/' : `/section-${Math.trunc(page / SECTION)}/page-${page}.html`;
}

/** Page number of a path, or -1. */
export function pageOf(path) {
  if (path === '/') return 0;
  const match = /^\/section-\d+\/page-(\d+)\.html$/.exec(path);
  return match && pathOf(Number(match[1])) === path ? Number(match[1]) : -1;
}

/** A small pseudo-random generator (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Filler between two links: markup as documentation has it, with some character references. */
const FILLERS = Array.from({ length: 64 }, (_, index) => {
  const random = randomFrom(index);
  const words = (count) =>
    Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');
  return [
    `<div class="block" id="b${index}"><p>${words(11)} &amp; ${words(7)}.</p>`,
    `<code class="type">List&lt;T&gt;</code> <em>${words(3)}</em></div>\n`,
  ].join('');
});

function href(random, from, to) {
  const path = pathOf(to);
  const fragment = random(4) === 0 ? `#b${random(64)}` : '';
  if (random(2) === 0) return path + fragment;
  return (from === 0 ? path.slice(1) : `..${path}`) + fragment;
}

/** HTML of a page in a site of `pages` pages. Every page is reachable: n leads to 8n+1 … 8n+8. */
export function pageHtml(page, pages) {
  const random = randomFrom(page);
  let html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title>
<link rel="stylesheet" href="/style.css"><script>const page = ${page};</script></head>
<body class="page"><h1>Page ${page}</h1>\n`;
  for (let link = 0; link < LINKS; link++) {
    const child = 8 * page + 1 + link;
    let target;
    if (link < 8 && child < pages) target = href(random, page, child);
    else if (link === 98) target = `https://other.example/${page}`;
    else if (link === 99) target = '#top';
    else target = href(random, page, random(pages));
    html += `${FILLERS[random(64)]}<a class="ref" href="${target}" title="see there">entry ${link}</a>\n`;
  }
  return `${html}</body></html>\n`;
}
