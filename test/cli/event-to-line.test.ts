import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventToLine, type EventToLineOptions, headLine } from '../../src/cli/event-to-line.js';
import { secretMasker } from '../../src/cli/mask-secrets.js';
import { request } from '../../src/index.js';
import { failureEvent, pageEvent, skipEvent } from './events.js';

const PLAIN: EventToLineOptions = {
  format: 'jsonl',
  skips: false,
  terminal: false,
  mask: secretMasker([]),
};

function read(line: string | undefined): unknown {
  return line === undefined ? undefined : JSON.parse(line);
}

describe('eventToLine', () => {
  it('writes a page', () => {
    const event = pageEvent('https://a.example/old', {
      depth: 1,
      referrer: 'https://a.example/',
      ms: 12.6,
      page: { url: 'https://a.example/new', links: { length: 3 }, title: 'New' },
    });
    expect(eventToLine(PLAIN)(event)).toBe(
      '{"type":"page","url":"https://a.example/old","finalUrl":"https://a.example/new",' +
        '"status":200,"depth":1,"referrer":"https://a.example/","contentType":"text/html",' +
        '"bytes":10,"ms":13,"title":"New","links":3}',
    );
  });

  it('writes null for what a page does not have', () => {
    const event = pageEvent('https://a.example/', {
      page: { contentType: undefined, title: undefined },
    });
    expect(read(eventToLine(PLAIN)(event))).toMatchObject({
      referrer: null,
      contentType: null,
      title: null,
    });
  });

  it('writes the chosen fields in the chosen order, after the type', () => {
    const line = eventToLine({ ...PLAIN, fields: ['title', 'url'] });
    expect(line(pageEvent('https://a.example/'))).toBe(
      '{"type":"page","title":"A page","url":"https://a.example/"}',
    );
    expect(read(line(failureEvent('https://a.example/', 'empty-reply')))).toHaveProperty('code');
  });

  it('writes a failure with the page that has the link', () => {
    const from = request('https://a.example/gone', { referrer: 'https://a.example/' });
    expect(read(eventToLine(PLAIN)(failureEvent(from, 'http-status', 'status 404', 404)))).toEqual({
      type: 'failure',
      url: 'https://a.example/gone',
      code: 'http-status',
      message: 'status 404',
      attempts: 3,
      referrer: 'https://a.example/',
    });
  });

  it('writes skips only if asked to', () => {
    const event = skipEvent('mailto:me@a.example', { reason: 'scheme' });
    expect(eventToLine(PLAIN)(event)).toBeUndefined();
    expect(read(eventToLine({ ...PLAIN, skips: true })(event))).toEqual({
      type: 'skip',
      url: 'mailto:me@a.example',
      reason: 'scheme',
      detail: null,
      referrer: null,
    });
  });

  it('writes nothing for other events', () => {
    const made = request('https://a.example/');
    expect(eventToLine(PLAIN)({ type: 'start', request: made, attempt: 1 })).toBeUndefined();
  });

  it('lists final URLs of pages, and nothing else', () => {
    const line = eventToLine({ ...PLAIN, format: 'urls', skips: true });
    const page = { url: 'https://a.example/new' };
    expect(line(pageEvent('https://a.example/', { page }))).toBe('https://a.example/new');
    expect(line(failureEvent('https://a.example/', 'empty-reply'))).toBeUndefined();
    expect(line(skipEvent('https://b.example/'))).toBeUndefined();
  });

  it('writes no user information and masks secrets in messages', () => {
    const url = 'https://me:hunter2@a.example/';
    const made = request(url, { referrer: url });
    const lines = [
      eventToLine(PLAIN)(pageEvent(url, { referrer: url, page: { url } })),
      eventToLine(PLAIN)(failureEvent(made, 'empty-reply', `no answer from ${url}`)),
      eventToLine({ ...PLAIN, skips: true })(skipEvent(url, { referrer: url })),
      eventToLine({ ...PLAIN, format: 'urls' })(pageEvent(url, { page: { url } })),
    ];
    expect(lines.join('\n')).not.toMatch(/hunter2|me:/);
    expect(read(lines[0])).toMatchObject({ url: 'https://a.example/' });
  });

  it('lets a page that cannot be written fail alone', () => {
    const broken = {
      get title(): string {
        throw new RangeError('no title');
      },
    };
    const event = pageEvent('https://a.example/');
    const line = eventToLine(PLAIN)({
      ...event,
      page: Object.create(
        event.page,
        Object.getOwnPropertyDescriptors(broken),
      ) as typeof event.page,
    });
    expect(read(line)).toMatchObject({
      type: 'failure',
      url: 'https://a.example/',
      code: 'sink-failed',
      message: 'cannot be written: no title',
    });
  });

  it.each([() => 1, Symbol('x')])('lets an item that JSON has no form for fail: %s', (item) => {
    const toLine = eventToLine({ ...PLAIN, items: true });
    const line = toLine({ type: 'item', request: request('https://a.example/'), item });
    expect(read(line)).toMatchObject({ type: 'failure', code: 'sink-failed' });
  });

  it('always writes one line that keeps the title, on a terminal without a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (title, terminal) => {
        const line = eventToLine({ ...PLAIN, terminal })(
          pageEvent('https://a.example/', { page: { title } }),
        );
        expect(line).not.toContain('\n');
        expect(read(line)).toMatchObject({ title });
        // eslint-disable-next-line no-control-regex
        if (terminal) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
    );
  });

  it('shows no control character of a value of CSV on a terminal, and line ends but its own', () => {
    const toLine = (terminal: boolean) => {
      const options = { ...PLAIN, format: 'csv', fields: ['title', 'status'], terminal } as const;
      const event = pageEvent('https://a.example/', { page: { title: 'a\r\nb\u001b[2J' } });
      return [headLine(options), eventToLine(options)(event)].join('\n');
    };
    expect(toLine(true)).toBe('title,status\n"a\\r\\nb\\u001b[2J",200');
    expect(toLine(false)).toBe('title,status\r\n"a\r\nb\u001b[2J",200\r');
  });
});
