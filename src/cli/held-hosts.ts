import type { CrawlEvent } from '../index.js';

/** Folds `hold` events to the number of hosts that are held at a moment. */
export interface HeldHosts {
  readonly add: (event: CrawlEvent, now: number) => void;
  /** How many hosts are held at this time. */
  readonly count: (now: number) => number;
}

/** Makes an empty {@link HeldHosts}. Remembers only hosts that are still held. */
export function heldHosts(): HeldHosts {
  const until = new Map<string, number>();
  return {
    add: (event, now) => {
      if (event.type !== 'hold') return;
      until.set(event.host, Math.max(now + event.ms, until.get(event.host) ?? 0));
    },
    count: (now) => {
      for (const [host, end] of until) if (end <= now) until.delete(host);
      return until.size;
    },
  };
}
