import { concat, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { crawl, type CrawlOptions, toAsyncIterable } from '../../src/core/index.js';
import { virtualPage, type VirtualPage, virtualSite } from '../../src/testing/index.js';
import { ORIGIN, STRATEGIES } from '../helpers/virtual-crawl.js';

const links = Array.from({ length: 50 }, (_, i) => `/${i}`);

describe.each(STRATEGIES)('toAsyncIterable under %s', (_name, strategy) => {
  /** A root with 50 children, each of which is an item; they all answer at once. */
  const numbers = (options: Partial<CrawlOptions<number, VirtualPage>> = {}, width = 4) => {
    const site = virtualSite((url) => (url === `${ORIGIN}/` ? { links } : {}));
    const numbers = toAsyncIterable((sink) =>
      crawl({
        fetcher: site.fetcher,
        parse: virtualPage,
        strategy: strategy(width),
        delay: 0,
        perHost: Infinity,
        sink,
        *handle(page): Generator<number | ReturnType<VirtualPage['follow']>> {
          yield page.follow();
          if (page.url !== `${ORIGIN}/`) yield Number(new URL(page.url).pathname.slice(1));
        },
        ...options,
      })(`${ORIGIN}/`),
    );
    return { site, numbers };
  };

  it('gives every item once, and ends', async () => {
    const { numbers: each } = numbers();
    const seen: number[] = [];
    for await (const number of each) seen.push(number);
    expect(seen.sort((a, b) => a - b)).toEqual(links.map((_, i) => i));
  });

  it('does nothing before the first item is asked for', async () => {
    const { site, numbers: each } = numbers();
    const iterator = each[Symbol.asyncIterator]();
    await Promise.resolve();
    expect(site.requests).toBe(0);
    await iterator.next();
    expect(site.requests).toBeGreaterThan(0);
    await iterator.return?.();
  });

  it('fetches no more than a page a worker ahead of a slow consumer', async () => {
    const width = 4;
    const { site, numbers: each } = numbers({}, width);
    let taken = 0;
    let most = 0;
    for await (const _number of each) {
      // Time for everything that could run ahead.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, site.requests - 1 - taken);
      taken += 1;
    }
    expect(taken).toBe(50);
    expect(most).toBe(width);
  });

  it('unsubscribes the crawl when the loop is left', async () => {
    const { site, numbers: each } = numbers();
    for await (const number of each) if (number > 2) break;
    const { requests } = site;
    expect(requests).toBeLessThan(12);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(site.requests).toBe(requests);
  });

  it('unsubscribes the crawl when the loop throws', async () => {
    let closed = false;
    const { numbers: each } = numbers({
      *handle() {
        try {
          for (let i = 0; ; i++) yield i;
        } finally {
          closed = true;
        }
      },
    });
    const loop = async (): Promise<void> => {
      for await (const number of each) if (number === 3) throw new Error('enough');
    };
    await expect(loop()).rejects.toThrow('enough');
    expect(closed).toBe(true);
  });

  it('is a crawl of its own for each loop', async () => {
    const { site, numbers: each } = numbers();
    for await (const _ of each) break;
    let count = 0;
    for await (const _ of each) count += 1;
    expect(count).toBe(50);
    expect(site.requests).toBeGreaterThan(51);
  });

  it('throws what the crawl errors with, after the items before it', async () => {
    const site = virtualSite((_url) => ({}));
    const each = toAsyncIterable((sink) =>
      crawl<string, VirtualPage>({
        fetcher: site.fetcher,
        parse: virtualPage,
        strategy: strategy(1),
        delay: 0,
        sink,
        handle: (page) => [page.url],
      })(
        concat(
          of(`${ORIGIN}/a`),
          new Promise<string>((_, reject) =>
            setTimeout(() => reject(new Error('no more seeds')), 5),
          ),
        ),
      ),
    );
    const seen: string[] = [];
    const loop = async (): Promise<void> => {
      for await (const url of each) seen.push(url);
    };
    await expect(loop()).rejects.toThrow('no more seeds');
    expect(seen).toEqual([`${ORIGIN}/a`]);
  });

  it('answers several questions at once, and all of them at the end', async () => {
    const { numbers: each } = numbers();
    const iterator = each[Symbol.asyncIterator]();
    const answers = await Promise.all(Array.from({ length: 60 }, () => iterator.next()));
    expect(answers.filter(({ done }) => done === true)).toHaveLength(10);
    expect(new Set(answers.map(({ value }) => value as unknown)).size).toBe(51);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

describe('toAsyncIterable', () => {
  it('refuses a crawl in place of what makes one, when it is called', () => {
    // @ts-expect-error -- it has no place for the sink
    expect(() => toAsyncIterable(of())).toThrow(
      'toAsyncIterable: open: expected a function, got an object',
    );
  });

  it('throws if the crawl cannot be made', async () => {
    const iterator = toAsyncIterable(() => throwError(() => new Error('mine')))[
      Symbol.asyncIterator
    ]();
    await expect(iterator.next()).rejects.toThrow('mine');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('says that the crawl does not use the sink, instead of giving nothing', async () => {
    const site = virtualSite(ORIGIN, { '/': {} });
    const iterator = toAsyncIterable(() =>
      crawl({ fetcher: site.fetcher, parse: virtualPage, handle: () => [1] })(`${ORIGIN}/`),
    )[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toThrow(/does not use the sink.*option `sink`/);
  });
});
