import { escapeTerminal, type CrawlEvent, type SkipEvent } from '../index.js';
import type { FormatName } from './define-command.js';
import { withoutUserInfo } from './mask-secrets.js';
import { PAGE_FIELDS } from './page-fields.js';
import type {
  CliPage,
  CliRecord,
  FailureRecord,
  PageFieldName,
  PageRecord,
  SkipRecord,
} from './records.js';

/** Options of {@link eventToLine}. */
export interface EventToLineOptions {
  readonly format: FormatName;
  /** Fields of page records; all if left out. */
  readonly fields?: readonly PageFieldName[] | undefined;
  /** Whether URLs that were not asked for are written, too. */
  readonly skips: boolean;
  /** Whether a terminal shows the line, and could take parts of it for an order. */
  readonly terminal: boolean;
  /** Hides secrets in messages. */
  readonly mask: (text: string) => string;
}

/**
 * Makes a function that gives the line of data for an event, without its line feed, or
 * `undefined` for an event that is no data.
 *
 * A page that cannot be written, for whatever reason, becomes a `failure` record: one bad page
 * never takes the output of the others with it.
 */
export function eventToLine(
  options: EventToLineOptions,
): (event: CrawlEvent<unknown, CliPage>) => string | undefined {
  const { format, terminal } = options;
  const names = options.fields ?? (Object.keys(PAGE_FIELDS) as PageFieldName[]);
  const safe = terminal ? escapeTerminal : (line: string) => line;

  const asUrl = (event: CrawlEvent<unknown, CliPage>): string | undefined =>
    event.type === 'page' ? safe(withoutUserInfo(event.page.url)) : undefined;

  const asJson = (event: CrawlEvent<unknown, CliPage>): string | undefined => {
    try {
      const record = toRecord(event, names, options);
      return record && safe(JSON.stringify(record));
    } catch (error) {
      return safe(JSON.stringify(unwritable(event, error, options)));
    }
  };

  return format === 'urls' ? asUrl : asJson;
}

function toRecord(
  event: CrawlEvent<unknown, CliPage>,
  names: readonly PageFieldName[],
  { skips, mask }: EventToLineOptions,
): CliRecord | undefined {
  switch (event.type) {
    case 'page': {
      const record: { -readonly [N in keyof PageRecord]?: unknown } = { type: 'page' };
      for (const name of names) record[name] = PAGE_FIELDS[name].read(event);
      return record as CliRecord;
    }
    case 'failure':
      return {
        type: 'failure',
        url: withoutUserInfo(event.request.url),
        code: event.error.code,
        message: mask(event.error.message),
        attempts: event.attempts,
        referrer: orNull(event.request.referrer),
      };
    case 'skip':
      return skips ? skipRecord(event, mask) : undefined;
    default:
      return undefined;
  }
}

function skipRecord(
  { url, reason, detail, referrer }: SkipEvent,
  mask: (text: string) => string,
): SkipRecord {
  return {
    type: 'skip',
    url: withoutUserInfo(url),
    reason,
    detail: detail === undefined ? null : mask(detail),
    referrer: orNull(referrer),
  };
}

function unwritable(
  event: CrawlEvent<unknown, CliPage>,
  error: unknown,
  { mask }: EventToLineOptions,
): FailureRecord {
  const request = 'request' in event ? event.request : undefined;
  return {
    type: 'failure',
    url: withoutUserInfo(request?.url ?? ''),
    code: 'sink-failed',
    message: mask(`cannot be written: ${error instanceof Error ? error.message : String(error)}`),
    attempts: 'attempt' in event ? event.attempt : 0,
    referrer: orNull(request?.referrer),
  };
}

function orNull(url: string | undefined): string | null {
  return url === undefined ? null : withoutUserInfo(url);
}
