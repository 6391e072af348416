import { parseLastmod } from './parse-lastmod.js';
import type {
  ChangeFrequency,
  SitemapAlternate,
  SitemapEntry,
  SitemapWarningCode,
} from './sitemap.js';
import type { Warnings } from './warnings.js';

/** A longer URL is none that a server would answer. */
const MAX_URL_LENGTH = 8192;

const FREQUENCIES: ReadonlySet<string> = new Set<ChangeFrequency>([
  'always',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
  'never',
]);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The texts of one entry as they stand in the document. */
export interface RawEntry {
  loc?: string;
  lastmod?: string;
  priority?: string;
  changefreq?: string;
  readonly alternates: { readonly url: string; readonly hreflang: string }[];
  readonly images: string[];
}

/** Turns the texts of an entry into values. */
export class EntryFields {
  readonly #base: URL;
  readonly #warnings: Warnings<SitemapWarningCode>;
  /** Names of entities that must not occur. */
  readonly entities: Set<string> = new Set<string>();

  constructor(base: URL, warnings: Warnings<SitemapWarningCode>) {
    this.#base = base;
    this.#warnings = warnings;
  }

  /** URL of the document. */
  get base(): string {
    return this.#base.href;
  }

  /** Whether a URL is that of the sitemap itself. */
  isSelf(url: string): boolean {
    return url === this.#base.href;
  }

  /** The entry, or `undefined` if it has no URL that can be used. */
  entry(raw: RawEntry): SitemapEntry | undefined {
    const url = this.#url(raw.loc ?? '', true);
    if (url === undefined) return undefined;
    const lastmod = raw.lastmod === undefined ? undefined : parseLastmod(raw.lastmod);
    const priority = parsePriority(raw.priority);
    const changefreq = raw.changefreq?.trim().toLowerCase();
    const alternates = raw.alternates.flatMap(({ url: target, hreflang }): SitemapAlternate[] => {
      const absolute = this.#url(target, false);
      return absolute ? [{ url: absolute.href, hreflang }] : [];
    });
    const images = raw.images.flatMap((image) => this.#url(image, false)?.href ?? []);
    const entry: Mutable<SitemapEntry> = { url: url.href };
    if (lastmod !== undefined) entry.lastmod = lastmod;
    if (priority !== undefined) entry.priority = priority;
    if (isFrequency(changefreq)) entry.changefreq = changefreq;
    if (alternates.length > 0) entry.alternates = alternates;
    if (images.length > 0) entry.images = images;
    if (url.host !== this.#base.host) entry.otherHost = true;
    return entry;
  }

  /** The absolute URL of a text, or `undefined` with a warning. */
  #url(text: string, warn: boolean): URL | undefined {
    const trimmed = text.trim();
    const problem = this.#problem(trimmed);
    if (problem === undefined) {
      const url = parse(trimmed, this.#base);
      if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
    }
    if (warn) {
      const shown = JSON.stringify(trimmed.slice(0, 200));
      if (problem === 'entity') this.#warnings.add('entity', `an entity is not expanded: ${shown}`);
      else this.#warnings.add('invalid-url', `expected an http: or https: URL, got ${shown}`);
    }
    return undefined;
  }

  #problem(text: string): 'entity' | 'text' | undefined {
    if (text === '' || text.length > MAX_URL_LENGTH || hasControl(text)) return 'text';
    if (this.entities.size === 0) return undefined;
    for (const [, name = ''] of text.matchAll(/&([\w.:-]+)/g)) {
      if (this.entities.has(name)) return 'entity';
    }
    return undefined;
  }
}

function parse(text: string, base: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Tabs and line ends in a URL are dropped by the URL standard; other controls are an accident. */
function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code < 0x20 && code !== 9 && code !== 10 && code !== 13) || code === 0x7f) return true;
  }
  return false;
}

function parsePriority(text: string | undefined): number | undefined {
  const value = text?.trim();
  if (value === undefined || !/^\d{0,3}(?:\.\d{0,20})?$/.test(value) || !/\d/.test(value)) {
    return undefined;
  }
  const number = Number(value);
  return number >= 0 && number <= 1 ? number : undefined;
}

function isFrequency(text: string | undefined): text is ChangeFrequency {
  return text !== undefined && FREQUENCIES.has(text);
}
