import type { CheerioAPI } from 'cheerio/slim';
import {
  CrawlError,
  requestFromHref,
  type BarePage,
  type CrawlRequest,
  type FetchedResponse,
  type Parse,
  type Redirect,
  type RequestBody,
  type RequestOptions,
  type ResponseHeaders,
  type SavedFile,
} from '../core/index.js';
import { expectBoolean, expectString } from '../core/expect.js';
import { expectOptions, integerFrom, oneOf } from '../core/expect-options.js';
import { decodeText, type DecodedText } from './encoding/index.js';
import { addHrefs, withoutFragment } from './add-hrefs.js';
import type { Link, LinkScan } from './link-scan.js';
import { extract, type ExtractMap, type Extracted } from './extraction.js';
import { findTitle } from './find-title.js';
import { headerValue } from './header-value.js';
import { expectKinds, followableKinds, type LinkKind, type LinkKinds } from './link-kinds.js';
import { LinkReading } from './link-reading.js';
import { LinkResolver } from './link-resolver.js';
import { expectParser, loadDocument, type DocumentParser } from './load-document.js';
import { parseMediaType, sniffType, type MediaType, type PageKind } from './mime/index.js';
import { pageMeta, scanMetadata, type PageMeta } from './page-meta.js';
import { relTokens } from './rel.js';
import { robotsDirectives, type RobotsDirectives } from './robots-directives.js';
import { cachedPattern } from './route-pattern.js';

/** Says which links to follow: a CSS selector or URL, URLs, or a test of each link. */
export type FollowTarget = string | URL | Iterable<string | URL> | ((link: Link) => boolean);

/** How {@link Page.follow} makes requests. */
export interface FollowOptions {
  /** Names the kind of page, for handlers split by rule. */
  readonly label?: string | undefined;
  /** Larger runs earlier. Default 0. */
  readonly priority?: number | undefined;
  /** HTTP method. Default `GET`. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: RequestBody | undefined;
  /** Serialisable data that travels with the requests. */
  readonly context?: unknown;
  /** Kinds of links to follow. Default: what leads a reader to another page. */
  readonly kinds?: LinkKinds | undefined;
  /**
   * Whether `rel=nofollow`, meta robots and `X-Robots-Tag` are obeyed. URLs that are given as
   * such are the caller's own and always followed. Default: as the page was loaded, `obey`.
   */
  readonly nofollow?: 'obey' | 'ignore' | undefined;
}

/**
 * A page, whatever it turned out to be. All but the first six parts are worked out when they
 * are first read, and only once: a page whose `$` nobody reads is never parsed into a tree.
 */
export interface Page extends BarePage {
  readonly request: CrawlRequest;
  /** The final URL. */
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The decoded body. */
  readonly bytes: Uint8Array;
  readonly redirects: readonly Redirect[];

  /** The body ends early: it was longer than the limit, or the connection broke. */
  readonly truncated: boolean;
  /** The server said that the page is as it was when it was stored (304); its body is the stored one. */
  readonly notModified: boolean;
  /** Media type of the `Content-Type` header without parameters, lower case. */
  readonly contentType: string | undefined;
  /** What the page is, by its header and first bytes: `html`, `rss`, `pdf` … */
  readonly kind: PageKind;
  /** The body as text: byte order mark, header, meta element and default, in this order. */
  readonly text: string;
  /** Name of the encoding that {@link Page.text} was decoded from. */
  readonly encoding: string;
  /** The title of an HTML page or feed, blanks collapsed. */
  readonly title: string | undefined;
  /** The links of an HTML page or the entries of a feed, in document order; else none. */
  readonly links: readonly Link[];
  /** The links, with the base URL and counts of what was left out. */
  readonly linkScan: LinkScan;
  /** What the page asks of robots, in its head and its header. */
  readonly robots: RobotsDirectives;
  /** What the page says about itself. */
  readonly meta: PageMeta;
  /**
   * The page as a cheerio document. A page that is neither HTML nor XML is an empty one.
   *
   * Reading it throws a `CrawlError` `parse-failed` for a page that would keep a parser busy
   * for minutes, see `loadDocument`.
   */
  readonly $: CheerioAPI;

  /**
   * The body as JSON.
   *
   * @throws CrawlError `parse-failed` if it is none
   */
  json(): unknown;

  /** Whether the final URL matches a pattern such as `/product/*`, see {@link routePattern}. */
  matches(pattern: string): boolean;

  /**
   * Values from the document, by a map of selectors: cheerio's own `extract`.
   *
   * @example
   * ```ts
   * page.extract({ title: 'h1', prices: ['.price'] }); // { title: 'Books', prices: ['1.00'] }
   * ```
   */
  extract<const M extends ExtractMap>(map: M): Extracted<M>;

  /**
   * Requests for links of this page: one hop deeper, without fragments and duplicates.
   *
   * @param target - what to follow. Nothing: every link that leads a reader to another page.
   * A CSS selector: the links among the elements that match, and those inside the others.
   * A text that starts with `/`, `./`, `../`, `?` or a scheme, a `URL`, or several: just these,
   * relative to the page. A function: the links of the page that pass.
   *
   * @example
   * ```ts
   * *handle(page) {
   *   yield* page.follow('.pager a, .product a', { label: 'product' });
   * }
   * ```
   */
  follow(target?: FollowTarget, options?: FollowOptions): CrawlRequest[];
  follow(options: FollowOptions): CrawlRequest[];
}

/** How pages are read. */
export interface PageOptions {
  /** Makes {@link Page.$}. Default `htmlparser2`; `parse5` is exact, and 4 times slower. */
  readonly parser?: DocumentParser | undefined;
  /** Kinds of links in {@link Page.links}. Default `['default']`. */
  readonly kinds?: LinkKinds | undefined;
  /** At most so many links are read from a page. Default 10,000. */
  readonly maxLinks?: number | undefined;
  /** Whether the content of `noscript` is part of the page. Default true. */
  readonly noscript?: boolean | undefined;
  /** Whether documents in `srcdoc` attributes of frames are part of the page. Default false. */
  readonly srcdoc?: boolean | undefined;
  /**
   * Longest text that a document is made of, characters; markup that is dense counts as longer,
   * see {@link loadDocument}. Default 5,000,000; 1,000,000 for `parse5`.
   */
  readonly maxDocument?: number | undefined;
  /** Default of {@link FollowOptions.nofollow}. */
  readonly nofollow?: 'obey' | 'ignore' | undefined;
  /** Whether `Link` and `Refresh` headers count as links. Default true. */
  readonly headerLinks?: boolean | undefined;
  /** For robots directives that name one agent. */
  readonly userAgent?: string | undefined;
}

/**
 * Makes the lazy page of an answer.
 *
 * @example
 * ```ts
 * const page = createPage(response, request);
 * console.log(page.title, page.links.length);
 * ```
 */
export function createPage(
  response: FetchedResponse,
  request: CrawlRequest,
  options: PageOptions = NO_OPTIONS,
): Page {
  if (options !== NO_OPTIONS) checkOptions('createPage', options);
  return new LazyPage(response, request, options);
}

/**
 * The `parse` option of a crawl: makes lazy pages with these options.
 *
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * crawl({ parse: loadPage({ parser: 'parse5', nofollow: 'ignore' }) });
 * ```
 */
export function loadPage(options: PageOptions = NO_OPTIONS): Parse<Page> {
  checkOptions('loadPage', options);
  return (response, request) => new LazyPage(response, request, options);
}

function checkOptions(owner: string, options: PageOptions): void {
  expectOptions(owner, options, {
    parser: expectParser,
    kinds: expectKinds,
    maxLinks: integerFrom(0),
    noscript: expectBoolean,
    srcdoc: expectBoolean,
    maxDocument: integerFrom(0),
    nofollow: oneOf('obey', 'ignore'),
    headerLinks: expectBoolean,
    userAgent: expectString,
  });
}

const NO_OPTIONS: PageOptions = {};
const NO_FOLLOW: FollowOptions = {};
const XML_TEXT = { default: 'UTF-8' };

class LazyPage implements Page {
  readonly request: CrawlRequest;
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly bytes: Uint8Array;
  readonly redirects: readonly Redirect[];
  readonly file: SavedFile | undefined;
  readonly truncated: boolean;
  readonly notModified: boolean;

  readonly #options: PageOptions;
  #mediaType: MediaType | undefined | null = null;
  #kind: PageKind | undefined;
  #decoded: DecodedText | undefined;
  #title: string | undefined | null = null;
  #reading: LinkReading | undefined;
  /** A second one, where the page's own kinds are not the default ones. */
  #defaultReading: LinkReading | undefined;
  #robots: RobotsDirectives | undefined;
  #meta: PageMeta | undefined;
  #document: CheerioAPI | undefined;

  constructor(response: FetchedResponse, request: CrawlRequest, options: PageOptions) {
    this.request = request;
    this.url = response.url;
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = response.body;
    this.redirects = response.redirects;
    this.file = response.file;
    this.truncated = response.truncated ?? false;
    this.notModified = response.cache === 'revalidated';
    this.#options = options;
  }

  get contentType(): string | undefined {
    return this.#type()?.essence;
  }

  get kind(): PageKind {
    return (this.#kind ??= sniffType(this.bytes, this.#type()));
  }

  get text(): string {
    return this.#text().text;
  }

  get encoding(): string {
    return this.#text().encoding;
  }

  get title(): string | undefined {
    if (this.#title === null) {
      this.#title = isMarkup(this.kind) ? findTitle(this.text) : undefined;
    }
    return this.#title;
  }

  get links(): readonly Link[] {
    return this.linkScan.links;
  }

  get linkScan(): LinkScan {
    return (this.#reading ??= this.#read(this.#options.kinds)).withTexts;
  }

  get robots(): RobotsDirectives {
    return (this.#robots ??= robotsDirectives({
      metas: this.#anyReading().robots,
      headers: headerValue(this.headers, 'x-robots-tag'),
      userAgent: this.#options.userAgent,
    }));
  }

  get meta(): PageMeta {
    if (this.#meta === undefined) {
      const { kind } = this;
      const text = isMarkup(kind) ? this.text : '';
      const scanned = scanMetadata(text, kind === 'xhtml');
      const { links } = this.#readDefault().scan;
      this.#meta = pageMeta(this.title, scanned, links, this.robots);
    }
    return this.#meta;
  }

  get $(): CheerioAPI {
    if (this.#document === undefined) {
      const { kind } = this;
      this.#document = loadDocument(isMarkup(kind) ? this.text : '', {
        parser: this.#options.parser,
        xml: isXml(kind),
        maxLength: this.#options.maxDocument,
        baseURI: this.url,
      });
    }
    return this.#document;
  }

  json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (cause) {
      throw new CrawlError('parse-failed', `json: ${this.url} is no JSON: ${String(cause)}`, {
        cause,
        status: this.status,
      });
    }
  }

  matches(pattern: string): boolean {
    return cachedPattern(pattern).test(this.url);
  }

  extract<const M extends ExtractMap>(map: M): Extracted<M> {
    return extract(this.$, map);
  }

  follow(first?: FollowTarget | FollowOptions, second?: FollowOptions): CrawlRequest[] {
    const onlyOptions = isOptions(first);
    const target = onlyOptions ? undefined : first;
    const options = (onlyOptions ? first : second) ?? NO_FOLLOW;
    return this.#requests(this.#targets(target, options), options);
  }

  #type(): MediaType | undefined {
    if (this.#mediaType === null) {
      this.#mediaType = parseMediaType(headerValue(this.headers, 'content-type'));
    }
    return this.#mediaType;
  }

  #text(): DecodedText {
    if (this.#decoded === undefined) {
      // XML is UTF-8 where nothing says otherwise, also a feed that is sent as HTML.
      const options = isXml(this.kind) ? XML_TEXT : undefined;
      this.#decoded = decodeText(this.bytes, this.#type(), options);
    }
    return this.#decoded;
  }

  #readDefault(): LinkReading {
    if (this.#options.kinds === undefined) return (this.#reading ??= this.#read(undefined));
    return (this.#defaultReading ??= this.#read(undefined));
  }

  #read(kinds: LinkKinds | undefined): LinkReading {
    return new LinkReading(this, { ...this.#options, kinds });
  }

  /** The URLs to follow: each once, without its fragment. */
  #targets(target: FollowTarget | undefined, options: FollowOptions): Iterable<string> {
    if (typeof target === 'string' && !isUrl(target)) return this.#selected(target, options);
    if (target === undefined || typeof target === 'function') {
      if (this.#obeys(options) && this.robots.nofollow) return [];
      return this.#linked(target, options);
    }
    const targets = typeof target === 'string' || target instanceof URL ? [target] : target;
    const resolver = new LinkResolver(this.#anyReading().base);
    const hrefs = new Set<string>();
    for (const one of targets) {
      const url = resolver.resolve(typeof one === 'string' ? one : one.href);
      if (url !== undefined) hrefs.add(withoutFragment(url));
    }
    return hrefs;
  }

  /** The URLs of the links that pass the test, or else of those that lead a reader to another page. */
  #linked(
    test: ((link: Link) => boolean) | undefined,
    { kinds, nofollow }: FollowOptions,
  ): Iterable<string> {
    const obeys = this.#obeys({ nofollow });
    const hrefs = new Set<string>();
    const isAllowed = ({ rel }: Link): boolean => !obeys || !rel.includes('nofollow');
    if (test !== undefined) {
      const links = kinds === undefined ? this.links : this.#read(kinds).withTexts.links;
      addHrefs(links.filter(test), isAllowed, hrefs);
    } else if (kinds !== undefined) {
      this.#read(kinds).addHrefs(isAllowed, hrefs);
    } else {
      const isFollowed = (link: Link): boolean => followableKinds.has(link.kind) && isAllowed(link);
      this.#readDefault().addHrefs(isFollowed, hrefs);
    }
    return hrefs;
  }

  #obeys(options: FollowOptions): boolean {
    return (options.nofollow ?? this.#options.nofollow) !== 'ignore';
  }

  #anyReading(): LinkReading {
    return this.#reading ?? this.#readDefault();
  }

  #selected(selector: string, options: FollowOptions): Iterable<string> {
    const obeys = this.#obeys(options);
    if (obeys && this.robots.nofollow) return [];
    const hrefs = new Set<string>();
    const kinds = SIMPLE_SELECTORS.get(selector.trim());
    if (kinds !== undefined) {
      const isSelected = ({ kind, rel }: Link): boolean =>
        kinds.has(kind) && !(obeys && rel.includes('nofollow'));
      this.#readDefault().addHrefs(isSelected, hrefs);
      return hrefs;
    }
    const { $ } = this;
    const resolver = this.#anyReading().resolver();
    const add = (element: Parameters<typeof $>[0] & object): boolean => {
      const one = $(element as never);
      const reference = LINK_ATTRIBUTES.map((name) => one.attr(name)).find(
        (value) => value !== undefined,
      );
      if (reference === undefined) return false;
      if (obeys && relTokens(one.attr('rel')).includes('nofollow')) return true;
      const url = resolver.resolve(reference);
      if (url !== undefined) hrefs.add(withoutFragment(url));
      return true;
    };
    for (const element of $(selector)) {
      if (!add(element))
        $(element)
          .find('a[href], area[href]')
          .each((_, inner) => void add(inner));
    }
    return hrefs;
  }

  #requests(hrefs: Iterable<string>, options: FollowOptions): CrawlRequest[] {
    const { label, priority, method, headers, body, context } = options;
    const shared: RequestOptions = {
      depth: this.request.depth + 1,
      referrer: this.url,
      label,
      priority,
      method: method?.toUpperCase(),
      headers: headers && lowerCaseNames(headers),
      body,
      context,
    };
    return Array.from(hrefs, (href) => requestFromHref(href, shared));
  }
}

const ANCHORS: ReadonlySet<LinkKind> = new Set(['a[href]', 'svg:a[href]', 'svg:a[xlink:href]']);
/** Selectors that need no document. */
const SIMPLE_SELECTORS: ReadonlyMap<string, ReadonlySet<LinkKind>> = new Map([
  ['a', ANCHORS],
  ['a[href]', ANCHORS],
  ['area', new Set<LinkKind>(['area[href]'])],
  ['iframe', new Set<LinkKind>(['iframe[src]'])],
]);
const LINK_ATTRIBUTES = ['href', 'xlink:href', 'src', 'data', 'action'];

function isXml(kind: PageKind): boolean {
  return kind !== 'html' && isMarkup(kind);
}

function isMarkup(kind: PageKind): boolean {
  switch (kind) {
    case 'html':
    case 'xhtml':
    case 'xml':
    case 'rss':
    case 'atom':
    case 'sitemap':
      return true;
    default:
      return false;
  }
}

function isOptions(value: FollowTarget | FollowOptions | undefined): value is FollowOptions {
  return typeof value === 'object' && !(value instanceof URL) && !(Symbol.iterator in value);
}

/** Whether a text is meant as a URL; none of these is the beginning of a selector. */
function isUrl(text: string): boolean {
  return /^(?:\/|\.\.?\/|\?|[a-z][a-z0-9+.-]*:\/\/)/i.test(text);
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
