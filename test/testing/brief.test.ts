import { describe, expect, it } from 'vitest';
import {
  barePage,
  CrawlError,
  request,
  type CrawlEvent,
  type SkipEvent,
  type SkipReason,
} from '../../src/core/index.js';
import { brief, briefFrom } from '../../src/testing/index.js';

const asked = request('https://a.example/x?y');
const error = new CrawlError('connection-reset', 'reset');
const response = {
  url: asked.url,
  status: 200,
  headers: {},
  body: new Uint8Array(),
  redirects: [],
  wireBytes: 0,
};
const skip = (url: string, reason: SkipReason, count = 1): SkipEvent => ({
  type: 'skip',
  url,
  reason,
  detail: undefined,
  referrer: undefined,
  depth: 1,
  admitted: false,
  started: false,
  count,
});

const EVENTS: Readonly<Record<string, CrawlEvent>> = {
  'start /x?y': { type: 'start', request: asked, attempt: 1 },
  'start /x?y #2': { type: 'start', request: asked, attempt: 2 },
  'page /x?y': { type: 'page', request: asked, page: barePage(response, asked), ms: 1, attempt: 1 },
  'item /x?y': { type: 'item', request: asked, item: 1 },
  'found /x?y +2 =3': { type: 'found', request: asked, admitted: [asked, asked], duplicates: 3 },
  'found seeds +1': { type: 'found', request: undefined, admitted: [asked], duplicates: 0 },
  'retry /x?y #1 connection-reset 500ms': {
    type: 'retry',
    request: asked,
    attempt: 1,
    delayMs: 500,
    held: false,
    error,
  },
  'hold a.example 1000ms': { type: 'hold', host: 'a.example', ms: 1000, reason: 'retry-after' },
  'redirect /x?y -> /z': {
    type: 'redirect',
    request: asked,
    from: asked.url,
    to: 'https://b.example/z',
    status: 302,
  },
  'warning odd': { type: 'warning', request: asked, code: 'odd', message: '' },
  'done /x?y': {
    type: 'done',
    request: asked,
    url: asked.url,
    status: 200,
    bytes: 0,
    ms: 1,
    attempts: 1,
    items: 0,
  },
  'fail /x?y connection-reset': { type: 'failure', request: asked, error, attempts: 3 },
  'skip /z depth': skip('https://a.example/z', 'depth'),
  'skip /z max-links x9': skip('https://a.example/z', 'max-links', 9),
  'skip not a url invalid-url': skip('not a url', 'invalid-url'),
};

describe('brief', () => {
  it.each(Object.entries(EVENTS))('%s', (text, event) => {
    expect(brief(event)).toBe(text);
  });
});

describe('briefFrom', () => {
  it('shows other hosts in full', () => {
    const show = briefFrom('https://a.example/any');
    expect(show({ type: 'start', request: asked, attempt: 1 })).toBe('start /x?y');
    const other = request('https://a.example.org/x');
    expect(show({ type: 'start', request: other, attempt: 1 })).toBe('start //a.example.org/x');
    const insecure = request('http://a.example/x');
    expect(show({ type: 'start', request: insecure, attempt: 1 })).toBe('start http://a.example/x');
  });
});
