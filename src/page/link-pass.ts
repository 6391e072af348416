import { show } from '../core/expect.js';
import { addHrefs, withoutFragment } from './add-hrefs.js';
import { Allowance } from './allowance.js';
import { cssUrls } from './css-urls.js';
import { encodeQuery, encodingFromLabel } from './encoding/index.js';
import { flatString } from './flat-string.js';
import { attributeName, elementId, tagSet, union } from './html-elements.js';
import { SPACE } from './html-syntax.js';
import { attributeValue } from './html-value.js';
import { MAX_BLOCKS, MAX_JSON_LD, isJsonLd, jsonLdUrls, parseJsonLd } from './json-ld.js';
import { linkKindOf } from './link-kind-of.js';
import type { LinkKind } from './link-kinds.js';
import { planOf, type LinkPlan } from './link-plan.js';
import { LinkResolver, MAX_REFERENCE, opaqueScheme } from './link-resolver.js';
import type { ExtractLinksOptions, Link, LinkScan, RobotsMeta } from './link-scan.js';
import { MAX_LINK_TEXT, MAX_RAW_TEXT, collapse, linkText } from './link-text.js';
import { parseMediaType } from './mime/index.js';
import { parseRefresh } from './parse-refresh.js';
import { MAX_REL, relTokens } from './rel.js';
import { parseSrcset } from './srcset.js';
import { TagScanner } from './tag-scanner.js';

interface MutableLink extends Link {
  url: string;
  text: string;
}

const HREF = attributeName('href');
const REL = attributeName('rel');
const TYPE = attributeName('type');
const HREFLANG = attributeName('hreflang');
const NAME = attributeName('name');
const CONTENT = attributeName('content');
const HTTP_EQUIV = attributeName('http-equiv');
const ALT = attributeName('alt');
const STYLE = attributeName('style');
const IMAGE_SRCSET = attributeName('imagesrcset');
const SRCDOC = attributeName('srcdoc');

const NO_REL = relTokens(undefined);

const BASE = elementId('base');
const META = elementId('meta');
const LINK = elementId('link');
const A = elementId('a');
const AREA = elementId('area');
const IMG = elementId('img');
const IMAGE = elementId('image');
const SCRIPT = elementId('script');
const STYLE_ELEMENT = elementId('style');
const FRAME = elementId('frame');
const FRAMESET = elementId('frameset');
const IFRAME = elementId('iframe');
const FRAMES = tagSet(['iframe']);

/** What a robots meta has to say to be of interest here. */
const ORDER = /noindex|nofollow|none/i;

const DEFAULT_MAX_LINKS = 10_000;
/** So many characters are read of the links of a page: 200 a link, if there are 10,000. */
export const MAX_READ = 2_000_000;
/** So many characters behind the beginnings of links are read for their texts, tags included. */
const MAX_TEXT = 3_000_000;
/** So long may the URLs of a page be together, which a long base makes of short links. */
const MAX_URLS = 5_000_000;
/** Longer values of `hreflang` and `type` are read up to here. */
const MAX_HINT = 200;
/** A longer `base` would make 10,000 long URLs of short links. Characters. */
const MAX_BASE = 4_096;
/** So many robots metas are read, and so many characters of each. */
const MAX_ROBOTS = 100;
const MAX_ROBOTS_CONTENT = 1_000;
const MAX_NAME = 100;
/** So many documents in `srcdoc` attributes are read; `MAX_READ` holds for their length. */
const MAX_SRCDOCS = 100;

/** A document in an attribute of a frame. */
interface Srcdoc {
  readonly html: string;
  /** How many links stand before it. */
  readonly at: number;
}

/**
 * One pass over a page. URLs are resolved, and texts are read, when somebody asks for them: who
 * only follows the links wants each URL once, and none of the texts.
 */
export class LinkPass {
  readonly base: string;
  readonly robots: RobotsMeta[] = [];

  private overLimit = 0;
  private resolved: LinkScan | undefined;
  private readonly encoding: string | undefined;
  private readonly html: string;
  private readonly plan: LinkPlan;
  private readonly maxLinks: number;
  /** Links as found; their `url` is what the attribute says. */
  private readonly found: MutableLink[] = [];
  /** For links that are an attribute's whole value, with what belongs to them. */
  private readonly room = new Allowance(MAX_READ);
  /** For values that are lists or hold links among other things. */
  private readonly listRoom = new Allowance(MAX_READ);
  private readonly cssRoom = new Allowance(MAX_READ);
  private readonly jsonRoom = new Allowance(MAX_JSON_LD);
  private blocks = 0;
  /** Where the text of a link begins; 0 if it has none or has it already. */
  private readonly textStarts: number[] = [];
  private baseHref: string | undefined;
  private framesets = false;
  private readonly srcdocRoom = new Allowance(MAX_READ);
  /** What was found in them, besides links. */
  private readonly inner: LinkScan[] = [];

  constructor(html: string, options: ExtractLinksOptions) {
    this.html = html;
    this.plan = planOf(options.kinds);
    this.maxLinks = options.maxLinks ?? DEFAULT_MAX_LINKS;
    const page = pageUrl(options.url);
    const xml =
      options.contentType !== undefined &&
      parseMediaType(options.contentType)?.essence === 'application/xhtml+xml';
    const scanner = new TagScanner(html, { noscript: options.noscript, xml });
    const srcdocs: Srcdoc[] | undefined = options.srcdoc === true ? [] : undefined;
    const { wanted } = this.plan;
    scanner.scan(srcdocs === undefined ? wanted : union(wanted, FRAMES), (tag) => {
      this.visit(tag);
      if (srcdocs !== undefined && tag.element === IFRAME) this.visitFrame(tag, srcdocs);
      return true;
    });
    this.base = baseOf(this.baseHref, page);
    this.encoding = options.encoding;
    if (srcdocs !== undefined) this.insertSrcdocs(srcdocs, options);
  }

  /** The links with their URLs; texts are empty before {@link readTexts}. */
  get scan(): LinkScan {
    return (this.resolved ??= this.resolve());
  }

  /**
   * Adds the URLs of links, without their fragments: each once, in the order of the links. The
   * largest page of the JDK documentation has 28,000 links to 3,000 pages.
   */
  addHrefs(isWanted: (link: Link) => boolean, hrefs: Set<string>): void {
    if (this.resolved !== undefined) {
      addHrefs(this.resolved.links, isWanted, hrefs);
      return;
    }
    const resolver = this.resolver();
    const room = new Allowance(MAX_URLS);
    for (const link of this.found) {
      if (room.spent) return;
      if (!isWanted(link) || link.url.length > MAX_REFERENCE) continue;
      const url = resolver.resolve(withoutPlainFragment(link.url));
      if (url === undefined) continue;
      const href = withoutFragment(url);
      if (hrefs.has(href)) continue;
      room.spend(href.length);
      hrefs.add(href);
    }
  }

  /** Fills in the texts of the links. */
  readTexts(room: Allowance = new Allowance(MAX_TEXT)): void {
    const { found, textStarts, html } = this;
    this.resolved ??= this.resolve();
    for (let i = 0; i < textStarts.length; i += 1) {
      const start = textStarts[i] ?? 0;
      if (start > 0) (found[i] as MutableLink).text = linkText(html, start, room);
    }
    textStarts.length = 0;
  }

  /** Makes URLs of what was found, and drops what is none. */
  private resolve(): LinkScan {
    const { found, textStarts, base, robots } = this;
    const resolver = this.resolver();
    let { overLimit } = this;
    let kept = 0;
    const room = new Allowance(MAX_URLS);
    for (let i = 0; i < found.length; i += 1) {
      const link = found[i];
      if (link === undefined) continue;
      if (room.spent) {
        overLimit += 1;
        continue;
      }
      const url = resolver.resolve(link.url);
      if (url === undefined) continue;
      room.spend(url.length);
      link.url = url;
      found[kept] = link;
      textStarts[kept] = textStarts[i] ?? 0;
      kept += 1;
    }
    found.length = textStarts.length = kept;
    let { invalid } = resolver;
    const { schemes } = resolver;
    for (const one of this.inner) {
      invalid += one.invalid;
      overLimit += one.overLimit;
      for (const [scheme, count] of one.schemes) {
        schemes.set(scheme, (schemes.get(scheme) ?? 0) + count);
      }
    }
    return { links: found, base, overLimit, invalid, schemes, robots };
  }

  /**
   * HTML §2.4.1: the base of a document in a `srcdoc` is that of the page around it, unless it
   * has its own; its encoding is UTF-8. The links come with absolute URLs, which stay as they are.
   */
  private insertSrcdocs(srcdocs: readonly Srcdoc[], options: ExtractLinksOptions): void {
    const { found, textStarts, base } = this;
    const room = new Allowance(MAX_URLS);
    const textRoom = new Allowance(MAX_TEXT);
    let inserted = 0;
    for (const { html, at } of srcdocs) {
      const maxLinks = room.spent ? 0 : Math.max(0, this.maxLinks - found.length);
      const pass = new LinkPass(html, {
        ...options,
        url: base,
        contentType: undefined,
        encoding: undefined,
        maxLinks,
        srcdoc: false,
      });
      pass.readTexts(textRoom);
      const { links } = pass.scan;
      for (const { url } of links) room.spend(url.length);
      found.splice(at + inserted, 0, ...links);
      textStarts.splice(at + inserted, 0, ...links.map(() => 0));
      inserted += links.length;
      this.inner.push(pass.scan);
    }
  }

  /** Resolves references as they stand on the page, with their queries in its encoding. */
  resolver(): LinkResolver {
    return new LinkResolver(this.base, queryEncoder(this.encoding));
  }

  private visit(tag: TagScanner): void {
    const { element, svg } = tag;
    const { plan } = this;
    if (plan.css) this.visitStyle(tag);
    if (!svg) {
      if (element === META) {
        this.visitMeta(tag);
        return;
      }
      if (element === LINK) {
        this.visitLink(tag);
        return;
      }
      if (element === BASE) {
        this.baseHref ??= tag.find(HREF);
        return;
      }
      if (element === FRAMESET) this.framesets = true;
      // Outside of a frameset, a browser ignores it.
      if (element === FRAME && !this.framesets) return;
      if (element === SCRIPT) this.visitScript(tag);
    }
    const places = (svg ? plan.svg : plan.html)[element];
    if (places === undefined) return;
    for (const { kind, attribute, value, unless } of places) {
      const raw = tag.find(attribute);
      if (raw === undefined || (unless !== undefined && tag.find(unless) !== undefined)) continue;
      if (value === 'url') {
        this.addFrom(tag, raw, kind);
      } else if (value === 'srcset') {
        for (const { url } of parseSrcset(this.list(raw))) this.add(url, kind);
      } else {
        for (const url of this.list(raw).split(/[\t\n\f\r ]+/)) {
          if (url !== '') this.add(url, kind);
        }
      }
    }
  }

  /** The value of an attribute that holds several links, up to the last whole one. */
  private list(raw: string): string {
    if (this.isFull() || this.listRoom.spent) {
      this.overLimit += 1;
      return '';
    }
    const text = this.listRoom.take(raw, MAX_REFERENCE);
    if (text.length === raw.length) return attributeValue(text);
    this.overLimit += 1;
    return attributeValue(text.slice(0, Math.max(0, text.lastIndexOf(' '))));
  }

  private isFull(): boolean {
    return this.found.length >= this.maxLinks || this.room.spent;
  }

  /** A link with the extras that its element may have. */
  private addFrom(tag: TagScanner, raw: string, kind: LinkKind): void {
    const { element } = tag;
    if (this.isFull()) {
      this.overLimit += 1;
      return;
    }
    const url = this.reference(raw);
    if (element === A) {
      this.add(url, kind, this.rel(tag), tag.tagEnd, tag.find(HREFLANG), tag.find(TYPE));
    } else if (element === AREA || element === IMG || element === IMAGE) {
      const rel = element === AREA ? this.rel(tag) : NO_REL;
      this.add(url, kind, rel, 0, undefined, undefined, tag.find(ALT));
    } else {
      this.add(url, kind);
    }
  }

  /** What an attribute says; as it stands, if the resolver needs no more to drop it. */
  private reference(raw: string): string {
    if (raw.length > MAX_REFERENCE || opaqueScheme(raw) !== undefined) return raw;
    this.room.spend(raw.length);
    return attributeValue(raw);
  }

  private rel(tag: TagScanner): readonly string[] {
    const raw = tag.find(REL);
    if (raw === undefined) return NO_REL;
    this.room.spend(Math.min(raw.length, MAX_REL));
    return relTokens(raw);
  }

  private hint(raw: string | undefined): string | undefined {
    return raw === undefined ? undefined : flatString(this.beginning(raw, MAX_HINT));
  }

  private beginning(raw: string, most: number): string {
    const text = raw.length > most ? raw.slice(0, most) : raw;
    this.room.spend(text.length);
    return attributeValue(text);
  }

  private add(
    url: string,
    kind: LinkKind,
    rel: readonly string[] = NO_REL,
    textStart = 0,
    hreflang?: string,
    type?: string,
    alt?: string,
  ): void {
    if (this.found.length >= this.maxLinks) {
      this.overLimit += 1;
      return;
    }
    this.textStarts.push(textStart);
    this.found.push({
      url,
      kind,
      rel,
      text: alt === undefined ? '' : collapse(this.beginning(alt, MAX_RAW_TEXT), MAX_LINK_TEXT),
      hreflang: this.hint(hreflang),
      type: this.hint(type),
    });
  }

  private visitMeta(tag: TagScanner): void {
    const content = tag.find(CONTENT);
    if (content === undefined) return;
    const name = tag.find(NAME);
    if (name !== undefined && name.length <= MAX_NAME && this.robots.length < MAX_ROBOTS) {
      const orders = attributeValue(content.slice(0, MAX_ROBOTS_CONTENT));
      if (ORDER.test(orders)) {
        this.robots.push({
          name: flatString(attributeValue(name).trim().toLowerCase()),
          content: flatString(orders),
        });
      }
    }
    if (!this.plan.kinds.has('meta[refresh]')) return;
    const pragma = tag.find(HTTP_EQUIV);
    if (pragma === undefined || pragma.length > MAX_NAME || content.length > MAX_REFERENCE) return;
    if (attributeValue(pragma).toLowerCase() !== 'refresh') return;
    if (this.isFull() || !this.listRoom.takes(content)) {
      this.overLimit += 1;
      return;
    }
    const refresh = parseRefresh(attributeValue(content));
    if (refresh?.url !== undefined) this.add(refresh.url, 'meta[refresh]');
  }

  private visitLink(tag: TagScanner): void {
    const { kinds } = this.plan;
    const href = tag.find(HREF);
    if (this.isFull()) {
      if (href !== undefined) this.overLimit += 1;
      return;
    }
    const rel = this.rel(tag);
    if (href !== undefined) {
      const kind = linkKindOf(rel);
      if (kind !== undefined && kinds.has(kind)) {
        this.add(this.reference(href), kind, rel, 0, tag.find(HREFLANG), tag.find(TYPE));
      }
    }
    if (!kinds.has('link[imagesrcset]')) return;
    const srcset = tag.find(IMAGE_SRCSET);
    if (srcset === undefined) return;
    for (const { url } of parseSrcset(this.list(srcset))) this.add(url, 'link[imagesrcset]', rel);
  }

  private visitScript(tag: TagScanner): void {
    if (!this.plan.kinds.has('json-ld') || !isJsonLd(tag.find(TYPE))) return;
    const content = tag.content();
    // What is beyond one block's limit is beyond that of all.
    this.blocks += 1;
    if (this.blocks > MAX_BLOCKS || !this.jsonRoom.takes(content)) {
      this.overLimit += 1;
      return;
    }
    const value = parseJsonLd(content);
    if (value === undefined) return;
    for (const url of jsonLdUrls(value)) this.add(url, 'json-ld');
  }

  private visitFrame(tag: TagScanner, srcdocs: Srcdoc[]): void {
    const raw = tag.svg ? undefined : tag.find(SRCDOC);
    if (raw === undefined) return;
    if (this.isFull() || srcdocs.length === MAX_SRCDOCS || !this.srcdocRoom.takes(raw)) {
      this.overLimit += 1;
      return;
    }
    srcdocs.push({ html: attributeValue(raw), at: this.found.length });
  }

  private visitStyle(tag: TagScanner): void {
    const style = tag.find(STYLE);
    if (style !== undefined) this.addCss(style, attributeValue);
    if (tag.element === STYLE_ELEMENT && !tag.svg) {
      this.addCss(tag.content(), (text) => text, tag.contentEnd === -1);
    }
  }

  private addCss(raw: string, decode: (text: string) => string, isCut = false): void {
    if (this.isFull()) {
      this.overLimit += 1;
      return;
    }
    const css = this.cssRoom.take(raw, raw.length);
    if (css.length < raw.length) this.overLimit += 1;
    for (const { url, kind } of cssUrls(decode(css), isCut || css.length < raw.length)) {
      if (this.plan.kinds.has(kind)) this.add(url, kind);
    }
  }
}

/** A blank or control in front of a fragment is part of the URL; at the end it would be dropped. */
function withoutPlainFragment(reference: string): string {
  const hash = reference.indexOf('#');
  return hash === -1 || reference.charCodeAt(hash - 1) <= SPACE
    ? reference
    : reference.slice(0, hash);
}

function pageUrl(url: string | URL): string {
  try {
    return new URL(url).href;
  } catch (cause) {
    throw new TypeError(`url: expected the absolute URL of the page, got ${show(url)}`, {
      cause,
    });
  }
}

/** HTML §4.2.3: the first `base` with a `href` counts, for all links of the page. */
function baseOf(href: string | undefined, page: string): string {
  if (href === undefined || href.length > MAX_BASE) return page;
  try {
    const { href: base, protocol } = new URL(attributeValue(href), page);
    return protocol === 'data:' || protocol === 'javascript:' ? page : base;
  } catch {
    return page;
  }
}

/** `undefined` where queries are UTF-8: Unicode encodings, and labels that nobody knows. */
function queryEncoder(label: string | undefined): ((query: string) => string) | undefined {
  const encoding = label === undefined ? undefined : encodingFromLabel(label);
  if (encoding === undefined || encoding === 'UTF-8' || encoding.startsWith('UTF-16')) {
    return undefined;
  }
  return (query) => encodeQuery(query, encoding);
}
