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
import { writePieces } from './write-pieces.js';
import { tagSet } from './html-elements.js';
import { MAX_ATTRIBUTES, TagScanner } from './tag-scanner.js';

/** Elements nested deeper are refused. */
export const MAX_DEPTH = 512;
/** A page of HTML with more nodes outside of any element gets a body. */
const MAX_ROOTS = 2_000;
/**
 * Which parser makes the document. `htmlparser2` takes 1.3 ms for a page of 46 KB, `parse5` does
 * what browsers do with broken markup, and takes 5.9 ms.
 */
export type DocumentParser = 'htmlparser2' | 'parse5';

/** Text (characters) longer than this is refused, unless told otherwise. */
const MAX_LENGTH: Readonly<Record<DocumentParser, number>> = {
  htmlparser2: 5_000_000,
  parse5: 1_000_000,
};
/**
 * Time goes by parts, which are tags, attributes and pieces of text, rather than by characters:
 * one for so many characters is what a page of that length may have. Dense markup has more.
 */
const CHARACTERS_A_PART = 16;
/** What a page may have whatever its length. */
const FREE_PARTS = 1_000;

/** How {@link loadDocument} reads. */
export interface LoadDocumentOptions {
  /** Default `htmlparser2`. */
  readonly parser?: DocumentParser | undefined;
  /** XML rules. Default false. Always read by htmlparser2. */
  readonly xml?: boolean | undefined;
  /** Longest text, characters. Default 5,000,000; 1,000,000 for `parse5`. */
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
 * Makes a cheerio document, and refuses what would keep a parser busy for more than a quarter of
 * a second, or for minutes: the time that parsers take grows with the square of the depth and of
 * the number of attributes of a tag, so that half a megabyte of `<div>` would stop the crawl.
 *
 * @throws CrawlError `parse-failed` for a text that is longer than `maxLength`, or that has more
 * tags, attributes and pieces of text than one for 16 characters of `maxLength`; for elements
 * nested deeper than 512, a tag with more than 1,000 attributes, or XML with more than 2,000
 * nodes outside of any element
 */
export function loadDocument(text: string, options: LoadDocumentOptions = {}): CheerioAPI {
  expectOptions('loadDocument', options, EXPECTED);
  const { parser = 'htmlparser2', xml = false, baseURI } = options;
  const { maxLength = MAX_LENGTH[parser] } = options;
  if (text.length > maxLength) {
    throw refusal('length', 'characters', maxLength, text.length, RAISE);
  }
  const maxParts = Math.ceil(maxLength / CHARACTERS_A_PART) + FREE_PARTS;
  checkAttributes(text);
  const base = baseURI === undefined ? {} : { baseURI };
  if (parser === 'htmlparser2' || xml) {
    const settings = { xmlMode: xml, decodeEntities: true };
    return load(withFewRoots(parse(text, settings, maxParts), xml), { xml: settings, ...base });
  }
  // Its tree has the same depth or less; what it may have more of is elements.
  parse(text, {}, maxParts, true);
  const treeAdapter = countingAdapter(maxParts);
  const tree = parseExactly(text, { treeAdapter, scriptingEnabled: false });
  return load(tree, base);
}

const RAISE = '; loadPage({ maxDocument }) raises that';

function refusal(rule: string, unit: string, limit: number, seen: number, hint = ''): CrawlError {
  return new CrawlError(
    'parse-failed',
    `no document is made of this page: more than ${limit} ${unit} (rule ${rule})${hint}`,
    { detail: { rule, limit, seen } },
  );
}

const EVERY_TAG = tagSet(['*']);

function checkAttributes(text: string): void {
  // A thousand attributes take 2,000 characters, and most pages have no such tag.
  if (text.length < 2 * MAX_ATTRIBUTES) return;
  const scanner = new TagScanner(text, { endTags: true });
  scanner.scan(EVERY_TAG, () => true);
  const { mostAttributes } = scanner;
  if (mostAttributes > MAX_ATTRIBUTES) {
    throw refusal('attributes', 'attributes in one tag', MAX_ATTRIBUTES, mostAttributes);
  }
}

/** Builds a tree, or only checks, with an eye on the depth and on the number of parts. */
class CheckingHandler extends DomHandler {
  private readonly maxParts: number;
  private readonly onlyCheck: boolean;
  depth = 0;
  private parts = 0;

  constructor(maxParts: number, onlyCheck: boolean) {
    super();
    this.maxParts = maxParts;
    this.onlyCheck = onlyCheck;
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.count();
    this.depth += 1;
    if (this.depth > MAX_DEPTH) {
      throw refusal('depth', 'elements in each other', MAX_DEPTH, this.depth);
    }
    if (!this.onlyCheck) super.onopentag(name, attributes);
  }

  onattribute(): void {
    this.count();
  }

  override onclosetag(): void {
    this.count();
    this.depth -= 1;
    if (!this.onlyCheck) super.onclosetag();
  }

  override ontext(data: string): void {
    this.count();
    if (!this.onlyCheck) super.ontext(data);
  }

  override oncomment(data: string): void {
    this.count();
    if (!this.onlyCheck) super.oncomment(data);
  }

  count(more = 1): void {
    this.parts += more;
    if (this.parts > this.maxParts) throw tooManyParts(this.maxParts);
  }
}

function tooManyParts(limit: number): CrawlError {
  return refusal('parts', 'tags, attributes and pieces of text', limit, limit + 1, RAISE);
}

function parse(
  text: string,
  options: ParserOptions,
  maxParts = Infinity,
  onlyCheck = false,
): DomHandler['root'] {
  const handler = new CheckingHandler(maxParts, onlyCheck);
  const parser = new Parser(handler, options);
  writePieces(
    parser,
    text,
    () => handler.depth,
    (cost) => {
      handler.count(cost);
      return true;
    },
  );
  parser.end();
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
function countingAdapter(limit: number): typeof adapter {
  let count = 0;
  return {
    ...adapter,
    createElement(...parts) {
      count += 1;
      if (count > limit) throw tooManyParts(limit);
      return adapter.createElement(...parts);
    },
  };
}
