import type { ResponseHeaders } from '../core/index.js';
import { addHrefs } from './add-hrefs.js';
import { Allowance } from './allowance.js';
import { feedLinks, type FeedLink } from './feed-links.js';
import { headerLinks } from './header-links.js';
import { jsonFeedLinks } from './json-feed-links.js';
import { resolveKinds, type LinkKind, type LinkKinds } from './link-kinds.js';
import { LinkPass, MAX_READ } from './link-pass.js';
import { LinkResolver } from './link-resolver.js';
import type { ExtractLinksOptions, Link, LinkScan } from './link-scan.js';
import { MAX_LINK_TEXT, collapse } from './link-text.js';
import type { PageKind } from './mime/index.js';

/** What is read of a page to find its links. */
export interface LinkSource {
  readonly url: string;
  readonly kind: PageKind;
  readonly contentType: string | undefined;
  readonly headers: ResponseHeaders;
  readonly text: string;
  readonly encoding: string;
}

/** Which links are read. */
export interface LinkReadingOptions extends Pick<
  ExtractLinksOptions,
  'kinds' | 'maxLinks' | 'noscript' | 'srcdoc'
> {
  /** Whether `Link` and `Refresh` headers count. Default true. */
  readonly headerLinks?: boolean | undefined;
}

/** The links of a page of whatever kind, those of its header first. */
export class LinkReading {
  readonly #inHeader: readonly Link[];
  /** Of an HTML page. */
  readonly #pass: LinkPass | undefined;
  readonly #entries: LinkScan | undefined;
  #scan: LinkScan | undefined;

  constructor(source: LinkSource, options: LinkReadingOptions) {
    const { url, kind } = source;
    const { kinds, maxLinks, noscript, srcdoc } = options;
    if (kind === 'html' || kind === 'xhtml') {
      this.#pass = new LinkPass(source.text, {
        url,
        contentType: kind === 'xhtml' ? 'application/xhtml+xml' : undefined,
        kinds,
        maxLinks,
        noscript,
        srcdoc,
        encoding: source.encoding,
      });
    } else {
      this.#entries = scanFeed(entriesOf(source), url, wantedKinds(kinds), maxLinks);
    }
    this.#inHeader =
      options.headerLinks === false ? [] : headerLinks(url, source.headers, wantedKinds(kinds));
  }

  get base(): string {
    return (this.#pass ?? this.scan).base;
  }

  /** Resolves references as they stand on the page. */
  resolver(): LinkResolver {
    return this.#pass?.resolver() ?? new LinkResolver(this.base);
  }

  get robots(): LinkScan['robots'] {
    return (this.#pass ?? this.scan).robots;
  }

  /** Texts are empty before {@link withTexts}. */
  get scan(): LinkScan {
    return (this.#scan ??= this.#withHeader((this.#pass?.scan ?? this.#entries) as LinkScan));
  }

  get withTexts(): LinkScan {
    this.#pass?.readTexts();
    return this.scan;
  }

  /** Adds the URLs of links, without their fragments: each once, in the order of the links. */
  addHrefs(isWanted: (link: Link) => boolean, hrefs: Set<string>): void {
    addHrefs(this.#inHeader, isWanted, hrefs);
    if (this.#pass !== undefined) this.#pass.addHrefs(isWanted, hrefs);
    else addHrefs(this.#entries?.links ?? [], isWanted, hrefs);
  }

  #withHeader(scan: LinkScan): LinkScan {
    if (this.#inHeader.length === 0) return scan;
    return { ...scan, links: [...this.#inHeader, ...scan.links] };
  }
}

function wantedKinds(kinds: LinkKinds | undefined): ReadonlySet<LinkKind> {
  return kinds === undefined ? DEFAULT_KINDS : resolveKinds(kinds);
}

const DEFAULT_KINDS = resolveKinds(['default']);

function entriesOf({ kind, contentType, text, url }: LinkSource): readonly FeedLink[] {
  if (kind === 'rss' || kind === 'atom') return feedLinks(text, url);
  return contentType === 'application/feed+json' ? jsonFeedLinks(text) : [];
}

function scanFeed(
  entries: readonly FeedLink[],
  url: string,
  kinds: ReadonlySet<LinkKind>,
  maxLinks = 10_000,
): LinkScan {
  const links: Link[] = [];
  if (entries.length === 0) {
    return { links, base: url, overLimit: 0, invalid: 0, schemes: new Map(), robots: [] };
  }
  const resolver = new LinkResolver(new URL(url).href);
  const room = new Allowance(MAX_READ);
  let overLimit = 0;
  for (const { url: reference, kind, title } of entries) {
    if (!kinds.has(kind)) continue;
    if (links.length >= maxLinks || room.spent) {
      overLimit += 1;
      continue;
    }
    room.spend(reference.length);
    const absolute = resolver.resolve(reference);
    if (absolute === undefined) continue;
    const text = collapse(title, MAX_LINK_TEXT);
    links.push({ url: absolute, kind, rel: [], text, hreflang: undefined, type: undefined });
  }
  const { invalid, schemes } = resolver;
  return { links, base: url, overLimit, invalid, schemes, robots: [] };
}
