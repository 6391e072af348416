import { defer, interval, map, type Observable, scan, type SchedulerLike } from 'rxjs';
import { formatBytes, formatElapsed, plural } from './format-units.js';

/** Where a crawl stands. */
export interface Standing {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly queued: number;
  readonly inFlight: number;
  /** Decoded bytes of all pages so far. */
  readonly bytes: number;
  /** Hosts that may not be asked for now. */
  readonly heldHosts: number;
}

/** A {@link Standing} at a moment. */
interface Sample extends Standing {
  /** ms since the start */
  readonly at: number;
}

/** Options of {@link progressLines}. */
export interface ProgressOptions {
  /** ms between lines */
  readonly every: number;
  /** Rates are those of the last so many ms. */
  readonly window: number;
  readonly scheduler: SchedulerLike;
}

const START: Sample = {
  at: 0,
  done: 0,
  failed: 0,
  skipped: 0,
  queued: 0,
  inFlight: 0,
  bytes: 0,
  heldHosts: 0,
};

/**
 * One line about the standing of a crawl, again and again.
 *
 * @param standing - asked for each line
 *
 * @example
 * ```ts
 * progressLines(standing, { every: 10_000, window: 10_000, scheduler: asyncScheduler });
 * // '31 done, 120 queued, 16 in flight, 2 failed, 14 skipped, 25.0 pages/s, 410.0 kB/s, 12s'
 * ```
 */
export function progressLines(
  standing: () => Standing,
  { every, window, scheduler }: ProgressOptions,
): Observable<string> {
  const kept = Math.max(1, Math.round(window / every));
  return defer(() => {
    const start = scheduler.now();
    return interval(every, scheduler).pipe(
      scan(
        (samples: readonly Sample[]) => [
          ...samples.slice(-kept),
          { ...standing(), at: scheduler.now() - start },
        ],
        [START],
      ),
      map((samples) => formatProgress(samples[0] ?? START, samples.at(-1) ?? START)),
    );
  });
}

function formatProgress(before: Sample, now: Sample): string {
  const seconds = Math.max(now.at - before.at, 1) / 1_000;
  const parts = [
    `${now.done} done`,
    `${now.queued} queued`,
    `${now.inFlight} in flight`,
    `${now.failed} failed`,
    `${now.skipped} skipped`,
    `${((now.done - before.done) / seconds).toFixed(1)} pages/s`,
    `${formatBytes((now.bytes - before.bytes) / seconds)}/s`,
  ];
  if (now.heldHosts > 0) parts.push(`${plural(now.heldHosts, 'host')} held`);
  parts.push(formatElapsed(now.at));
  return parts.join(', ');
}
