import type { EntryFields } from './entry-fields.js';
import type { SitemapEntry } from './sitemap.js';

/** A longer line is no URL. */
const MAX_LINE = 10_000;

/** Reads a sitemap of one URL a line, in pieces. Lines that are no absolute URL are dropped. */
export class TextReader {
  readonly #fields: EntryFields;
  #rest = '';

  constructor(fields: EntryFields) {
    this.#fields = fields;
  }

  write(text: string): SitemapEntry[] {
    const lines = (this.#rest + text).split(/\r\n?|\n/);
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    return lines.flatMap((line) => this.#entry(line));
  }

  /** @param cut - the text ends early, so its last line may not be whole */
  end(cut: boolean): SitemapEntry[] {
    return cut ? [] : this.#entry(this.#rest);
  }

  #entry(line: string): SitemapEntry[] {
    // A URL parser would join what is behind a tab, such as a date, to the URL.
    const loc = line.trim().split('\t', 1)[0] ?? '';
    if (!isUrlLine(loc)) return [];
    const entry = this.#fields.entry({ loc, alternates: [], images: [] });
    return entry ? [entry] : [];
  }
}

/** Whether a line of a text sitemap holds a URL. */
export function isUrlLine(line: string): boolean {
  return /^https?:\/\//i.test(line);
}
