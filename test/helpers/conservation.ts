import { expect } from 'vitest';
import {
  countEvent,
  type CrawlEvent,
  isTerminal,
  NO_STATS,
  type Stats,
} from '../../src/core/index.js';

/** What became of one URL that was admitted. */
interface Fate {
  admitted: number;
  running: boolean;
  attempts: number;
  ends: number;
}

/**
 * Expects of the events of a crawl that has ended what must hold for every crawl: each admitted
 * request has exactly one terminal event, and it comes last; attempts count up from 1, but for
 * requests that were put back; nothing is
 * told of requests that were not admitted; what runs and what waits is never less than none, and
 * none at the end.
 *
 * @returns the final stats
 */
export function expectConservation(events: readonly CrawlEvent[]): Stats {
  const fates = new Map<string, Fate>();
  const problems: string[] = [];
  let stats = NO_STATS;

  const fateOf = (url: string, what: string): Fate => {
    const fate = fates.get(url);
    if (!fate) problems.push(`${what} ${url}, which was not admitted`);
    else if (fate.ends >= fate.admitted) problems.push(`${what} ${url} after its end`);
    return fate ?? { admitted: 0, running: false, attempts: 0, ends: 0 };
  };

  for (const event of events) {
    stats = countEvent(stats, event);
    if (stats.waiting < 0 || stats.inFlight < 0) {
      problems.push(`after ${event.type}: ${stats.waiting} waiting, ${stats.inFlight} in flight`);
    }
    if (event.type === 'found') {
      for (const { url } of event.admitted) {
        const fate = fates.get(url);
        if (fate) fate.admitted += 1;
        else fates.set(url, { admitted: 1, running: false, attempts: 0, ends: 0 });
      }
    } else if (event.type === 'start') {
      const fate = fateOf(event.request.url, 'start');
      if (fate.running) problems.push(`start ${event.request.url} while it runs`);
      fate.running = true;
      fate.attempts += 1;
      if (event.attempt !== fate.attempts && fate.admitted === 1) {
        problems.push(`start ${event.request.url} as attempt ${event.attempt}`);
      }
    } else if (isTerminal(event)) {
      const url = event.type === 'skip' ? event.url : event.request.url;
      const fate = fateOf(url, event.type);
      const ran = event.type === 'skip' ? event.started : true;
      if (fate.running !== ran) problems.push(`${event.type} ${url}: running is ${fate.running}`);
      fate.running = false;
      fate.ends += 1;
    } else if (event.type === 'retry') {
      const fate = fateOf(event.request.url, 'retry');
      fate.running = false;
      if (event.held) fate.attempts -= 1;
    } else if (event.type === 'page' || event.type === 'item') {
      const { running } = fateOf(event.request.url, event.type);
      if (!running) problems.push(`${event.type} ${event.request.url} while it does not run`);
    }
  }
  for (const [url, { admitted, ends }] of fates) {
    if (admitted !== ends) problems.push(`${url} was admitted ${admitted} and ended ${ends} times`);
  }
  expect(problems).toEqual([]);
  expect({ waiting: stats.waiting, inFlight: stats.inFlight }).toEqual({ waiting: 0, inFlight: 0 });
  return stats;
}
