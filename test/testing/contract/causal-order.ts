import { expect } from 'vitest';
import { isTerminal, type CrawlEvent } from '../../../src/core/index.js';

type Step = 'found' | 'start' | 'page' | 'end';

/**
 * Expects each request to be found before it starts, to start before its page, and to end last,
 * once; what a page has found comes before its end.
 */
export function expectCausalOrder(events: readonly CrawlEvent[]): void {
  const reached = new Map<string, Step>();
  const step = (url: string, next: Step, after: readonly (Step | undefined)[]): void => {
    expect(after, `${next} of ${url} after ${String(reached.get(url))}`).toContain(
      reached.get(url),
    );
    reached.set(url, next);
  };
  for (const event of events) {
    const { type } = event;
    if (type === 'start') {
      const before: Step = event.attempt === 1 ? 'found' : 'start';
      step(event.request.url, 'start', [before]);
    } else if (type === 'page') {
      step(event.request.url, 'page', ['start']);
    } else if (type === 'found') {
      if (event.request) step(event.request.url, 'page', ['page']);
      for (const { url } of event.admitted) step(url, 'found', [undefined]);
    } else if (isTerminal(event)) {
      step(event.type === 'skip' ? event.url : event.request.url, 'end', ['start', 'page']);
    }
  }
  expect([...reached].filter(([, last]) => last !== 'end')).toEqual([]);
}
