/*
 * Reads the elements of a sitemap or feed.
 *
 * On `htmlparser2` and not on `saxes`: both take 30 MB/s and more, but where an ampersand is not
 * escaped, as in every tenth sitemap of the wild, saxes reads on to the next semicolon and loses
 * the entries between; htmlparser2 keeps it as text. Neither knows DTDs, and of entities only the
 * five of XML and numeric ones are decoded.
 */

import { Parser } from 'htmlparser2';
import { XmlBases } from '../page/xml-bases.js';
import type { EntryFields, RawEntry } from './entry-fields.js';
import type { SitemapEntry, SitemapKind, SitemapWarningCode } from './sitemap.js';
import type { Warnings } from './warnings.js';

/** Deeper nesting is an attack: the parser's own work per element grows with it. */
const MAX_DEPTH = 100;

/** Text of an element that is kept; more than that is neither URL nor date. */
const MAX_TEXT = 10_000;

/** How many images and alternates of one entry are kept. */
const MAX_LINKS = 1000;

/** The element of one entry, by the kind of document. */
const ENTRY: Readonly<Record<string, string>> = {
  urlset: 'url',
  index: 'sitemap',
  rss: 'item',
  atom: 'entry',
};

type Field = 'loc' | 'lastmod' | 'priority' | 'changefreq' | 'image';

/** The element whose text is a field, by the kind of document. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Field | undefined>>>> = {
  urlset: table({ loc: 'loc', lastmod: 'lastmod', priority: 'priority', changefreq: 'changefreq' }),
  index: table({ loc: 'loc', lastmod: 'lastmod' }),
  rss: table({ link: 'loc', pubdate: 'lastmod', date: 'lastmod' }),
  atom: table({ updated: 'lastmod', published: 'lastmod' }),
};

/** Elements that may stand beside entries without a warning. */
const BESIDE: Readonly<Record<string, ReadonlySet<string>>> = {
  urlset: new Set(['urlset', 'url']),
  index: new Set(['sitemapindex', 'sitemap', 'url']),
};

function table(fields: Record<string, Field>): Readonly<Record<string, Field | undefined>> {
  return Object.assign(Object.create(null) as object, fields);
}

/** Takes text in pieces, beginning at the root element, and gives whole entries. */
export class XmlReader {
  readonly #kind: SitemapKind;
  readonly #fields: EntryFields;
  readonly #warnings: Warnings<SitemapWarningCode>;
  readonly #parser: Parser;
  readonly #bases: XmlBases;
  #found: SitemapEntry[] = [];
  #depth = 0;
  #prefix = '';
  #entry: RawEntry | undefined;
  #entryDepth = 0;
  /** The text directly in the entry, for sitemaps that forget `loc`. */
  #bare = '';
  /** A URL of a feed's entry that counts if there is no better one. */
  #guid: string | undefined;
  /** One that is said to be a mere name, and counts if there is no other at all. */
  #name: string | undefined;
  /** The element of an extension directly in the entry that is open. */
  #extension = '';
  #field: Field | 'guid' | 'name' | undefined;
  #fieldDepth = 0;
  #text = '';
  #ending = false;
  /** The root element was closed by its own end tag. */
  whole = false;
  /** The rest is not to be read. */
  stopped = false;

  constructor(kind: SitemapKind, fields: EntryFields, warnings: Warnings<SitemapWarningCode>) {
    this.#kind = kind;
    this.#fields = fields;
    this.#warnings = warnings;
    this.#bases = new XmlBases(fields.base);
    this.#parser = new Parser(
      {
        // Depth counts names, since a tag that is cut behind its name is closed at the end too.
        onopentagname: () => (this.#depth += 1),
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => this.#addText(text),
        onclosetag: (name, implied) => this.#close(name, implied),
      },
      { xmlMode: true, decodeEntities: true, lowerCaseTags: true },
    );
  }

  write(text: string): SitemapEntry[] {
    this.#parser.write(text);
    return this.#take();
  }

  end(): SitemapEntry[] {
    this.#ending = true;
    this.#parser.end();
    return this.#take();
  }

  #take(): SitemapEntry[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    if (this.stopped) return;
    if (this.#depth > MAX_DEPTH) {
      this.#warnings.add('too-deep', `elements are nested deeper than ${MAX_DEPTH}`);
      this.stopped = true;
      return;
    }
    this.#bases.open(this.#depth, attributes['xml:base']);
    const colon = qualified.indexOf(':');
    const prefix = qualified.slice(0, Math.max(colon, 0));
    const name = qualified.slice(colon + 1);
    if (name === ENTRY[this.#kind] && this.#isEntry(prefix)) {
      if (this.#field !== undefined) this.#store(this.#field, this.#text);
      this.#finish(true);
      this.#entry = { alternates: [], images: [] };
      this.#entryDepth = this.#depth;
      this.#prefix = prefix;
      this.#bare = '';
      this.#guid = this.#name = undefined;
      this.#field = undefined;
    } else if (this.#entry === undefined) {
      this.#beside(name);
    } else if (this.#depth === this.#entryDepth + 1) {
      this.#openChild(this.#entry, prefix, name, attributes);
    } else if (
      this.#depth === this.#entryDepth + 2 &&
      name === 'loc' &&
      this.#extension === 'image' &&
      this.#entry.images.length < MAX_LINKS
    ) {
      this.#capture('image');
    }
  }

  /** Whether an element of the entry's name begins one, and is no part of an extension. */
  #isEntry(prefix: string): boolean {
    if (this.#entry === undefined) return true;
    const deep = this.#depth - this.#entryDepth;
    const near = deep === 1 || (deep === 2 && this.#field !== undefined);
    return near && (prefix === this.#prefix || prefix === '');
  }

  #beside(name: string): void {
    const known = BESIDE[this.#kind];
    if (known !== undefined && this.#depth <= 2 && !known.has(name)) {
      this.#warnings.add('unknown-element', `unknown element <${name.slice(0, 80)}>`);
    }
  }

  /** An element directly in the entry. */
  #openChild(
    entry: RawEntry,
    prefix: string,
    name: string,
    attributes: Readonly<Record<string, string>>,
  ): void {
    const own = prefix === this.#prefix || prefix === '';
    this.#extension = name;
    if (name === 'link' && this.#kind !== 'rss') {
      this.#link(entry, attributes);
    } else if (name === 'link' && !own) {
      const { href } = attributes;
      if (href !== undefined) this.#guid ??= this.#bases.resolve(href);
    } else if (name === 'guid' && this.#kind === 'rss') {
      this.#capture(attributes['isPermaLink'] === 'false' ? 'name' : 'guid');
    } else if (own || name === 'date') {
      const field = FIELDS[this.#kind]?.[name];
      if (field !== undefined) this.#capture(field);
    }
  }

  /** An `xhtml:link` of a sitemap, or the `link` of an Atom entry. */
  #link(entry: RawEntry, attributes: Readonly<Record<string, string>>): void {
    const { rel, href, hreflang } = attributes;
    if (href === undefined) return;
    const alternate = rel?.trim().toLowerCase() === 'alternate';
    if (this.#kind === 'atom') {
      if (alternate || rel === undefined) entry.loc ??= this.#bases.resolve(href);
    } else if (alternate && entry.alternates.length < MAX_LINKS) {
      entry.alternates.push({ url: href, hreflang: hreflang ?? '' });
    }
  }

  #capture(field: Field | 'guid' | 'name'): void {
    this.#field = field;
    this.#fieldDepth = this.#depth;
    this.#text = '';
  }

  #addText(text: string): void {
    if (this.#field !== undefined) {
      if (this.#text.length <= MAX_TEXT) this.#text += text;
    } else if (this.#entry !== undefined && this.#depth === this.#entryDepth) {
      if (this.#bare.length <= MAX_TEXT) this.#bare += text;
    }
  }

  #close(_name: string, implied: boolean): void {
    if (this.stopped) return;
    if (this.#field !== undefined && this.#depth === this.#fieldDepth) {
      // What ends because the document does may not be whole.
      if (!(implied && this.#ending)) this.#store(this.#field, this.#text);
      this.#field = undefined;
    }
    if (this.#entry !== undefined && this.#depth === this.#entryDepth) {
      this.#finish(!(implied && this.#ending));
    }
    this.#bases.close(this.#depth);
    this.#depth -= 1;
    if (this.#depth === 0 && !implied) this.whole = true;
  }

  #store(field: Field | 'guid' | 'name', text: string): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    if (field === 'image') entry.images.push(text);
    else if (field === 'guid') this.#guid ??= text;
    else if (field === 'name') this.#name ??= text;
    else if (field === 'loc') entry.loc ??= this.#bases.resolve(text);
    else entry[field] ??= text;
  }

  /**
   * Gives the entry that is open.
   *
   * @param closed - it has ended, so that text directly in it is whole
   */
  #finish(closed: boolean): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    this.#entry = undefined;
    if (entry.loc === undefined || entry.loc.trim() === '') {
      const other = this.#guid ?? this.#name ?? (closed ? this.#bare : '');
      if (!/^\s*https?:/i.test(other)) {
        if (closed) this.#warnings.add('invalid-url', 'an entry without a URL');
        return;
      }
      entry.loc = other;
    }
    const found = this.#fields.entry(entry);
    if (found === undefined) return;
    if (this.#kind === 'index' && this.#fields.isSelf(found.url)) {
      this.#warnings.add('loop', 'the index names itself');
    } else {
      this.#found.push(found);
    }
  }
}
