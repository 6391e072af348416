import type { CrawlError, CrawlErrorCode, CrawlEvent, CrawlRequest } from '../core/index.js';
import { messageOf } from '../core/message-of.js';

/** The part of a crawl in which something went wrong. */
export type CrawlStage = 'downloader' | 'analyzer' | 'pipeline' | 'scheduler';

/** Something that went wrong, as `errors$` of a crawler tells it. */
export interface CrawlProblem {
  readonly stage: CrawlStage;
  readonly message: string;
  readonly error: unknown;
  /** The request that failed; `undefined` where the crawl itself did. */
  readonly request: CrawlRequest | undefined;
}

/** How many problems there were in each stage. */
export type ProblemCounts = Readonly<Record<CrawlStage, number>>;

/** No problems. */
export const NO_PROBLEMS: ProblemCounts = {
  downloader: 0,
  analyzer: 0,
  pipeline: 0,
  scheduler: 0,
};

const STAGES: Readonly<Partial<Record<CrawlErrorCode, CrawlStage>>> = {
  'parse-failed': 'analyzer',
  'handler-failed': 'analyzer',
  'handler-timeout': 'analyzer',
  'item-invalid': 'pipeline',
  'sink-failed': 'pipeline',
  aborted: 'scheduler',
  deferred: 'scheduler',
  'invalid-request': 'scheduler',
  internal: 'scheduler',
};

/** The stage that an error belongs to: what names no other one went wrong on the way to the page. */
export function stageOf({ code }: CrawlError): CrawlStage {
  return STAGES[code] ?? 'downloader';
}

/** The problem that an event tells of, if it does. Attempts that are followed by another are none. */
export function problemOf(event: CrawlEvent): CrawlProblem | undefined {
  if (event.type !== 'failure' && event.type !== 'item-failure') return undefined;
  const { error, request } = event;
  return { stage: stageOf(error), message: error.message, error, request };
}

/** A problem of the crawl itself. */
export function schedulerProblem(error: unknown): CrawlProblem {
  const message = messageOf(error);
  return { stage: 'scheduler', message, error, request: undefined };
}

/** A seed was refused: it is no URL, out of scope, or a guard does not want it. */
export class SeedRejected extends Error {
  override readonly name = 'SeedRejected';
  readonly url: string;
  readonly reason: string;

  constructor(url: string, reason: string, detail?: string) {
    super(
      `crawler: seed ${JSON.stringify(url)} was rejected: ${reason}${detail ? `, ${detail}` : ''}`,
    );
    this.url = url;
    this.reason = reason;
  }
}
