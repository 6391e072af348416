import type { BufferCounts, ModuleCounts, Stats } from '../core/index.js';
import type { ProblemCounts } from './crawl-problem.js';
import type { CrawlerStatus } from './crawler-status.js';

/** Where a crawler stands, in one plain object. */
export interface CrawlerSummary {
  readonly status: CrawlerStatus;
  readonly paused: boolean;
  /** Nothing is queued, running or waiting for a retry. */
  readonly idle: boolean;
  /** How often the crawler was started. */
  readonly runs: number;
  /** The options that are numbers or flags, as they were given. */
  readonly options: Readonly<Record<string, number | boolean>>;
  /**
   * Figures of the latest run: `admitted` is how many URLs it has, `waiting` the size of the
   * queue of requests, `inFlight` how many workers have one.
   */
  readonly stats: Stats;
  /** Figures of the parts of which there are several, sorted by id. */
  readonly modules: {
    readonly fetchers: readonly ModuleCounts[];
    readonly handlers: readonly ModuleCounts[];
    readonly sinks: readonly ModuleCounts[];
  };
  /** The buffer in front of the sink, where there is one. */
  readonly buffer: BufferCounts | undefined;
  /** Problems of the latest run by stage. */
  readonly problems: ProblemCounts;
}

/**
 * A summary as JSON text, indented by 4 blanks. Numbers without end, which JSON lacks, are
 * written as text.
 */
export function summaryText(summary: CrawlerSummary): string {
  return JSON.stringify(
    summary,
    (_key, value: unknown) => (value === Infinity ? 'Infinity' : value),
    4,
  );
}
