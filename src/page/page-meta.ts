import { Allowance } from './allowance.js';
import { attributeValue } from './html-value.js';
import { flatString } from './flat-string.js';
import { MAX_BLOCKS, MAX_JSON_LD, isJsonLd, parseJsonLd, type JsonValue } from './json-ld.js';
import { collapse } from './link-text.js';
import { parseMediaType } from './mime/index.js';
import { attributeName, elementId, tagSet } from './html-elements.js';
import { TagScanner } from './tag-scanner.js';
import type { Link } from './link-scan.js';
import type { RobotsDirectives } from './robots-directives.js';

/** What a page says about itself. */
export interface PageMeta {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /**
   * The URL that the page gives as its own. `undefined` also if it names two different ones, or
   * one in its body: then `warnings` says so.
   */
  readonly canonical: string | undefined;
  /** `lang` of the `html` element, such as `en-GB`. */
  readonly language: string | undefined;
  readonly robots: RobotsDirectives;
  readonly next: string | undefined;
  readonly prev: string | undefined;
  readonly amphtml: string | undefined;
  /** The page in other languages. */
  readonly alternates: readonly { readonly url: string; readonly hreflang: string }[];
  /** RSS, Atom and JSON feeds. */
  readonly feeds: readonly string[];
  /** `og:`, `article:` and other properties of Open Graph, and `twitter:`. No prototype. */
  readonly openGraph: Readonly<Record<string, readonly string[]>>;
  /** The blocks of JSON-LD that could be read. Their objects have no prototype. */
  readonly jsonLd: readonly JsonValue[];
  /** What was ignored: `canonical-conflict`, `canonical-in-body`, `json-ld-invalid`. */
  readonly warnings: readonly string[];
}

/** The parts of {@link PageMeta} that need a scan of their own. */
export interface ScannedMeta {
  description: string | undefined;
  language: string | undefined;
  openGraph: Record<string, string[]>;
  jsonLd: JsonValue[];
  warnings: string[];
}

const LANG = attributeName('lang');
const XML_LANG = attributeName('xml:lang');
const NAME = attributeName('name');
const PROPERTY = attributeName('property');
const CONTENT = attributeName('content');
const TYPE = attributeName('type');
const REL = attributeName('rel');

const EVERY_TAG = tagSet(['*']);
const HTML = elementId('html');
const META = elementId('meta');
const LINK = elementId('link');
const SCRIPT = elementId('script');
/** What may stand in a head; any other start tag begins the body. */
const HEAD = new Set(
  ['html', 'head', 'title', 'base', 'link', 'meta', 'style', 'script', 'noscript', 'template'].map(
    elementId,
  ),
);
const OPEN_GRAPH = /^(?:og|article|book|profile|music|video|product|fb|twitter):/;
const MAX_PROPERTIES = 1000;
const MAX_DESCRIPTION = 10_000;
/** Longer values of other attributes are read up to here, and so many characters of a page. */
const MAX_VALUE = 10_000;
const MAX_NAME = 200;
/** So many tags are looked at; a page of 10 MiB could have 3,000,000. */
const MAX_TAGS = 250_000;
const MAX_READ = 1_000_000;

/** Reads the meta elements and JSON-LD blocks of a page. */
export function scanMetadata(html: string, xml: boolean): ScannedMeta {
  const meta: ScannedMeta = {
    description: undefined,
    language: undefined,
    openGraph: Object.create(null) as Record<string, string[]>,
    jsonLd: [],
    warnings: [],
  };
  let inBody = false;
  let properties = 0;
  let blocks = 0;
  const warn = (warning: string) => {
    if (!meta.warnings.includes(warning)) meta.warnings.push(warning);
  };
  const room = new Allowance(MAX_READ);
  const jsonRoom = new Allowance(MAX_JSON_LD);
  const value = (raw: string | undefined) =>
    raw === undefined ? '' : flatString(attributeValue(room.take(raw, MAX_VALUE)).trim());
  new TagScanner(html, { xml, maxTags: MAX_TAGS }).scan(EVERY_TAG, (tag) => {
    const { element } = tag;
    if (tag.svg) return true;
    if (element === HTML) {
      meta.language ??= value(tag.find(LANG) ?? tag.find(XML_LANG)) || undefined;
    } else if (element === META) {
      const raw = tag.find(PROPERTY) ?? tag.find(NAME);
      if (raw === undefined || raw.length > MAX_NAME) return true;
      const name = flatString(attributeValue(raw).trim().toLowerCase());
      if (name === 'description') {
        meta.description ??= collapse(value(tag.find(CONTENT)), MAX_DESCRIPTION) || undefined;
      } else if (OPEN_GRAPH.test(name) && properties < MAX_PROPERTIES) {
        properties += 1;
        (meta.openGraph[name] ??= []).push(value(tag.find(CONTENT)));
      }
    } else if (element === SCRIPT) {
      if (isJsonLd(tag.find(TYPE))) {
        const content = tag.content();
        blocks += 1;
        const mayRead = blocks <= MAX_BLOCKS && jsonRoom.takes(content);
        const block = mayRead ? parseJsonLd(content) : undefined;
        if (block === undefined) warn('json-ld-invalid');
        else meta.jsonLd.push(block);
      }
    } else if (element === LINK && inBody) {
      if (/(?:^|\s)canonical(?:\s|$)/i.test(tag.find(REL) ?? '')) warn('canonical-in-body');
    }
    inBody ||= !HEAD.has(element);
    return true;
  });
  return meta;
}

/** Puts together what a scan, the links and the robots directives tell. */
export function pageMeta(
  title: string | undefined,
  scanned: ScannedMeta,
  links: readonly Link[],
  robots: RobotsDirectives,
): PageMeta {
  const first = (kind: Link['kind']) => links.find((link) => link.kind === kind)?.url;
  const warnings = [...scanned.warnings];
  const canonicals = new Set(
    links.filter(({ kind }) => kind === 'canonical').map(({ url }) => url),
  );
  if (canonicals.size > 1) warnings.push('canonical-conflict');
  const clear = canonicals.size === 1 && !warnings.includes('canonical-in-body');
  const alternates = links.filter(({ kind }) => kind === 'alternate');
  return {
    title,
    description: scanned.description,
    canonical: clear ? [...canonicals][0] : undefined,
    language: scanned.language,
    robots,
    next: first('next'),
    prev: first('prev'),
    amphtml: first('amphtml'),
    alternates: alternates.flatMap(({ url, hreflang }) =>
      hreflang === undefined ? [] : [{ url, hreflang }],
    ),
    feeds: alternates.filter(({ type }) => isFeed(type)).map(({ url }) => url),
    openGraph: scanned.openGraph,
    jsonLd: scanned.jsonLd,
    warnings,
  };
}

const FEED_TYPES = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
]);

function isFeed(type: string | undefined): boolean {
  return FEED_TYPES.has(parseMediaType(type ?? '')?.essence ?? '');
}
