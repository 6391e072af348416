import {
  asyncScheduler,
  concat,
  EMPTY,
  finalize,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  take,
  takeUntil,
  throwError,
  timer,
  toArray,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  countEvent,
  crawl,
  CrawlError,
  type CrawlEvent,
  type CrawlRequest,
  type Fetcher,
  type Handler,
  items,
  NO_STATS,
  request,
} from '../../src/core/index.js';
import { runToEnd, virtualPage, type VirtualPage, virtualSite } from '../../src/testing/index.js';
import { expectConservation } from '../helpers/conservation.js';
import { ORIGIN, STRATEGIES, virtualCrawl } from '../helpers/virtual-crawl.js';

/** The root links to /a and /b. */
const FAMILY = { '/': ['/a', '/b'], '/a': {}, '/b': {} };
const isRoot = (page: VirtualPage) => page.url === `${ORIGIN}/`;
const failures = (events: readonly CrawlEvent[]) =>
  events.flatMap((event) => (event.type === 'failure' ? [event] : []));

describe.each(STRATEGIES)('handlers under %s', (_name, strategy) => {
  /** Handles the root with `handle`, and all other pages not at all. */
  const crawlRoot = <T>(handle: Handler<T, VirtualPage>) =>
    virtualCrawl<T>(FAMILY, {
      strategy: strategy(2),
      handle: (page, context) => (isRoot(page) ? handle(page, context) : undefined),
    });

  /** The same in real time, for handlers that are promises. */
  const crawlRootForReal = async <T>(handle: Handler<T, VirtualPage>) => {
    const events = await lastValueFrom(
      crawl<T, VirtualPage>({
        fetcher: virtualSite(ORIGIN, FAMILY).fetcher,
        parse: virtualPage,
        strategy: strategy(2),
        delay: 0,
        handle: (page, context) => (isRoot(page) ? handle(page, context) : undefined),
      })(`${ORIGIN}/`).pipe(toArray()),
    );
    expectConservation(events);
    return {
      visited: events.flatMap((event) => (event.type === 'done' ? [event.url] : [])).length,
      items: events.flatMap((event) => (event.type === 'item' ? [event.item] : [])),
      failures: failures(events),
    };
  };

  describe('may give', () => {
    it('a generator of requests and items', () => {
      const { items, stats } = crawlRoot(function* (page) {
        yield 'before';
        yield* page.follow();
        yield 'after';
      });
      expect(items).toEqual(['before', 'after']);
      expect(stats).toMatchObject({ admitted: 3, done: 3, items: 2 });
    });

    it('a generator of lists of requests', () => {
      const { items, stats } = crawlRoot(function* (page) {
        yield page.follow();
        yield 'an item';
      });
      expect(items).toEqual(['an item']);
      expect(stats).toMatchObject({ admitted: 3, done: 3 });
    });

    it('an array', () => {
      const { items, stats } = crawlRoot((page) => [...page.follow(), 1, 2]);
      expect(items).toEqual([1, 2]);
      expect(stats.done).toBe(3);
    });

    it('nothing at all', () => {
      const { items, stats } = crawlRoot(() => undefined);
      expect(items).toEqual([]);
      expect(stats.done).toBe(1);
    });

    it('an Observable, whose values count as they come', () => {
      const { times, items } = crawlRoot((page) =>
        concat(of('now'), timer(5).pipe(map(() => 'later')), page.follow()),
      );
      expect(items).toEqual(['now', 'later']);
      expect(times('item', 'done').filter((line) => line.endsWith(' /'))).toEqual([
        '0 item /',
        '5 item /',
        '5 done /',
      ]);
    });

    it('an async generator', async () => {
      const { visited, items } = await crawlRootForReal(async function* (page) {
        yield 'before';
        await Promise.resolve();
        yield page.follow();
        yield 'after';
      });
      expect({ visited, items }).toEqual({ visited: 3, items: ['before', 'after'] });
    });

    it('a promise of requests, of an item, or of nothing', async () => {
      const links = await crawlRootForReal(async (page) => page.follow());
      expect(links).toMatchObject({ visited: 3, items: [] });
      const item = await crawlRootForReal(async () => ({ title: 'A' }));
      expect(item).toMatchObject({ visited: 1, items: [{ title: 'A' }] });
      const nothing = await crawlRootForReal(async () => undefined);
      expect(nothing).toMatchObject({ visited: 1, items: [], failures: [] });
    });

    it('a list without requests, which is an item, unless it is empty', async () => {
      const { items } = await crawlRootForReal<number[]>(() => Promise.resolve([1, 2]));
      expect(items).toEqual([[1, 2]]);
      expect((await crawlRootForReal(() => Promise.resolve([]))).items).toEqual([]);
    });

    it('null and undefined among its values, which are no items', () => {
      const { items, stats } = crawlRoot(() => [null, 'x', undefined] as string[]);
      expect(items).toEqual(['x']);
      expect(stats.items).toBe(1);
    });

    it('falsy values and empty texts, which are items', () => {
      expect(crawlRoot(() => [0, '', false]).items).toEqual([0, '', false]);
    });
  });

  it('feeds back a request that another copy of the library has made', () => {
    const foreign = Object.create({ [Symbol.for('rxcrawl.request')]: true }) as CrawlRequest;
    Object.assign(foreign, request(`${ORIGIN}/a`, { depth: 1 }));
    const { items, stats } = crawlRoot(() => [foreign]);
    expect(items).toEqual([]);
    expect(stats.done).toBe(2);
  });

  it('puts a page before its items, items and links before the end', () => {
    const { lines } = crawlRoot(function* (page) {
      yield 1;
      yield* page.follow();
      yield 2;
    });
    const ofRoot = lines().filter((line) => / \/( |$)/.test(line));
    expect(ofRoot).toEqual(['start /', 'page /', 'item /', 'item /', 'found / +2', 'done /']);
  });

  describe('that go wrong', () => {
    const broken = new Error('broken');
    const gone = (): never => {
      throw broken;
    };
    const endlessly = (result: unknown): unknown => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(result) }),
    });

    it.each<[string, Handler<unknown, VirtualPage>]>([
      ['throw', gone],
      [
        'throw in a generator',
        function* () {
          yield gone();
        },
      ],
      ['error as an Observable', () => throwError(() => broken)],
      [
        'give an iterable that cannot be opened',
        (): Iterable<unknown> => ({ [Symbol.iterator]: gone }),
      ],
      [
        'give an async iterable that throws instead of giving a promise',
        (): AsyncIterable<unknown> => ({ [Symbol.asyncIterator]: () => ({ next: gone }) }),
      ],
    ])('and %s are one failure with the cause', (_what, handle) => {
      const { events, stats } = virtualCrawl(FAMILY, {
        strategy: strategy(2),
        seeds: [`${ORIGIN}/`, `${ORIGIN}/b`],
        handle: (page, context) => (isRoot(page) ? handle(page, context) : undefined),
      });
      expect(failures(events)).toMatchObject([
        { error: { code: 'handler-failed', message: 'handler failed: broken', cause: broken } },
      ]);
      expect(stats).toMatchObject({ failed: 1, done: 1 });
    });

    it.each<[string, Handler<unknown, VirtualPage>]>([
      ['reject', () => Promise.reject(broken)],
      [
        'throw in an async generator',
        async function* () {
          yield 'an item';
          gone();
        },
      ],
    ])('and %s are one failure with the cause', async (_what, handle) => {
      const { failures: failed } = await crawlRootForReal(handle);
      expect(failed).toMatchObject([{ error: { code: 'handler-failed', cause: broken } }]);
    });

    it.each<[string, unknown]>([
      ['an iterator without results', { [Symbol.iterator]: () => ({ next: () => 5 }) }],
      ['an async iterator without results', endlessly(undefined)],
      [
        'an async iterator whose results throw',
        endlessly({
          get done() {
            return gone();
          },
        }),
      ],
      [
        'a value that throws when it is looked at',
        endlessly({ value: new Proxy({}, { has: gone }) }),
      ],
    ])('and give %s are one failure, not a crawl without end', async (_what, output) => {
      const { failures: failed } = await crawlRootForReal(
        (() => output) as Handler<never, VirtualPage>,
      );
      expect(failed).toMatchObject([{ error: { code: 'handler-failed' } }]);
    });

    it.each([
      ['a number', 5],
      ['a text', 'https://a.example/'],
      ['true', true],
      ['an object that is no source', { url: 'https://a.example/' }],
      ['a function', () => 1],
    ])('and return %s are one failure that says what was expected', (_what, output) => {
      const { events, stats } = crawlRoot((() => output) as unknown as Handler<never, VirtualPage>);
      expect(failures(events)).toMatchObject([{ error: { code: 'handler-failed' } }]);
      expect(failures(events)[0]!.error.cause).toBeInstanceOf(TypeError);
      expect(stats).toMatchObject({ failed: 1, admitted: 1 });
    });

    it('return a promise of requests beside items: whose requests would not be followed', async () => {
      const mixed = [1, request(`${ORIGIN}/a`)];
      const { failures, items, visited } = await crawlRootForReal(() => Promise.resolve(mixed));
      expect(failures).toMatchObject([
        {
          error: {
            code: 'handler-failed',
            message: expect.stringContaining('requests beside other values') as string,
          },
        },
      ]);
      expect({ items, visited }).toEqual({ items: [], visited: 0 });
    });

    it.each([
      ['a generator', (value: unknown) => [value]],
      ['an Observable', (value: unknown) => of(value, 'never asked for')],
    ])('give such a list by %s', (_what, handle) => {
      const mixed = [request(`${ORIGIN}/a`), 1];
      const { events, items, stats } = crawlRoot<unknown>(() => handle(mixed));
      expect(failures(events)).toMatchObject([{ error: { code: 'handler-failed' } }]);
      expect(items).toEqual([]);
      expect(stats).toMatchObject({ failed: 1, admitted: 1 });
    });

    it('give such a list by an async generator: its `finally` runs', async () => {
      let closed = false;
      const { failures, items } = await crawlRootForReal<unknown>(async function* () {
        try {
          yield await Promise.resolve('before');
          yield [request(`${ORIGIN}/a`), 1];
        } finally {
          closed = true;
        }
      });
      expect(failures).toMatchObject([{ error: { code: 'handler-failed' } }]);
      expect({ items, closed }).toEqual({ items: ['before'], closed: true });
    });

    it('throw what is no Error', () => {
      const { events } = crawlRoot(() => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what users do
        throw 'a text';
      });
      expect(failures(events)[0]!.error).toMatchObject({
        message: 'handler failed: a text',
        cause: 'a text',
      });
    });

    /** Neither an Error nor anything that `String()` takes. */
    const mute: unknown = Object.create(null);
    const throwMute = (): never => {
      throw mute;
    };

    it.each<[string, () => unknown]>([
      ['at once', () => throwMute()],
      ['by an Observable', () => throwError(() => mute)],
      [
        'by an async generator',

        async function* () {
          yield 1;
          throwMute();
        },
      ],
    ])('throw what has no text, %s', async (_how, handle) => {
      const { failures } = await crawlRootForReal(handle as Handler<unknown, VirtualPage>);
      expect(failures).toMatchObject([
        { error: { code: 'handler-failed', message: 'handler failed: a value without text' } },
      ]);
    });

    it('throw after some links: those are kept', () => {
      const { stats, items, lines } = crawlRoot(function* (page) {
        yield 'kept';
        yield* page.follow();
        gone();
      });
      expect(items).toEqual(['kept']);
      expect(stats).toMatchObject({ admitted: 3, done: 2, failed: 1 });
      const all = lines();
      expect(all.indexOf('found / +2')).toBeLessThan(all.indexOf('fail / handler-failed'));
    });

    it('are tried again where the policy says so', () => {
      let calls = 0;
      const { stats } = virtualCrawl(FAMILY, {
        strategy: strategy(2),
        retry: (attempt, { error }) =>
          attempt < 3 && error.code === 'handler-failed' ? 100 : null,
        handle: (page) => {
          if (isRoot(page) && ++calls < 3) gone();
          return page.follow();
        },
      });
      expect(stats).toMatchObject({ retries: 2, done: 3, failed: 0 });
    });
  });

  describe('over their time', () => {
    it('fail after 60 s: the signal fires, and nothing later comes from that page', () => {
      const late$ = new Subject<string>();
      let reason: unknown;
      const { times, items, stats } = crawlRoot((page, { signal }) => {
        signal.addEventListener('abort', () => (reason = signal.reason as unknown));
        return concat(of('in time'), page.follow(), timer(60_001).pipe(map(() => 'late')), late$);
      });
      expect(items).toEqual(['in time']);
      expect(times('failure')).toEqual(['60000 fail / handler-timeout']);
      expect(reason).toBeInstanceOf(CrawlError);
      expect(late$.observed).toBe(false);
      expect(stats).toMatchObject({ failed: 1, done: 2, byError: { 'handler-timeout': 1 } });
    });

    it('fail after the time of the option', () => {
      const { times } = virtualCrawl(
        { '/': {} },
        { strategy: strategy(1), handlerTimeout: 50, handle: () => NEVER },
      );
      expect(times('failure')).toEqual(['50 fail / handler-timeout']);
    });

    it('find the signal fired, also if they look at it only then', () => {
      let aborted: boolean | undefined;
      virtualCrawl(
        { '/': {}, '/a': { latency: 100 } },
        {
          strategy: strategy(2),
          seeds: [`${ORIGIN}/`, `${ORIGIN}/a`],
          handlerTimeout: 50,
          handle: (page, context) => {
            if (!isRoot(page)) return undefined;
            timer(80).subscribe(() => (aborted = context.signal.aborted));
            return NEVER;
          },
        },
      );
      expect(aborted).toBe(true);
    });

    it('never fail with a limit of Infinity', () => {
      const { times } = virtualCrawl(
        { '/': {} },
        {
          strategy: strategy(1),
          handlerTimeout: Infinity,
          handle: () => timer(9e6).pipe(ignoreElements()),
        },
      );
      expect(times('done')).toEqual(['9000000 done /']);
    });

    it('are closed: the `finally` of an async generator runs', async () => {
      let closed = false;
      const { failures: failed, visited } = await new Promise<{
        failures: CrawlEvent[];
        visited: number;
      }>((resolve) => {
        const events: CrawlEvent[] = [];
        crawl<number, VirtualPage>({
          fetcher: virtualSite(ORIGIN, FAMILY).fetcher,
          parse: virtualPage,
          strategy: strategy(2),
          delay: 0,
          handlerTimeout: 10,
          async *handle(_page, { signal }) {
            try {
              yield 1;
              await new Promise((stop) => signal.addEventListener('abort', stop));
              yield 2;
            } finally {
              closed = true;
            }
          },
        })(`${ORIGIN}/`).subscribe({
          next: (event) => events.push(event),
          complete: () =>
            setTimeout(() => {
              expectConservation(events);
              resolve({
                failures: failures(events),
                visited: events.filter(({ type }) => type === 'item').length,
              });
            }),
        });
      });
      expect(failed).toMatchObject([{ error: { code: 'handler-timeout' } }]);
      expect(visited).toBe(1);
      expect(closed).toBe(true);
    });
  });

  describe('when the crawl is unsubscribed', () => {
    it('have their signal fired and their `finally` run, in the same tick', () => {
      const seen: string[] = [];
      const crawl$ = crawl<number, VirtualPage>({
        fetcher: virtualSite(ORIGIN, FAMILY).fetcher,
        parse: virtualPage,
        strategy: strategy(2),
        *handle(_page, { signal }) {
          signal.addEventListener('abort', () => seen.push('signal'));
          try {
            yield 1;
            yield 2;
          } finally {
            seen.push('finally');
          }
        },
        sink: () => NEVER,
      })(`${ORIGIN}/`);
      runToEnd(crawl$, { until: 5 });
      expect(seen).toEqual(['signal', 'finally']);
    });

    it('run their `finally` also if they unsubscribed the crawl themselves', () => {
      let closed = false;
      const enough$ = new Subject<void>();
      const crawl$ = crawl<number, VirtualPage>({
        fetcher: virtualSite(ORIGIN, FAMILY).fetcher,
        parse: virtualPage,
        strategy: strategy(2),
        *handle() {
          try {
            yield 1;
            enough$.next();
            yield 2;
          } finally {
            closed = true;
          }
        },
      })(`${ORIGIN}/`);
      const items = runToEnd(crawl$.pipe(takeUntil(enough$))).filter(
        ({ event }) => event.type === 'item',
      );
      expect(items).toHaveLength(1);
      expect(closed).toBe(true);
    });

    it('are asked for no more values', () => {
      let asked = 0;
      const crawl$ = crawl<number, VirtualPage>({
        fetcher: virtualSite(ORIGIN, FAMILY).fetcher,
        parse: virtualPage,
        strategy: strategy(2),
        *handle() {
          for (;;) yield ++asked;
        },
      })(`${ORIGIN}/`);
      runToEnd(crawl$.pipe(take(10)));
      expect(asked).toBeLessThanOrEqual(10);
    });
  });

  describe('with a sink', () => {
    it('wait until it has taken an item before they are asked for the next', () => {
      const asked: number[] = [];
      const { times, stats } = virtualCrawl<string>(
        { '/': {} },
        {
          strategy: strategy(1),
          *handle() {
            for (const item of ['x', 'y', 'z']) {
              asked.push(asked.length);
              yield item;
            }
          },
          sink: () => timer(100),
        },
      );
      expect(times('item', 'done')).toEqual(['0 item /', '100 item /', '200 item /', '300 done /']);
      expect(asked).toHaveLength(3);
      expect(stats.items).toBe(3);
    });

    it('hold no more than an item a worker, however slow it is', () => {
      // Pages come at 1,000 a second; the sink takes 10 items a second.
      const workers = 8;
      let freeAt = 0;
      let inSink = 0;
      let mostInSink = 0;
      const sink = () => {
        const now = asyncScheduler.now();
        freeAt = Math.max(now, freeAt) + 100;
        inSink += 1;
        mostInSink = Math.max(mostInSink, inSink);
        return timer(freeAt - now).pipe(finalize(() => (inSink -= 1)));
      };
      const links = Array.from({ length: 200 }, (_, i) => `/${i}`);
      const { events, times, stats } = virtualCrawl<string>(
        (url) => (url === `${ORIGIN}/` ? { links } : { latency: workers }),
        {
          strategy: strategy(workers),
          *handle(page) {
            if (isRoot(page)) yield* page.follow();
            else yield page.url;
          },
          sink,
        },
      );
      let seen = NO_STATS;
      const ahead = events.map((event) => {
        seen = countEvent(seen, event);
        return seen.items - (seen.done - 1);
      });
      expect(stats.items).toBe(200);
      expect(mostInSink).toBe(workers);
      expect(Math.max(...ahead)).toBeLessThanOrEqual(workers + 1);
      expect(times('done').at(-1)).toMatch(/^200\d\d /); // the sink's own pace
    });

    it('are not charged for the time that it takes', () => {
      const { times } = virtualCrawl<number>(
        { '/': {} },
        {
          strategy: strategy(1),
          handlerTimeout: 50,
          handle: () => concat(timer(20), timer(20), NEVER),
          sink: () => timer(1_000),
        },
      );
      // 20 ms of its own, then 2,000 ms in the sink, then the 30 ms that were left.
      expect(times('failure')).toEqual(['2050 fail / handler-timeout']);
    });

    it('are still timed after a sink that takes at once', () => {
      const { times } = virtualCrawl<number>(
        { '/': {} },
        {
          strategy: strategy(1),
          handlerTimeout: 50,
          handle: () => concat(timer(20), NEVER),
          sink: () => undefined,
        },
      );
      expect(times('item', 'failure')).toEqual(['20 item /', '50 fail / handler-timeout']);
    });

    it.each<[string, () => Observable<unknown>]>([
      ['throws', () => throwNow()],
      ['errors', () => throwError(() => new Error('disk full'))],
      ['errors later', () => timer(5).pipe(map(throwNow))],
    ])('fail with its cause if it %s, and are closed', (_what, sink) => {
      let closed = false;
      const { events, items, stats } = virtualCrawl<string>(FAMILY, {
        strategy: strategy(2),
        *handle(page) {
          if (!isRoot(page)) return;
          try {
            yield* page.follow();
            yield 'x';
            yield 'y';
          } finally {
            closed = true;
          }
        },
        sink,
      });
      expect(failures(events)).toMatchObject([
        { error: { code: 'sink-failed', cause: { message: 'disk full' } } },
      ]);
      expect(items).toEqual(['x']);
      expect(stats).toMatchObject({ done: 2, failed: 1 });
      expect(closed).toBe(true);
    });

    it('do not give it an item that made the consumer leave', () => {
      const given: number[] = [];
      const crawl$ = crawl<number, VirtualPage>({
        fetcher: virtualSite(ORIGIN, FAMILY).fetcher,
        parse: virtualPage,
        strategy: strategy(2),
        handle: () => [1, 2, 3],
        sink: (item) => {
          given.push(item);
        },
      })(`${ORIGIN}/`);
      runToEnd(crawl$.pipe(items(), take(2)));
      expect(given).toEqual([1]);
    });
  });
});

function throwNow(): never {
  throw new Error('disk full');
}

describe.each(STRATEGIES)('a fetcher under %s', (_name, strategy) => {
  it('that completes without a response fails its request', () => {
    const events = runToEnd(crawl({ strategy: strategy(2), fetcher: () => EMPTY })(`${ORIGIN}/`));
    expect(events.at(-1)?.event).toMatchObject({ type: 'failure', error: { code: 'internal' } });
  });

  it('that emits two responses gives one page', () => {
    const { fetcher } = virtualSite(ORIGIN, { '/': [] });
    const twice: Fetcher = (request) => merge(fetcher(request), fetcher(request));
    const events = runToEnd(
      crawl({ strategy: strategy(2), fetcher: twice, delay: 0 })(`${ORIGIN}/`),
    );
    expect(events.filter(({ event }) => event.type === 'page')).toHaveLength(1);
    expect(events.filter(({ event }) => event.type === 'done')).toHaveLength(1);
  });
});
