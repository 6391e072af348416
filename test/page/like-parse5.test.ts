import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanLinks } from '../../src/page/index.js';
import { linksByParse5 } from './links-by-parse5.js';
import { mutateHtml, randomHtml, randomNumbers, type RandomHtmlOptions } from './random-html.js';

const page = 'https://a.example/dir/page.html';
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 7000);
/** A folder of real pages, whose pieces are to be mutated as well. */
const PAGES = process.env['FUZZ_PAGES'];
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/**
 * Elements that a tree has no place for where they stand, so that it drops them, and the scanner
 * does not: a cell outside of a table, a form in a form, a second body, all in a frameset.
 */
const DROPPED = /^(?:table|td|th|body)\[background\] |^form\[action\] /;

interface Difference {
  readonly html: string;
  readonly more: readonly string[];
  readonly less: readonly string[];
}

function difference(html: string): Difference | undefined {
  const kinds = ['navigation', 'metadata', 'resource', 'form', 'citation'] as const;
  const scan = scanLinks(html, { url: page, kinds });
  const ours = new Set(scan.links.map(({ kind, url }) => `${kind} ${url}`));
  const theirs = linksByParse5(html, page);
  const more = [...ours].filter((link) => !theirs.links.has(link) && !DROPPED.test(link));
  const less = [...theirs.links].filter((link) => !ours.has(link));
  if (scan.base !== theirs.base) more.push(`base ${scan.base}`);
  return more.length + less.length === 0 ? undefined : { html, more, less };
}

function differences(options: RandomHtmlOptions): Difference[] {
  const random = randomNumbers(SEED);
  const found: Difference[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const one = difference(randomHtml(random, options));
    if (one !== undefined) found.push(one);
  }
  // The shortest first: it is the easiest to understand.
  return found.sort((a, b) => a.html.length - b.html.length);
}

describe('links by scanner and by tree are the same', { timeout: 3_600_000 }, () => {
  it('on pages of real pieces with faults', () => {
    expect(differences({ foreign: false, faults: 5 }).slice(0, 3)).toEqual([]);
  });

  it('on pages of real pieces with whole SVG and MathML', () => {
    expect(differences({ foreign: true, faults: 0 }).slice(0, 3)).toEqual([]);
  });

  it('but for a few where SVG or MathML itself is broken', () => {
    const found = differences({ foreign: true, faults: 5 });
    expect(found.filter(({ html }) => !/<(?:svg|math)/i.test(html)).slice(0, 3)).toEqual([]);
    expect(found.length / RUNS).toBeLessThan(0.015);
  });

  it.runIf(PAGES !== undefined)('on mutated pieces of real pages', () => {
    const folder = PAGES ?? '';
    const files = readdirSync(folder).filter((name) => /\.html?$/.test(name));
    const random = randomNumbers(SEED);
    const found: Difference[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const file = files[Math.floor(random() * files.length)] ?? '';
      const html = readFileSync(join(folder, file), 'utf8');
      const start = random() < 0.3 ? 0 : Math.floor(random() * html.length);
      let piece = html.slice(start, start + 200 + Math.floor(random() * 5000));
      for (let faults = Math.floor(random() * 6); faults > 0; faults -= 1) {
        piece = mutateHtml(piece, random);
      }
      const one = difference(piece);
      if (one !== undefined && !/<(?:svg|math)/i.test(piece)) found.push(one);
    }
    expect(found.sort((a, b) => a.html.length - b.html.length).slice(0, 3)).toEqual([]);
  });
});
