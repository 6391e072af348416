import type { BarePage, CrawlErrorCode, SavedFile, SkipReason } from '../index.js';

/** What the command reads of a page, beside what every page has. */
export interface CliPage extends BarePage {
  readonly contentType: string | undefined;
  readonly title: string | undefined;
  readonly links: { readonly length: number };
}

/** A page that was fetched. */
export interface PageRecord {
  readonly type: 'page';
  readonly url: string;
  readonly finalUrl: string;
  readonly status: number;
  readonly depth: number;
  readonly referrer: string | null;
  readonly contentType: string | null;
  readonly bytes: number;
  readonly ms: number;
  readonly title: string | null;
  readonly links: number;
}

/** A URL that could not be fetched. */
export interface FailureRecord {
  readonly type: 'failure';
  readonly url: string;
  readonly code: CrawlErrorCode;
  readonly message: string;
  readonly attempts: number;
  readonly referrer: string | null;
}

/** A URL that was not asked for. */
export interface SkipRecord {
  readonly type: 'skip';
  readonly url: string;
  readonly reason: SkipReason;
  /** What exactly, such as the rule that told a trap. */
  readonly detail: string | null;
  readonly referrer: string | null;
}

/** A file that was saved. */
export interface FileRecord extends SavedFile {
  readonly type: 'file';
}

/** What was made of a page: `url` and the item's own fields. */
export interface ItemRecord {
  readonly type: 'item';
  readonly url: string;
  readonly [field: string]: unknown;
}

/** One line of data. A page record may be narrowed by `--fields`. */
export type CliRecord =
  | (Pick<PageRecord, 'type'> & Partial<PageRecord>)
  | FileRecord
  | ItemRecord
  | FailureRecord
  | SkipRecord;

/** The name of a field that `--fields` can choose. */
export type PageFieldName = Exclude<keyof PageRecord, 'type'>;
