import { load, type CheerioAPI } from 'cheerio/slim';
import { DomHandler, DomUtils, Parser, type ParserOptions } from 'htmlparser2';
import { parse as parseExactly } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { expectBoolean, expectString } from '../core/expect.js';
import {
  type Expect,
  type Expectations,
  expectOptions,
  integerFrom,
  oneOf,
} from '../core/expect-options.js';
import { CrawlError } from '../core/index.js';
import { MAX_ATTRIBUTES, TagScanner, tagSet } from './tag-scanner.js';

/** Elements nested deeper are refused. */
export const MAX_DEPTH = 512;
/** A page of HTML with more nodes outside of any element gets a body. */
const MAX_ROOTS = 2_000;
/** Text (characters) longer than this is refused, unless told otherwise. */
export const MAX_DOCUMENT = 5_000_000;

/**
 * Which parser makes the document. `htmlparser2` takes 1.3 ms for a page of 46 KB, `parse5` does
 * what browsers do with broken markup, and takes 5.9 ms.
 */
export type DocumentParser = 'htmlparser2' | 'parse5';

/** How {@link loadDocument} reads. */
export interface LoadDocumentOptions {
  /** Default `htmlparser2`. */
  readonly parser?: DocumentParser | undefined;
  /** XML rules. Default false. Always read by htmlparser2. */
  readonly xml?: boolean | undefined;
  /** Longest text, characters. Default 5,000,000. */
  readonly maxLength?: number | undefined;
  /** What relative URLs of properties such as `href` are relative to. */
  readonly baseURI?: string | undefined;
}

/** Checks which parser is asked for. */
export const expectParser: Expect = oneOf('htmlparser2', 'parse5');

const EXPECTED: Expectations<LoadDocumentOptions> = {
  parser: expectParser,
  xml: expectBoolean,
  maxLength: integerFrom(0),
  baseURI: expectString,
};

/**
 * Makes a cheerio document, and refuses what would keep a parser busy for minutes: the time
 * that parsers take grows with the square of the depth and of the number of attributes of a
 * tag, so that half a megabyte of `<div>` would stop the crawl.
 *
 * @throws CrawlError `parse-failed` for a text of more than 5,000,000 characters, elements
 * nested deeper than 512, a tag with more than 1,000 attributes, or XML with more than 2,000
 * nodes outside of any element
 */
export function loadDocument(text: string, options: LoadDocumentOptions = {}): CheerioAPI {
  expectOptions('loadDocument', options, EXPECTED);
  const { parser = 'htmlparser2', xml = false, maxLength = MAX_DOCUMENT, baseURI } = options;
  if (text.length > maxLength) {
    throw refusal('length', 'characters', maxLength, text.length);
  }
  checkAttributes(text);
  const base = baseURI === undefined ? {} : { baseURI };
  if (parser === 'htmlparser2' || xml) {
    const settings = { xmlMode: xml, decodeEntities: true };
    return load(withFewRoots(parse(text, settings), xml), { xml: settings, ...base });
  }
  // Its tree has the same depth or less; what it may have more of is elements.
  parse(text, {}, true);
  const treeAdapter = countingAdapter(text.length);
  const tree = parseExactly(text, { treeAdapter, scriptingEnabled: false });
  return load(tree, base);
}

function refusal(rule: string, unit: string, limit: number, seen: number): CrawlError {
  return new CrawlError(
    'parse-failed',
    `no document is made of this page: more than ${limit} ${unit} (rule ${rule})`,
    { detail: { rule, limit, seen } },
  );
}

const EVERY_TAG = tagSet(['*']);

function checkAttributes(text: string): void {
  // A thousand attributes take 2,000 characters, and most pages have no such tag.
  if (text.length < 2 * MAX_ATTRIBUTES) return;
  new TagScanner(text).scan(EVERY_TAG, (tag) => {
    if (tag.attributeCount > MAX_ATTRIBUTES) {
      throw refusal('attributes', 'attributes in one tag', MAX_ATTRIBUTES, tag.attributeCount);
    }
    return true;
  });
}

/** Builds a tree, or only checks, with an eye on the depth. */
function parse(text: string, options: ParserOptions, onlyCheck = false): DomHandler['root'] {
  const handler = new DomHandler();
  let depth = 0;
  const open = handler.onopentag.bind(handler);
  const close = handler.onclosetag.bind(handler);
  handler.onopentag = (name, attributes) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw refusal('depth', 'elements in each other', MAX_DEPTH, depth);
    if (!onlyCheck) open(name, attributes);
  };
  handler.onclosetag = () => {
    depth -= 1;
    if (!onlyCheck) close();
  };
  if (onlyCheck) handler.ontext = handler.oncomment = () => undefined;
  new Parser(handler, options).end(text);
  return handler.root;
}

/**
 * Puts the nodes of a page that has very many outside of any element into a body, where a browser
 * has them: a selection from the root compares each of them with all others (80,000: 12 s).
 */
function withFewRoots(root: DomHandler['root'], xml: boolean): DomHandler['root'] {
  const { children } = root;
  if (children.length <= MAX_ROOTS) return root;
  if (xml) throw refusal('roots', 'nodes outside of any element', MAX_ROOTS, children.length);
  const page = parse('<html><body></body></html>', {});
  const body = DomUtils.findOne(({ name }) => name === 'body', page.children);
  if (body === null) return root;
  body.children = children;
  for (const child of children) child.parent = body;
  return page;
}

/** Formatting elements are opened again in every paragraph: a few bytes can make millions. */
function countingAdapter(length: number): typeof adapter {
  const limit = 10_000 + length;
  let count = 0;
  return {
    ...adapter,
    createElement(...parts) {
      count += 1;
      if (count > limit) throw refusal('elements', 'elements', limit, count);
      return adapter.createElement(...parts);
    },
  };
}
