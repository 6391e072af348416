import { describe, expect, it } from 'vitest';
import { summaryLines, type SummaryRecord } from '../../src/cli/summary.js';
import { NO_STATS } from '../../src/index.js';

const EMPTY: SummaryRecord = {
  type: 'summary',
  version: '1.0.0',
  outcome: 'done',
  exitCode: 0,
  startedAt: '2030-01-01T00:00:00.000Z',
  ms: 2_000,
  ...NO_STATS,
  errors: [],
  slowestHosts: [],
  seedsFetched: 1,
  left: 0,
};

describe('summaryLines', () => {
  it('needs one line if there is nothing to tell', () => {
    expect(summaryLines({ ...EMPTY, done: 5, bytes: 1_500 })).toEqual([
      'crawl ended after 2.0 s: 5 pages, 0 failed, 0 skipped, 0 duplicates; 1.5 kB, 2.5 pages/s',
    ]);
  });

  it('shows the top of each list, and how much more there is', () => {
    const errors = Array.from({ length: 7 }, (_, index) => ({
      code: 'http-status' as const,
      status: 500 + index,
      count: 9 - index,
      example: `https://a.example/${index}`,
      referrer: index === 0 ? 'https://a.example/' : null,
    }));
    const slowestHosts = [
      { host: 'slow.example', pages: 2, meanMs: 1_250 },
      { host: 'fast.example', pages: 1, meanMs: 20 },
    ];
    const byReason = { depth: 2, scope: 10 };
    const summary: SummaryRecord = {
      ...EMPTY,
      outcome: 'interrupted',
      ms: 95_000,
      done: 1,
      failed: 42,
      skipped: 12,
      duplicates: 1,
      itemFailures: 2,
      retries: 1,
      left: 4,
      byReason,
      errors,
      slowestHosts,
    };
    expect(summaryLines(summary)).toEqual([
      'interrupted after 1m 35s: 1 page, 42 failed, 12 skipped, 1 duplicate, 2 items refused, 1 retry, 4 left; 0 B, 0.0 pages/s',
      'errors:',
      '  9 × http-status 500, such as https://a.example/0 (linked from https://a.example/)',
      '  8 × http-status 501, such as https://a.example/1',
      '  7 × http-status 502, such as https://a.example/2',
      '  6 × http-status 503, such as https://a.example/3',
      '  5 × http-status 504, such as https://a.example/4',
      '  and 2 more',
      'skipped:',
      '  10 × scope',
      '  2 × depth',
      'slowest hosts:',
      '  slow.example: 1.3 s a page, 2 pages',
      '  fast.example: 20 ms a page, 1 page',
    ]);
  });
});
