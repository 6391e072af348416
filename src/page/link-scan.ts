import type { LinkKind, LinkKinds } from './link-kinds.js';

/** One link of a page. */
export interface Link {
  /** Absolute `http:` or `https:` URL, with its fragment. */
  readonly url: string;
  /** Where it was found: element and attribute, or a role such as `canonical`. */
  readonly kind: LinkKind;
  /** Tokens of its `rel`, lower case: `['nofollow', 'ugc']`. */
  readonly rel: readonly string[];
  /**
   * What a reader sees: the text of an `a`, or the `alt` of the image that it consists of; the
   * `alt` of an image or area; blanks collapsed, at most 200 characters.
   */
  readonly text: string;
  /** Language of what it leads to. */
  readonly hreflang: string | undefined;
  /** Media type of what it leads to: tells feeds among the alternates. */
  readonly type: string | undefined;
}

/** How `extractLinks()` reads. */
export interface ExtractLinksOptions {
  /** URL of the page; links are relative to it, or to its `<base href>`. */
  readonly url: string | URL;
  /** Value of the Content-Type field. XHTML is read by XML's rules. Default HTML. */
  readonly contentType?: string | undefined;
  /** Which kinds to report, see {@link linkKinds}. Default `['default']`. */
  readonly kinds?: LinkKinds | undefined;
  /** At most so many links are reported. Default 10,000. */
  readonly maxLinks?: number | undefined;
  /** Whether the content of `noscript` is part of the page. Default true. */
  readonly noscript?: boolean | undefined;
  /** Encoding of the page, in which browsers write the queries of its links. Default UTF-8. */
  readonly encoding?: string | undefined;
  /**
   * Whether the documents in `srcdoc` attributes of frames are looked into; their links stand
   * where the frame does. Default false.
   */
  readonly srcdoc?: boolean | undefined;
}

/** A `meta` element that gives orders to robots. */
export interface RobotsMeta {
  /** Lower case: `robots`, or the name of one robot. */
  readonly name: string;
  readonly content: string;
}

/** All that one pass over a page tells about its links. */
export interface LinkScan {
  /** In document order, duplicates included. */
  readonly links: readonly Link[];
  /** What links are relative to. */
  readonly base: string;
  /** How many links there were beyond `maxLinks`, and beyond what is read of one page. */
  readonly overLimit: number;
  /** How many links were no URL. */
  readonly invalid: number;
  /** How many links had another scheme, by scheme: `mailto:` → 3. */
  readonly schemes: ReadonlyMap<string, number>;
  /** `meta` elements with a name and a content that says `nofollow`, `noindex` or `none`. */
  readonly robots: readonly RobotsMeta[];
}
