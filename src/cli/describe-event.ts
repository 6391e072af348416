import type { CrawlEvent } from '../index.js';
import { formatBytes, formatMs, plural } from './format-units.js';
import { withoutUserInfo } from './mask-secrets.js';
import type { MessageLabel } from './message-printer.js';
import type { CliPage } from './records.js';

/** A message about an event. */
export interface EventMessage {
  readonly label: MessageLabel;
  readonly text: string;
}

/** Reasons that say nothing is wrong with a seed. */
const EXPECTED = new Set(['duplicate', 'max-pages', 'stopped']);

/**
 * The message that tells people of an event, or `undefined` if it is of no interest at this
 * level: 0 shows problems, 1 also skips, retries, holds and redirects, 2 each request.
 */
export function describeEvent(
  event: CrawlEvent<unknown, CliPage>,
  level: number,
): EventMessage | undefined {
  switch (event.type) {
    case 'failure': {
      const { request, error, attempts } = event;
      const text = `${error.code} ${shown(request.url)}: ${error.message}`;
      const tries = attempts > 1 ? `, ${plural(attempts, 'attempt')}` : '';
      return { label: 'failure', text: text + tries + linkedFrom(request.referrer) };
    }
    case 'item-failure':
      return { label: 'item', text: `of ${shown(event.request.url)}: ${event.error.message}` };
    case 'warning': {
      const where = event.request === undefined ? '' : ` ${shown(event.request.url)}`;
      return { label: 'warning', text: `${event.code}${where}: ${event.message}` };
    }
    case 'skip': {
      const seed = event.referrer === undefined && event.depth === 0;
      if (level < 1 && !(seed && !EXPECTED.has(event.reason))) return undefined;
      const detail = event.detail === undefined ? '' : `: ${event.detail}`;
      const text = `${event.reason} ${shown(event.url)}${detail}`;
      return { label: 'skip', text: text + linkedFrom(event.referrer) };
    }
    case 'retry':
      if (level < 1) return undefined;
      return {
        label: 'retry',
        text: `${shown(event.request.url)} in ${formatMs(event.delayMs)}: ${event.error.message}`,
      };
    case 'hold':
      if (level < 1) return undefined;
      return { label: 'hold', text: `${event.host} for ${formatMs(event.ms)}: ${event.reason}` };
    case 'redirect':
      if (level < 1) return undefined;
      return {
        label: 'redirect',
        text: `${event.status} ${shown(event.from)} to ${shown(event.to)}`,
      };
    case 'start':
      if (level < 2) return undefined;
      return { label: 'get', text: shown(event.request.url) };
    case 'done':
      if (level < 2) return undefined;
      return {
        label: 'done',
        text: `${event.status} ${shown(event.url)} (${formatBytes(event.bytes)}, ${formatMs(event.ms)})`,
      };
    default:
      return undefined;
  }
}

function linkedFrom(referrer: string | undefined): string {
  return referrer === undefined ? '' : ` (linked from ${shown(referrer)})`;
}

function shown(url: string): string {
  return withoutUserInfo(url);
}
