import type { SkipEvent } from './events.js';
import { exampleUrl } from './example-url.js';
import { show } from './expect.js';
import type { SeedInput } from './pull-seeds.js';
import { type CrawlRequest, isRequest, request } from './request.js';

/** What is no URL may be a whole file: as much of it as an event shows, characters. */
const SHOWN_URL = 2048;

/** A seed as a request, or the `skip` that says why it is none. */
export function toRequest(seed: SeedInput): CrawlRequest | SkipEvent {
  if (isRequest(seed)) return seed;
  try {
    // `new URL` would take anything that has a text, a list of one URL too.
    if (typeof seed !== 'string' && !isUrl(seed)) throw new TypeError('no URL');
    return request(seed);
  } catch {
    const url = typeof seed === 'string' ? seed.slice(0, SHOWN_URL) : show(seed);
    return {
      type: 'skip',
      url,
      reason: 'invalid-url',
      detail: `expected an absolute URL such as "${exampleUrl(seed)}"`,
      referrer: undefined,
      depth: 0,
      admitted: false,
      started: false,
      count: 1,
    };
  }
}

/** Also a URL of another realm. */
function isUrl(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object URL]';
}
