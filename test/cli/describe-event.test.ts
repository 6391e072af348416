import { describe, expect, it } from 'vitest';
import { describeEvent } from '../../src/cli/describe-event.js';
import { CrawlError, request, type CrawlEvent } from '../../src/index.js';
import type { CliPage } from '../../src/cli/records.js';
import { failureEvent, skipEvent } from './events.js';

const linked = request('https://me:pw@a.example/1', { referrer: 'https://me:pw@a.example/' });
const seed = { referrer: undefined, depth: 0 };

/** An event, the lowest level that shows it, and how. */
const SHOWN: readonly (readonly [CrawlEvent<unknown, CliPage>, number, string])[] = [
  [
    failureEvent(linked, 'empty-reply', 'nothing came'),
    0,
    'failure empty-reply https://a.example/1: nothing came, 3 attempts (linked from https://a.example/)',
  ],
  [
    {
      type: 'item-failure',
      request: linked,
      item: {},
      error: new CrawlError('item-invalid', 'price: expected a number'),
    },
    0,
    'item of https://a.example/1: price: expected a number',
  ],
  [
    { type: 'warning', request: linked, code: 'odd', message: 'how odd' },
    0,
    'warning odd https://a.example/1: how odd',
  ],
  [
    { type: 'warning', request: undefined, code: 'odd', message: 'how odd' },
    0,
    'warning odd: how odd',
  ],
  [
    skipEvent('nonsense', { ...seed, reason: 'invalid-url', detail: 'no URL' }),
    0,
    'skip invalid-url nonsense: no URL',
  ],
  [
    skipEvent('https://a.example/', { ...seed, reason: 'stopped' }),
    1,
    'skip stopped https://a.example/',
  ],
  [
    skipEvent('https://b.example/', { referrer: 'https://a.example/' }),
    1,
    'skip scope https://b.example/ (linked from https://a.example/)',
  ],
  [
    {
      type: 'retry',
      request: linked,
      attempt: 1,
      delayMs: 1_500,
      held: false,
      error: new CrawlError('timeout-total', 'too late'),
    },
    1,
    'retry https://a.example/1 in 1.5 s: too late',
  ],
  [
    { type: 'hold', host: 'a.example', ms: 60_000, reason: 'Retry-After' },
    1,
    'hold a.example for 60.0 s: Retry-After',
  ],
  [
    {
      type: 'redirect',
      request: linked,
      from: 'https://me:pw@a.example/1',
      to: 'https://a.example/2',
      status: 301,
    },
    1,
    'redirect 301 https://a.example/1 to https://a.example/2',
  ],
  [{ type: 'start', request: linked, attempt: 1 }, 2, 'get https://a.example/1'],
  [
    {
      type: 'done',
      request: linked,
      url: 'https://a.example/1',
      status: 200,
      bytes: 1_234,
      ms: 12,
      attempts: 1,
      items: 0,
    },
    2,
    'done 200 https://a.example/1 (1.2 kB, 12 ms)',
  ],
];

describe('describeEvent', () => {
  it.each(SHOWN)('$type', (event, level, text) => {
    const message = describeEvent(event, level);
    expect(`${message?.label} ${message?.text}`).toBe(text);
    if (level > 0) expect(describeEvent(event, level - 1)).toBeUndefined();
  });

  it('has nothing to say of other events', () => {
    const event = { type: 'item', request: linked, item: 1 } as const;
    expect(describeEvent(event, 9)).toBeUndefined();
  });
});
