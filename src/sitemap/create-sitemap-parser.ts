import { expectString, show } from '../core/expect.js';
import { anything, expectOptions, integerFrom } from '../core/expect-options.js';
import {
  createTextDecoder,
  parseMediaType,
  sniffEncoding,
  type ChunkDecoder,
} from '../page/index.js';
import { EntryFields } from './entry-fields.js';
import { findRoot, type Prolog } from './find-root.js';
import {
  SITEMAP_MAX_BYTES,
  SITEMAP_MAX_URLS,
  type SitemapEntry,
  type SitemapKind,
  type SitemapOptions,
  type SitemapWarning,
  type SitemapWarningCode,
} from './sitemap.js';
import { isUrlLine, TextReader } from './text-reader.js';
import { Warnings } from './warnings.js';
import { XmlReader } from './xml-reader.js';

/** A declaration of the encoding stands within these first bytes. */
const HEAD_BYTES = 1024;

/** How many characters are searched for a root element. */
const MAX_PROLOG = 1_048_576;

/** Bytes that are read at one go: what was decided in between (a limit) takes effect behind. */
const SLICE = 65_536;

/** What was learnt about a sitemap besides its entries. */
export interface SitemapSummary {
  /** `unknown` until enough has been read to tell. */
  readonly kind: SitemapKind;
  /** Not all was read: the document was cut, broken or beyond a limit. */
  readonly truncated: boolean;
  readonly warnings: readonly SitemapWarning[];
}

/** Takes a sitemap in pieces. */
export interface SitemapParser extends SitemapSummary {
  /** Whether nothing more is read: a limit was passed, or it is no sitemap. */
  readonly done: boolean;
  /** The entries that are whole with these bytes. */
  write(bytes: Uint8Array): SitemapEntry[];
  /**
   * The entries that are whole with the end.
   *
   * @param cut - whether the bytes ended before the document did, as far as the caller knows
   */
  end(cut?: boolean): SitemapEntry[];
}

/**
 * Makes a parser that takes a sitemap in pieces and gives each entry as soon as it is whole, in
 * memory that does not grow with the sitemap. Takes bytes that are not compressed; see
 * {@link sitemapEntries} for those that may be.
 *
 * Reads sitemaps and indexes in XML (in any name space, or none), text with one URL a line, RSS
 * and Atom. Broken parts are passed over and become warnings; nothing that a document holds
 * makes it throw. Of DTDs nothing is read, and entities other than the five of XML and numeric
 * ones are not expanded.
 *
 * @throws TypeError if `options.url` is no absolute URL
 * @throws RangeError if a limit is no whole number of 1 or more
 *
 * @example
 * ```ts
 * const parser = createSitemapParser({ url: 'https://a.example/sitemap.xml' });
 * parser.write(Buffer.from('<urlset><url><loc>/1</loc></url><url><loc>/2')); // []
 * parser.end(); // [{ url: 'https://a.example/1' }]
 * parser.truncated; // true
 * ```
 */
export function createSitemapParser(options: SitemapOptions): SitemapParser {
  return new Reader(options);
}

class Reader implements SitemapParser {
  readonly #contentType: string | undefined;
  readonly #maxUrls: number;
  readonly #maxBytes: number;
  readonly #warnings = new Warnings<SitemapWarningCode>();
  readonly #fields: EntryFields;
  readonly #prolog: Prolog = { doctype: false, garbage: false, entities: new Set() };
  #head: Buffer[] = [];
  #headBytes = 0;
  #decoder: ChunkDecoder | undefined;
  #bytes = 0;
  #urls = 0;
  /** Text that has not been told apart yet, and where the search in it goes on. */
  #pending = '';
  #at = 0;
  #xml: XmlReader | undefined;
  #text: TextReader | undefined;
  kind: SitemapKind = 'unknown';
  truncated = false;
  done = false;

  constructor(options: SitemapOptions) {
    expectOptions('sitemap', options, {
      url: anything,
      contentType: expectString,
      maxUrls: integerFrom(1),
      maxBytes: integerFrom(1),
    });
    this.#contentType = options.contentType;
    this.#maxUrls = options.maxUrls ?? SITEMAP_MAX_URLS;
    this.#maxBytes = options.maxBytes ?? SITEMAP_MAX_BYTES;
    this.#fields = new EntryFields(absolute(options.url), this.#warnings);
  }

  get warnings(): readonly SitemapWarning[] {
    return this.#warnings.list();
  }

  write(bytes: Uint8Array): SitemapEntry[] {
    const found: SitemapEntry[] = [];
    for (let at = 0; at < bytes.length && !this.done; at += SLICE) {
      for (const entry of this.#slice(bytes.subarray(at, at + SLICE))) found.push(entry);
    }
    return found;
  }

  end(cut = false): SitemapEntry[] {
    if (this.done) return [];
    const found = this.#decoder ? this.#consume(this.#decoder.end()) : this.#begin(true);
    if (!this.#isDone()) found.push(...this.#last(cut));
    this.done = true;
    return found;
  }

  /** Read by a method, since TypeScript holds a field for unchanged by the calls between. */
  #isDone(): boolean {
    return this.done;
  }

  #slice(bytes: Uint8Array): SitemapEntry[] {
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += bytes.length;
    const found = this.#decode(bytes.length > room ? bytes.subarray(0, room) : bytes);
    if (bytes.length > room) this.#stop('too-large', `more than ${this.#maxBytes} bytes`);
    return found;
  }

  #decode(bytes: Uint8Array): SitemapEntry[] {
    if (this.#decoder) return this.#consume(this.#decoder.write(bytes));
    this.#head.push(Buffer.from(bytes));
    this.#headBytes += bytes.length;
    return this.#headBytes < HEAD_BYTES ? [] : this.#begin(false);
  }

  /** Finds the encoding, and reads what has been kept for that. */
  #begin(last: boolean): SitemapEntry[] {
    const head = Buffer.concat(this.#head);
    this.#head = [];
    const decoder = createTextDecoder(encodingOf(head, this.#contentType));
    this.#decoder = decoder;
    return this.#consume(decoder.write(head) + (last ? decoder.end() : ''));
  }

  #consume(text: string): SitemapEntry[] {
    if (this.#xml) return this.#readXml(this.#xml, text);
    if (this.#text) return this.#admit(this.#text.write(text));
    this.#pending += text;
    return this.#tellKind(false);
  }

  #readXml(reader: XmlReader, text: string): SitemapEntry[] {
    const found = this.#admit(reader.write(text));
    if (reader.stopped) {
      this.truncated = true;
      this.done = true;
    }
    return found;
  }

  /** Tells the kind of document by the text so far, and reads that text. */
  #tellKind(last: boolean): SitemapEntry[] {
    const start = /\S/.exec(this.#pending)?.index;
    if (start === undefined) {
      this.#pending = '';
      this.#at = 0;
      return [];
    }
    if (isUrlLine(this.#pending.slice(start, start + 16))) return this.#beginText();
    const search = findRoot(this.#pending, this.#at, last, this.#prolog);
    if (search.state === 'found') return this.#beginXml(search.kind, search.at);
    if (search.state === 'none' || this.#pending.length > MAX_PROLOG) {
      this.#stop('not-a-sitemap', 'neither sitemap nor feed');
      return [];
    }
    this.#at = search.at;
    return [];
  }

  #beginText(): SitemapEntry[] {
    this.kind = 'text';
    this.#text = new TextReader(this.#fields);
    return this.#admit(this.#text.write(this.#release(0)));
  }

  #beginXml(kind: SitemapKind, at: number): SitemapEntry[] {
    this.kind = kind;
    const { doctype, garbage, entities } = this.#prolog;
    if (doctype) this.#warnings.add('doctype', 'a DTD is not read');
    if (garbage) this.#warnings.add('leading-text', 'something stands before the root element');
    for (const name of entities) this.#fields.entities.add(name);
    this.#xml = new XmlReader(kind, this.#fields, this.#warnings);
    return this.#readXml(this.#xml, this.#release(at));
  }

  #release(at: number): string {
    const text = this.#pending.slice(at);
    this.#pending = '';
    return text;
  }

  /** What is left at the end. */
  #last(cut: boolean): SitemapEntry[] {
    const found = this.#xml || this.#text ? [] : this.#tellAtEnd();
    if (this.#isDone()) return found;
    if (this.#xml) {
      found.push(...this.#admit(this.#xml.end()));
      if (cut || !this.#xml.whole) this.#cut();
    } else if (this.#text) {
      found.push(...this.#admit(this.#text.end(cut)));
      if (cut) this.#cut();
    } else if (cut) {
      this.#cut();
    }
    return found;
  }

  /** Nothing has told the kind so far. */
  #tellAtEnd(): SitemapEntry[] {
    if (this.#pending === '') {
      this.#warnings.add('empty', 'there is nothing in it');
      return [];
    }
    const found = this.#tellKind(true);
    if (this.#xml || this.#text || this.#isDone()) return found;
    if (this.#pending.split(/[\r\n]+/).some((line) => isUrlLine(line.trim()))) {
      return this.#beginText();
    }
    this.#warnings.add('not-a-sitemap', 'neither sitemap nor feed');
    return [];
  }

  #cut(): void {
    this.truncated = true;
    this.#warnings.add('cut', 'the document ends early');
  }

  #admit(entries: SitemapEntry[]): SitemapEntry[] {
    const room = this.#maxUrls - this.#urls;
    this.#urls += entries.length;
    if (entries.length <= room) return entries;
    this.#stop('too-many-urls', `more than ${this.#maxUrls} entries`);
    return entries.slice(0, room);
  }

  #stop(code: 'too-large' | 'too-many-urls' | 'not-a-sitemap', message: string): void {
    if (this.done) return;
    this.#warnings.add(code, message);
    this.truncated = code !== 'not-a-sitemap';
    this.done = true;
  }
}

/** UTF-8 unless a mark, the header or the declaration says otherwise. */
function encodingOf(head: Buffer, contentType: string | undefined): string {
  const parameters = parseMediaType(contentType)?.parameters ?? new Map<string, string>();
  const type = { essence: 'application/xml', type: 'application', subtype: 'xml', parameters };
  const whole = sniffEncoding(head, type);
  if (whole.source !== 'default') return whole.encoding;
  // The declaration may stand behind blanks or a server's warning.
  const declaration = head.indexOf('<?xml');
  return declaration > 0
    ? sniffEncoding(head.subarray(declaration), type).encoding
    : whole.encoding;
}

function absolute(url: string): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new TypeError(
      `sitemap: url: expected the absolute URL of the sitemap, got ${show(url)}`,
      { cause },
    );
  }
}
