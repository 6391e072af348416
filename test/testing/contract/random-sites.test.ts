import { from } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  isTerminal,
  type CrawlEvent,
  type RetryPolicy,
  type Strategy,
} from '../../../src/core/index.js';
import {
  randomSite,
  reachable,
  runMarbles,
  seededRandom,
  virtualSite,
  type RandomSite,
  type RandomSiteOptions,
  type VirtualSite,
} from '../../../src/testing/index.js';
import { expanding, merging, zipping } from '../../helpers/oracles.js';
import { expectCausalOrder } from './causal-order.js';
import { followAll, STRATEGIES } from './follow-all.js';

const SITES = 1000;
const ORACLES = [expanding, merging, zipping];
const twice: RetryPolicy = (attempt) => (attempt < 3 ? attempt * 3 : null);
const never: RetryPolicy = () => null;

interface Run {
  readonly site: VirtualSite;
  readonly events: readonly CrawlEvent[];
  /** When it completed, ms. */
  readonly lastAt: number;
}

/** Runs a crawl to its end, and checks that it completed once and left no timer behind. */
function run({ pages, seeds }: RandomSite, strategy: Strategy, retry = twice): Run {
  const site = virtualSite(pages);
  const events: CrawlEvent[] = [];
  const completedAt: number[] = [];
  runMarbles((m) => {
    from(seeds)
      .pipe(followAll(site, { strategy, retry }))
      .subscribe({
        next: (event) => events.push(event),
        complete: () => completedAt.push(m.scheduler.now()),
      });
    m.flush();
    const completions = completedAt.join();
    if (completions !== String(m.scheduler.now())) throw new Error(`completed at ${completions}`);
  });
  return { site, events, lastAt: completedAt[0] ?? 0 };
}

/** Requests that were admitted, and how each ended; a redirect's end depends on who was first. */
function endings(events: readonly CrawlEvent[]): { admitted: string[]; ended: string[] } {
  const admitted = events.flatMap((event) =>
    event.type === 'found' ? event.admitted.map(({ url }) => url) : [],
  );
  const ended = events
    .filter(isTerminal)
    .map((event) => (event.type === 'skip' ? event.url : event.request.url));
  return { admitted: admitted.sort(), ended: ended.sort() };
}

/** How each request ended, as text. */
function outcomes(events: readonly CrawlEvent[]): string[] {
  return events
    .filter(isTerminal)
    .map((event) => {
      if (event.type === 'skip') return `${event.url} skip ${event.reason}`;
      const how = event.type === 'failure' ? event.error.code : 'done';
      return `${event.request.url} ${how} ${event.attempts}`;
    })
    .sort();
}

function forEachSite(
  count: number,
  options: RandomSiteOptions,
  check: (site: RandomSite, width: number, seed: number) => void,
): void {
  for (let seed = 0; seed < count; seed++) {
    try {
      check(randomSite(seed, options), 1 + (seed % 4), seed);
    } catch (error) {
      throw new Error(`site ${seed}`, { cause: error });
    }
  }
}

describe('random sites', () => {
  it.each(STRATEGIES)('%s requests exactly what can be reached, once', (_name, strategy) => {
    forEachSite(SITES, {}, (random, width) => {
      const { site, events } = run(random, strategy(width));
      const visits = site.log.map(({ url, attempt }) => `${url} ${attempt}`);
      const { admitted, ended } = endings(events);
      // One comparison a site: an assertion costs as much as a small crawl.
      expect({
        requested: new Set(site.started),
        visits: new Set(visits).size,
        admitted: new Set(admitted).size,
        ended,
        tooWide: site.maxInFlight > width,
        aborted: site.aborted,
        inFlight: site.inFlight,
      }).toEqual({
        requested: reachable(random.pages, random.seeds),
        visits: visits.length,
        admitted: admitted.length,
        ended: admitted,
        tooWide: false,
        aborted: 0,
        inFlight: 0,
      });
      expectCausalOrder(events);
    });
  });

  const expected = new Map<number, readonly string[]>();

  it.each(STRATEGIES)('%s ends every request as the plain compositions do', (_name, strategy) => {
    forEachSite(SITES, { redirects: 0 }, (random, width, seed) => {
      const oracle = ORACLES[seed % ORACLES.length]!;
      const ends = expected.get(seed) ?? outcomes(run(random, oracle(width)).events);
      expected.set(seed, ends);
      expect(outcomes(run(random, strategy(width)).events)).toEqual(ends);
    });
  });

  it.each(STRATEGIES)(
    '%s starts requests in the order of the plain compositions',
    (_name, strategy) => {
      forEachSite(200, { redirects: 0, failures: 0, synchronous: 0 }, (random, width, seed) => {
        const oracle = ORACLES[seed % ORACLES.length]!;
        // Retries would differ by design: queued() gives the place of a waiting request to others.
        expect(run(random, strategy(width), never).site.log).toEqual(
          run(random, oracle(width), never).site.log,
        );
      });
    },
  );

  it.each(STRATEGIES)('%s stops at once wherever it is unsubscribed', (_name, strategy) => {
    forEachSite(200, {}, (random, width, seed) => {
      const site = virtualSite(random.pages);
      const whole = run(random, strategy(width)).lastAt;
      const until = Math.floor(whole * seededRandom(seed)());
      let lastAt = 0;
      runMarbles((m) => {
        const crawl$ = from(random.seeds).pipe(
          followAll(site, { strategy: strategy(width), retry: twice }),
        );
        const subscription = crawl$.subscribe(() => (lastAt = m.scheduler.now()));
        m.scheduler.schedule(() => subscription.unsubscribe(), until);
        m.flush();
        // A timer that was left behind would have moved the clock on.
        expect(m.scheduler.now()).toBe(until);
      });
      expect(lastAt).toBeLessThanOrEqual(until);
      expect(site.inFlight).toBe(0);
      expect(site.log.every(({ endedAt }) => endedAt !== undefined && endedAt <= until)).toBe(true);
    });
  });
});
