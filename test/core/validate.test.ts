import { concatMap, of, throwError, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  checkItem,
  CrawlError,
  stats,
  validate,
  type CrawlEvent,
  type Schema,
} from '../../src/core/index.js';
import { crawlMarbles } from '../../src/testing/index.js';
import { ORIGIN, virtualCrawl } from '../helpers/virtual-crawl.js';

interface Book {
  readonly title: string;
  readonly price: number;
}

/** A schema as libraries make them, written by hand. */
const BOOK: Schema<Book> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      const { title, price } = value as Partial<Record<string, unknown>>;
      const issues = [
        ...(typeof title === 'string' ? [] : [{ message: 'expected text', path: ['title'] }]),
        ...(Number.isFinite(Number(price))
          ? []
          : [{ message: 'expected a number', path: [{ key: 'price' }, 0] }]),
      ];
      return issues.length > 0
        ? { issues }
        : { value: { title: String(title), price: Number(price) } };
    },
  },
};

function schemaOf<Out>(validateItem: Schema<Out>['~standard']['validate']): Schema<Out> {
  return { '~standard': { version: 1, vendor: 'test', validate: validateItem } };
}

const SITE = { '/': ['/a'], '/a': [] };

describe('validate', () => {
  it('makes good items what the schema says, and fails bad ones alone', () => {
    const run = virtualCrawl<unknown>(SITE, {
      *handle(page) {
        yield { title: page.url, price: '1.50' };
        yield { title: 7, price: 'x' };
        yield* page.follow();
      },
    });
    const events: CrawlEvent<Book>[] = [];
    of(...run.events)
      .pipe(validate(BOOK))
      .subscribe((event) => events.push(event));
    expect(events.flatMap((event) => (event.type === 'item' ? [event.item] : []))).toEqual([
      { title: `${ORIGIN}/`, price: 1.5 },
      { title: `${ORIGIN}/a`, price: 1.5 },
    ]);
    const bad = events.filter((event) => event.type === 'item-failure');
    expect(bad).toMatchObject([{ item: { title: 7 } }, { item: { title: 7 } }]);
    expect(bad[0]?.error).toMatchObject({
      code: 'item-invalid',
      message: 'invalid item: title: expected text (and 1 more)',
      detail: { issues: 2 },
    });
    let final: unknown;
    of(...events)
      .pipe(stats())
      .subscribe((now) => (final = now));
    expect(final).toMatchObject({ done: 2, failed: 0, items: 2, itemFailures: 2 });
  });

  it(
    'is what its diagram says',
    crawlMarbles((m) => {
      const run = virtualCrawl<string>({ '/': [] }, { handle: () => ['good', 'bad'] });
      const named = ['s', 'p', 'i', 'j', 'd'];
      const values: Record<string, CrawlEvent> = {};
      for (const [index, event] of run.events.slice(1).entries()) values[named[index]!] = event;
      const schema = schemaOf((value) =>
        value === 'good' ? { value } : { issues: [{ message: 'bad' }] },
      );
      const names = { start: 's', page: 'p', item: 'i', 'item-failure': 'x', done: 'd' };
      const result$ = m.cold<CrawlEvent>('-s-p-i-j-d|', values).pipe(
        validate(schema),
        map(({ type }) => names[type as keyof typeof names]),
      );
      m.expectObservable(result$).toBe('-s-p-i-x-d|');
    }),
  );

  it('keeps the order of items whose checks take their time', async () => {
    const run = virtualCrawl<number>({ '/': [] }, { handle: () => [30, 5, 1] });
    const schema = schemaOf(async (value) => {
      await new Promise((resolve) => setTimeout(resolve, Number(value)));
      return value === 5 ? { issues: [] } : { value };
    });
    const types: string[] = [];
    await new Promise<void>((resolve) => {
      of(...run.events)
        .pipe(validate(schema))
        .subscribe({
          next: (event) => types.push(event.type === 'item' ? String(event.item) : event.type),
          complete: resolve,
        });
    });
    expect(types).toEqual(['found', 'start', 'page', '30', 'item-failure', '1', 'done']);
  });

  it('takes a schema that throws, or rejects, for an item that is bad', async () => {
    const broken = new Error('bug');
    const thrown = schemaOf(() => {
      throw broken;
    });
    const rejected = schemaOf(() => Promise.reject(broken));
    expect(() => checkItem(thrown)(1)).toThrow('the schema threw: bug');
    await expect(checkItem(rejected)(1)).rejects.toMatchObject({
      code: 'item-invalid',
      cause: broken,
    });
  });

  it('refuses what is no schema', () => {
    for (const wrong of [undefined, null, {}, { '~standard': {} }, 'string']) {
      expect(() => validate(wrong as never)).toThrow('expected a Standard Schema');
    }
  });
});

describe('a sink that refuses an item', () => {
  it('fails that item alone', () => {
    const check = checkItem(BOOK);
    const kept: unknown[] = [];
    const run = virtualCrawl<unknown>(SITE, {
      *handle(page) {
        yield { title: page.url, price: 'x' };
        yield { title: page.url, price: 2 };
        yield* page.follow();
      },
      sink: (item) => timer(5).pipe(concatMap(() => of(kept.push(check(item))))),
    });
    expect(run.lines('item-failure', 'done')).toEqual([
      'item-failure /',
      'done /',
      'item-failure /a',
      'done /a',
    ]);
    expect(kept).toHaveLength(2);
    expect(run.stats).toMatchObject({ done: 2, failed: 0, items: 4, itemFailures: 2 });
  });

  it('fails the page with any other error', () => {
    const run = virtualCrawl<number>(SITE, {
      handle: () => [1],
      sink: () => throwError(() => new CrawlError('sink-failed', 'disk full')),
    });
    expect(run.lines('failure')).toEqual(['fail / sink-failed']);
  });
});
