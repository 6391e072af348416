import { seededRandom } from 'rxcrawl/testing';
import type { SitePage } from './servers/site-server.js';

/** A tree of documentation in many folders, as generators of such trees write it. */
export interface DocTree {
  /** By path. */
  readonly pages: ReadonlyMap<string, SitePage>;
  /** Paths that can be reached from `/index.html`. */
  readonly reachable: ReadonlySet<string>;
}

const NAMES = [
  'list',
  'set-2',
  'Map.Entry',
  'operator()',
  'C%23',
  'a b',
  'größe',
  '~index',
  'x+y',
  'a&b',
];

/** The ways in which a page may name another. */
const SPELLINGS: readonly ((href: string, path: string) => string)[] = [
  (href) => `<a href="${href}">x</a>`,
  (href) => `<A HREF='${href}#part'>x</A>`,
  (href) => `<a class=ref href=${href.replaceAll(' ', '%20')}>x</a>`,
  (href) => `<a\n  title="a > b"\n  href = " ${href}\n">x</a>`,
  (_href, path) => `<a href="${path}">x</a>`,
  (href) => `<map name=m><area shape=rect coords="0,0,1,1" href="${href}"></map>`,
  (href) => `<iframe src="${href}"></iframe>`,
  (href) => `<table><tr><td><a href="./${href}">x</a></table>`,
  (href) => `<noscript><a href="${href}">x</a></noscript>`,
  (href) => `<svg><a href="${href}"><text>x</text></a></svg>`,
];

/** What looks like a link and is none. Each would lead to a page that is not there. */
const DECOYS = [
  '<!-- <a href="decoy-1.html">x</a> -->',
  '<script>document.write("<a href=\'decoy-2.html\'>")</script>',
  '<style>/* <a href="decoy-3.html"> */</style>',
  '<textarea><a href="decoy-4.html">x</a></textarea>',
  '<a title="<a href=decoy-5.html>">x</a>',
  '<a href="#decoy-6.html">x</a>',
  '<a href="javascript:open(\'decoy-7.html\')">x</a>',
  '<img src="logo.png" alt="x"><link rel=stylesheet href="style.css">',
  '<template><p data-href="decoy-8.html"></template>',
];

/** The place of a page relative to another, as a path of URL characters. */
function relative(from: string, to: string): string {
  const up = from.split('/').slice(1, -1);
  const down = to.split('/').slice(1);
  while (up.length > 0 && down.length > 1 && up[0] === down[0]) {
    up.shift();
    down.shift();
  }
  return '../'.repeat(up.length) + down.join('/');
}

/** Makes a tree of so many pages; one in ten is named by no other. */
export function docTree(count: number, seed: number): DocTree {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

  const paths = ['/index.html'];
  for (let n = 1; n < count; n += 1) {
    const folder = ['api', 'guide', 'ref']
      .slice(0, below(4))
      .map((name) => `${name}${below(5)}`)
      .join('/');
    paths.push(`/${folder === '' ? '' : `${folder}/`}${n}-${pick(NAMES)}.html`);
  }
  const named = paths.filter((_path, n) => n === 0 || n % 10 !== 9);
  const targets = new Map(
    paths.map((path) => [path, Array.from({ length: 8 }, () => pick(named))]),
  );

  const pages = new Map<string, SitePage>();
  for (const [path, links] of targets) {
    const body = links.map((to) =>
      pick(SPELLINGS)(attribute(relative(path, to)), attribute(to)).concat(pick(DECOYS)),
    );
    pages.set(asSent(path), {
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<!DOCTYPE html><html><head><title>${path}</title></head><body>${body.join('\n')}</body></html>`,
    });
  }
  return { pages, reachable: reach(targets) };
}

function attribute(path: string): string {
  return path.replaceAll('&', '&amp;');
}

function reach(targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(['/index.html']);
  for (const path of found) for (const to of targets.get(path) ?? []) found.add(to);
  return new Set([...found].map(asSent));
}

/** A path in URL characters. */
function asSent(path: string): string {
  return new URL(path, 'http://h.example').pathname;
}
