import type { CrawlEvent } from '../core/events.js';

/**
 * An event as a few words, for diagrams and lists of a test: `start /a`, `start /a #2` (second
 * attempt), `found / +3 =1` (admitted, duplicates), `found seeds +1`, `page /a`, `item /a`, `item-failure /a`,
 * `redirect /a -> /b`, `retry /a #1 connection-reset 500ms`, `hold a.example 1000ms`,
 * `warning …`, `done /a`, `fail /b http-status`, `skip /c depth`.
 *
 * URLs are shown as path and query; {@link briefFrom} shows other hosts in full.
 *
 * @example
 * ```ts
 * import { map, type Observable } from 'rxjs';
 * import type { CrawlEvent } from 'rxcrawl/core';
 * import { brief } from 'rxcrawl/testing';
 *
 * declare const events$: Observable<CrawlEvent>;
 * events$.pipe(map((event) => brief(event))).subscribe(console.log); // found seeds +1, start / …
 * ```
 */
export function brief(event: CrawlEvent): string {
  return describe(event, pathOf);
}

/**
 * {@link brief} for crawls of several hosts: URLs at the origin of `base` are shown as path and
 * query, all others as `//host/path`.
 *
 * @param base - absolute URL
 */
export function briefFrom(base: string): (event: CrawlEvent) => string {
  const { protocol, origin } = new URL(base);
  return (event) =>
    describe(event, (url) =>
      url.startsWith(`${origin}/`) ? url.slice(origin.length) : url.replace(protocol, ''),
    );
}

function describe(event: CrawlEvent, show: (url: string) => string): string {
  switch (event.type) {
    case 'start': {
      const again = event.attempt > 1 ? ` #${event.attempt}` : '';
      return `start ${show(event.request.url)}${again}`;
    }
    case 'found': {
      const where = event.request ? show(event.request.url) : 'seeds';
      const duplicates = event.duplicates > 0 ? ` =${event.duplicates}` : '';
      return `found ${where} +${event.admitted.length}${duplicates}`;
    }
    case 'retry': {
      const { request, attempt, error, delayMs } = event;
      return `retry ${show(request.url)} #${attempt} ${error.code} ${delayMs}ms`;
    }
    case 'page':
    case 'item':
    case 'item-failure':
    case 'done':
      return `${event.type} ${show(event.request.url)}`;
    case 'hold':
    case 'pace':
      return `${event.type} ${event.host} ${event.ms}ms`;
    case 'redirect':
      return `redirect ${show(event.from)} -> ${show(event.to)}`;
    case 'warning':
      return `warning ${event.code}`;
    case 'failure':
      return `fail ${show(event.request.url)} ${event.error.code}`;
    case 'skip': {
      const many = event.count > 1 ? ` x${event.count}` : '';
      return `skip ${show(event.url)} ${event.reason}${many}`;
    }
  }
}

function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return url;
  }
}
