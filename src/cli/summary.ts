import type { Stats } from '../index.js';
import type { Digest } from './digest.js';
import type { ExitCode } from './exit-code.js';
import { formatBytes, formatElapsed, formatMs, plural } from './format-units.js';

/** Why a crawl ended. */
export type Outcome =
  | 'done'
  | 'no-seed'
  | 'max-time'
  | 'interrupted'
  | 'terminated'
  | 'closed-pipe'
  | 'output-failed'
  | 'internal-error';

/** The figures of a whole crawl: the one record of `--summary`. */
export interface SummaryRecord extends Stats, Digest {
  readonly type: 'summary';
  readonly version: string;
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;
  /** ISO 8601 */
  readonly startedAt: string;
  /** Time of the whole crawl, ms. */
  readonly ms: number;
}

const SHOWN = 5;
const SHOWN_HOSTS = 3;

const ENDINGS: Readonly<Record<Outcome, string>> = {
  done: 'crawl ended',
  'no-seed': 'no seed could be fetched',
  'max-time': 'stopped by --max-time with work left',
  interrupted: 'interrupted',
  terminated: 'terminated',
  'closed-pipe': 'the reader of the output has gone',
  'output-failed': 'output could not be written',
  'internal-error': 'ended by a mistake in the program',
};

/** The lines that tell people how a crawl went. */
export function summaryLines(summary: SummaryRecord): readonly string[] {
  const { done, failed, skipped, duplicates, bytes, ms, retries, left, itemFailures } = summary;
  const perSecond = (done / Math.max(ms / 1_000, 0.001)).toFixed(1);
  const counts = [
    plural(done, 'page'),
    `${failed} failed`,
    `${skipped} skipped`,
    plural(duplicates, 'duplicate'),
  ];
  if (itemFailures > 0) counts.push(`${plural(itemFailures, 'item')} refused`);
  if (retries > 0) counts.push(retries === 1 ? '1 retry' : `${retries} retries`);
  if (left > 0) counts.push(`${left} left`);
  return [
    `${ENDINGS[summary.outcome]} after ${ms < 60_000 ? formatMs(ms) : formatElapsed(ms)}: ` +
      `${counts.join(', ')}; ${formatBytes(bytes)}, ${perSecond} pages/s`,
    ...section('errors', errorLines(summary), SHOWN),
    ...section('skipped', reasonLines(summary), SHOWN),
    ...section('slowest hosts', hostLines(summary), SHOWN_HOSTS),
  ];
}

function section(title: string, lines: readonly string[], shown: number): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - shown;
  return [
    `${title}:`,
    ...lines.slice(0, shown).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function errorLines({ errors }: Digest): readonly string[] {
  return errors.map(({ code, status, count, example, referrer }) => {
    const kind = status === null ? code : `${code} ${status}`;
    const from = referrer === null ? '' : ` (linked from ${referrer})`;
    return `${count} × ${kind}, such as ${example}${from}`;
  });
}

function reasonLines({ byReason }: Stats): readonly string[] {
  return Object.entries(byReason)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} × ${reason}`);
}

function hostLines({ slowestHosts }: Digest): readonly string[] {
  return slowestHosts.map(
    ({ host, pages, meanMs }) => `${host}: ${formatMs(meanMs)} a page, ${plural(pages, 'page')}`,
  );
}
