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
    // Not by a regular expression: 50 MB of empty lines take that 15 s, and this 2 s.
    const lines = (this.#rest + text.replaceAll('\r', '\n')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    const entries: SitemapEntry[] = [];
    for (const line of lines) if (line !== '') entries.push(...this.#entry(line));
    return entries;
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
