/**
 * Link extraction alone, without network: rxcrawl's against htmlparser2's.
 *
 *     node bench/links.mjs [--root DIR] [--pages 1000]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Parser } from 'htmlparser2';
import { hrefs } from './hrefs.mjs';
import { build } from './prepare.mjs';
import { pageHtml, pathOf } from './site.mjs';

build();
const { extractLinks } = await import('../dist/index.js');
const { values } = parseArgs({
  options: { root: { type: 'string' }, pages: { type: 'string', default: '1000' } },
});
const count = Number(values.pages);

function documents() {
  if (values.root === undefined) {
    return Array.from({ length: count }, (_, page) => ({
      url: `http://site.example${pathOf(page)}`,
      html: pageHtml(page, 10_000),
    }));
  }
  return readdirSync(values.root, { recursive: true })
    .filter((name) => name.endsWith('.html'))
    .sort()
    .slice(0, count)
    .map((name) => ({
      url: `http://site.example/${name}`,
      html: readFileSync(join(values.root, name), 'utf8'),
    }));
}

function resolved(found, url) {
  return found.flatMap((href) => (URL.canParse(href, url) ? new URL(href, url).href : []));
}

function parserHrefs(html) {
  const found = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a' && attributes.href !== undefined) found.push(attributes.href);
    },
  });
  parser.end(html);
  return found;
}

const EXTRACTORS = {
  'htmlparser2 tokeniser, a[href] as written': (html) => hrefs(html),
  'htmlparser2 tokeniser, a[href] and URL': (html, url) => resolved(hrefs(html), url),
  'htmlparser2 parser, a[href] and URL': (html, url) => resolved(parserHrefs(html), url),
  'rxcrawl extractLinks': (html, url) => extractLinks(html, { url }),
};

const ROUNDS = 5;
const pages = documents();
const characters = pages.reduce((sum, { html }) => sum + html.length, 0);
const best = new Map();
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, extract] of Object.entries(EXTRACTORS)) {
    const start = process.cpuUsage();
    let links = 0;
    for (const { html, url } of pages) links += extract(html, url).length;
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    // The first round warms up.
    if (round > 0) best.set(name, { links, ms: Math.min(ms, best.get(name)?.ms ?? Infinity) });
  }
}

console.log(`${pages.length} pages, ${(characters / 1e6).toFixed(1)} MB; best of ${ROUNDS}\n`);
console.log('| extractor | links | MB/s | µs/link | ms/page |\n| --- | --: | --: | --: | --: |');
for (const [name, { links, ms }] of best) {
  const cells = [
    name,
    links,
    (characters / 1e3 / ms).toFixed(0),
    ((ms * 1000) / links).toFixed(2),
    (ms / pages.length).toFixed(3),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
