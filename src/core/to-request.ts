import type { SkipEvent } from './events.js';
import { show } from './expect.js';
import type { SeedInput } from './pull-seeds.js';
import { type CrawlRequest, isRequest, request } from './request.js';

/** A seed as a request, or the `skip` that says why it is none. */
export function toRequest(seed: SeedInput): CrawlRequest | SkipEvent {
  if (isRequest(seed)) return seed;
  try {
    return request(seed);
  } catch {
    const url = typeof seed === 'string' ? seed : show(seed);
    return {
      type: 'skip',
      url,
      reason: 'invalid-url',
      detail: 'expected an absolute URL such as "https://example.org/"',
      referrer: undefined,
      depth: 0,
      admitted: false,
      started: false,
      count: 1,
    };
  }
}
