import { config, of, Subject, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawlerOf,
  IllegalTransition,
  SeedRejected,
  type ControlOptions,
  type Crawler,
  type CrawlProblem,
} from '../../src/control/index.js';
import {
  balance,
  balanceSinks,
  bufferedSink,
  crawl,
  type CrawlOptions,
  type CrawlRequest,
  queued,
} from '../../src/core/index.js';
import { on, otherwise, routes } from '../../src/page/index.js';
import { createCrawler } from '../../src/index.js';
import {
  virtualPage,
  virtualSite,
  type PageInput,
  type VirtualPage,
} from '../../src/testing/index.js';
import { VirtualClock } from './virtual-clock.js';

type Options = Partial<Omit<CrawlOptions<string, VirtualPage>, 'pause$' | 'stop$'>>;

const PAGES: Record<string, PageInput> = {
  '/': ['/a', '/b'],
  '/a': ['/c'],
  '/b': [],
  '/c': [],
};

function setUp(options: Options = {}, pages: Record<string, PageInput> = PAGES) {
  const clock = new VirtualClock();
  const site = virtualSite('https://x.example', pages, { latency: 10, scheduler: clock });
  const crawler: Crawler<Options, string, VirtualPage> = crawlerOf(
    (given: Options & ControlOptions) =>
      crawl<string, VirtualPage>({
        fetcher: site.fetcher,
        parse: virtualPage,
        scheduler: clock,
        delay: 0,
        *handle(page) {
          yield page.url;
          yield* page.follow();
        },
        ...given,
      }),
    options,
  );
  const statuses: string[] = [];
  crawler.status$.subscribe((status) => statuses.push(status));
  const problems: CrawlProblem[] = [];
  crawler.errors$.subscribe((problem) => problems.push(problem));
  return { clock, site, crawler, statuses, problems };
}

const SEED = 'https://x.example/';

describe('a crawler', () => {
  it('runs to its end and stops by itself', () => {
    const { clock, crawler, statuses } = setUp();
    const items: string[] = [];
    const pages: string[] = [];
    crawler.items$.subscribe((item) => items.push(item));
    crawler.pages$.subscribe((page) => pages.push(page.url));
    crawler.start(SEED);
    expect(crawler.status).toBe('started');
    clock.pass(1_000);
    expect(items).toEqual(['/', '/a', '/b', '/c'].map((path) => `https://x.example${path}`));
    expect(pages).toEqual(items);
    expect(statuses).toEqual(['initialized', 'starting', 'started', 'stopping', 'stopped']);
    expect(crawler.summary()).toMatchObject({
      status: 'stopped',
      idle: true,
      runs: 1,
      stats: { admitted: 4, done: 4, items: 4, waiting: 0, inFlight: 0 },
      problems: { downloader: 0, analyzer: 0, pipeline: 0, scheduler: 0 },
    });
  });

  it('starts again after it has stopped, with nothing of the run before', () => {
    const { clock, crawler, site } = setUp();
    crawler.start(SEED);
    clock.pass(1_000);
    crawler.start(SEED);
    clock.pass(1_000);
    expect(site.requests).toBe(8);
    expect(crawler.summary()).toMatchObject({ runs: 2, stats: { done: 4, duplicates: 0 } });
  });

  it('starts again in the middle of the news that it has stopped', () => {
    const { clock, crawler, site } = setUp();
    let runs = 0;
    const heard: string[] = [];
    crawler.status$.subscribe((status) => {
      if (status === 'stopped' && (runs += 1) < 3) crawler.start(SEED);
    });
    crawler.status$.subscribe((status) => heard.push(status));
    crawler.start(SEED);
    clock.pass(10_000);
    expect(site.requests).toBe(12);
    // Every subscriber hears everything in the order in which it happened.
    expect(heard.slice(1)).toEqual(
      Array.from({ length: 3 }, () => ['starting', 'started', 'stopping', 'stopped']).flat(),
    );
  });

  it('takes several seeds', () => {
    const { clock, crawler } = setUp();
    crawler.start([SEED, new URL('https://x.example/b'), 'https://x.example/d']);
    clock.pass(1_000);
    expect(crawler.summary().stats).toMatchObject({ admitted: 5, done: 4, failed: 1 });
  });

  it.each([
    ['no URL', 'nonsense'],
    ['no URL among others', [SEED, 'nonsense']],
    ['another scheme', 'ftp://x.example/'],
    ['out of scope', 'https://other.example/'],
    ['made while it is read', new Set(['ftp://x.example/', SEED])],
  ])('refuses a first seed that is %s, and changes nothing', (_name, seeds) => {
    const scope = ({ url }: CrawlRequest) => url.startsWith(SEED);
    const { clock, crawler, site, statuses, problems } = setUp({ scope });
    expect(() => crawler.start(seeds)).toThrow(SeedRejected);
    expect(crawler.status).toBe('initialized');
    clock.pass(1_000);
    expect(site.requests).toBe(0);
    expect(problems).toEqual([]);
    expect(crawler.summary()).toMatchObject({ runs: 0, idle: true });
    expect(statuses.at(-1)).toBe('initialized');
    crawler.start(SEED);
    clock.pass(1_000);
    expect(crawler.summary().stats.done).toBe(4);
  });

  it('stays on the hosts of its seeds, those that come later among them', () => {
    const pages = { '/': ['/a', 'https://y.example/', 'mailto:me@x.example'], '/a': [] };
    const { clock, crawler } = setUp({}, pages);
    const skips: string[] = [];
    crawler.events$.subscribe((event) => {
      if (event.type === 'skip') skips.push(`${event.reason} ${event.url}`);
    });
    crawler.start(SEED);
    clock.pass(1_000);
    expect(crawler.summary().stats).toMatchObject({ done: 2, failed: 0 });
    expect(skips).toEqual(['scope https://y.example/', 'scheme mailto:me@x.example']);
    const seeds$ = new Subject<string>();
    crawler.start(seeds$);
    seeds$.next('https://y.example/none');
    seeds$.next(SEED);
    seeds$.complete();
    clock.pass(1_000);
    // The virtual web has nothing at that host, but it was asked for.
    expect(crawler.summary().stats).toMatchObject({ done: 2, failed: 2 });
  });

  it('refuses an empty list, and tells of a stream without seeds', () => {
    const { clock, crawler, problems } = setUp();
    expect(() => crawler.start([])).toThrow('expected at least one');
    for (const nothing of [undefined, null, 5, {}, () => SEED]) {
      expect(() => crawler.start(nothing as never)).toThrow('seeds: expected a URL, a request, or');
    }
    expect(crawler.status).toBe('initialized');
    crawler.start(of());
    clock.pass(0);
    expect(crawler.status).toBe('stopped');
    expect(problems).toMatchObject([
      { stage: 'scheduler', message: 'crawler: there were no seeds' },
    ]);
  });

  it('tells of later seeds that are refused, and goes on', () => {
    const { clock, crawler, problems } = setUp();
    crawler.start([SEED, 'ftp://x.example/', SEED, 'https://x.example/c']);
    crawler.pages$.subscribe();
    clock.pass(1_000);
    expect(crawler.summary().stats.done).toBe(4);
    expect(problems).toMatchObject([
      {
        stage: 'scheduler',
        error: { name: 'SeedRejected', url: 'ftp://x.example/', reason: 'scheme' },
      },
    ]);
  });

  it('tells of a stream of seeds that fails, and stops', () => {
    const { crawler, problems } = setUp();
    crawler.start(throwError(() => new Error('no more seeds')));
    expect(crawler.status).toBe('stopped');
    expect(problems).toMatchObject([{ stage: 'scheduler', message: 'no more seeds' }]);
  });

  it('classes problems by stage', () => {
    const { clock, crawler, problems } = setUp(
      {
        retry: () => null,
        handlerTimeout: 100,
        *handle(page) {
          yield* page.follow();
          if (page.url.endsWith('/throws')) throw new Error('bad handler');
          yield page.url;
        },
        sink: (item) => (item.endsWith('/full') ? throwError(() => new Error('disk full')) : []),
      },
      {
        '/': ['/throws', '/full', '/gone', '/broken'],
        '/throws': [],
        '/full': [],
        '/broken': { fail: 'connection-reset' },
      },
    );
    crawler.start(SEED);
    clock.pass(1_000);
    expect(problems.map(({ stage, request }) => [stage, request?.url.slice(17)])).toEqual([
      ['analyzer', '/throws'],
      ['pipeline', '/full'],
      ['downloader', '/gone'],
      ['downloader', '/broken'],
    ]);
    expect(crawler.summary().problems).toEqual({
      downloader: 2,
      analyzer: 1,
      pipeline: 1,
      scheduler: 0,
    });
  });

  it('starts nothing while it is paused', () => {
    const { clock, crawler, site } = setUp();
    crawler.start(SEED);
    crawler.pause();
    crawler.pause();
    clock.pass(1_000);
    expect(site.requests).toBe(1);
    expect(crawler.summary()).toMatchObject({ paused: true, idle: false, stats: { waiting: 2 } });
    crawler.resume();
    clock.pass(1_000);
    expect(crawler.summary()).toMatchObject({
      paused: false,
      status: 'stopped',
      stats: { done: 4 },
    });
  });

  it('lets what runs end when it is stopped', async () => {
    const { clock, crawler, statuses } = setUp();
    crawler.start(SEED);
    clock.pass(15);
    const stopped = crawler.stop();
    expect(crawler.status).toBe('stopping');
    clock.pass(1_000);
    await stopped;
    expect(statuses).toEqual(['initialized', 'starting', 'started', 'stopping', 'stopped']);
    expect(crawler.summary().stats).toMatchObject({ admitted: 4, done: 3, skipped: 1 });
  });

  it('aborts what does not end in time', () => {
    const { clock, crawler, site } = setUp({}, { '/': { latency: 60_000 } });
    crawler.start(SEED);
    clock.pass(10);
    void crawler.stop({ drainMs: 200 });
    clock.pass(199);
    expect(crawler.status).toBe('stopping');
    clock.pass(1);
    expect(crawler.status).toBe('stopped');
    expect(site.aborted).toBe(1);
    expect(crawler.summary()).toMatchObject({
      stats: { failed: 1, inFlight: 0, byError: { aborted: 1 } },
      problems: { scheduler: 1 },
    });
  });

  it('can be stopped by what it tells', () => {
    const { clock, crawler, site } = setUp();
    crawler.pages$.subscribe(() => {
      if (crawler.status === 'started') void crawler.stop();
    });
    crawler.start(SEED);
    clock.pass(1_000);
    expect(crawler.status).toBe('stopped');
    expect(site.requests).toBe(1);
  });

  it('knows exactly when nothing is left to do', () => {
    const { clock, crawler } = setUp();
    const idle: [number, boolean][] = [];
    crawler.idle$.subscribe((now) => idle.push([clock.now(), now]));
    const seeds$ = new Subject<string>();
    crawler.start(seeds$);
    clock.pass(100);
    seeds$.next(SEED);
    clock.pass(100);
    expect(crawler.status).toBe('started');
    seeds$.next('https://x.example/late');
    clock.pass(100);
    seeds$.complete();
    expect(crawler.status).toBe('stopped');
    expect(idle).toEqual([
      [0, true],
      [100, false],
      [130, true],
      [200, false],
      [210, true],
    ]);
  });

  it('is not idle between two seeds of an iterable', () => {
    const { clock, crawler } = setUp({ seedLookahead: 1 });
    const idle: boolean[] = [];
    crawler.idle$.subscribe((now) => idle.push(now));
    crawler.start(['https://x.example/b', 'https://x.example/c']);
    clock.pass(100);
    expect(idle).toEqual([true, false, true]);
  });

  it('gives its summary as JSON text, and tells only of changes', () => {
    const { clock, crawler } = setUp({ maxPages: 10, maxDepth: Infinity });
    const told: unknown[] = [];
    crawler.summary$.subscribe((summary) => told.push(summary));
    crawler.start(SEED);
    clock.pass(1_000);
    expect(told.length).toBeGreaterThan(4);
    for (const [index, summary] of told.entries()) expect(summary).not.toEqual(told[index + 1]);
    expect(told.at(-1)).toEqual(crawler.summary());
    const text = crawler.summaryText();
    expect(text).toContain('\n    "status": "stopped"');
    expect(JSON.parse(text)).toMatchObject({
      options: { maxPages: 10, maxDepth: 'Infinity' },
      stats: { admitted: 4 },
    });
  });

  it('has everything that is known of a run in its summary, as JSON', () => {
    const { clock, crawler } = setUp();
    const fetcher = balance([
      { id: 'one', fetcher: virtualSite('https://x.example', PAGES).fetcher },
    ]);
    crawler.init({ maxPages: 3, maxDepth: 5, fetcher, sink: bufferedSink(() => []) });
    crawler.start(SEED);
    clock.pass(1_000);
    const counts = { called: 3, accepted: 3, completed: 3, inFlight: 0 };
    expect(JSON.parse(crawler.summaryText())).toEqual({
      status: 'stopped',
      paused: false,
      idle: true,
      runs: 1,
      options: { maxPages: 3, maxDepth: 5 },
      stats: {
        admitted: 4,
        waiting: 0,
        inFlight: 0,
        done: 3,
        failed: 0,
        skipped: 1,
        duplicates: 0,
        items: 3,
        itemFailures: 0,
        retries: 0,
        redirects: 0,
        bytes: 108,
        byStatus: { 200: 3 },
        byError: {},
        byReason: { 'max-pages': 1 },
      },
      modules: {
        fetchers: [{ id: 'one', ...counts, extra: { failed: 0, coolingMs: 0 } }],
        handlers: [],
        sinks: [],
      },
      buffer: {
        capacity: 1_000,
        overflow: 'hold',
        size: 0,
        held: 0,
        saving: 0,
        saved: 3,
        failed: 0,
        dropped: 0,
      },
      problems: { downloader: 0, analyzer: 0, pipeline: 0, scheduler: 0 },
    });
  });

  it('has the figures of modules and buffers in its summary', () => {
    const clock = new VirtualClock();
    const site = virtualSite('https://x.example', PAGES, { latency: 10, scheduler: clock });
    const crawler = crawlerOf(
      (given: ControlOptions & Partial<CrawlOptions<string>>) => crawl(given as never),
      {
        scheduler: clock,
        delay: 0,
        parse: virtualPage as never,
        fetcher: balance(['b', 'a'].map((id) => ({ id, fetcher: site.fetcher }))),
        handle: routes(
          on('/', (page: VirtualPage) => page.follow()),
          otherwise((_page: VirtualPage) => ['item']),
        ) as never,
        sink: bufferedSink((_item: string) => timer(1_000, clock), { capacity: 7 }),
      },
    );
    expect(crawler.summary().modules.sinks).toEqual([]);
    crawler.start(SEED);
    clock.pass(15);
    expect(crawler.summary().modules.fetchers).toMatchObject([
      { id: 'a', called: 1, inFlight: 1 },
      { id: 'b', called: 2, inFlight: 1, completed: 1 },
    ]);
    clock.pass(100);
    expect(crawler.summary()).toMatchObject({
      status: 'stopped',
      modules: {
        handlers: [
          { id: '/', called: 1 },
          { id: 'otherwise', called: 2 },
          { id: 'unmatched', called: 0 },
        ],
      },
      buffer: { capacity: 7, size: 1, saving: 1, held: 0, overflow: 'hold' },
    });
  });

  it('has the figures of several sinks in its summary, sorted by id', () => {
    const { clock, crawler } = setUp();
    const store = (id: string) => ({ id, sink: () => timer(10, clock) });
    crawler.init({ sink: balanceSinks(['b', 'a'].map(store)), handle: (page) => [page.url] });
    crawler.start(SEED);
    clock.pass(1_000);
    const { modules, buffer } = crawler.summary();
    expect(modules.sinks.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(modules.sinks.reduce((sum, { completed }) => sum + completed, 0)).toBe(1);
    expect(JSON.parse(crawler.summaryText())).toMatchObject({ modules: { sinks: modules.sinks } });
    expect(buffer).toBeUndefined();
  });

  it('does not lock up if a sink that holds the workers adds seeds', () => {
    const seeds$ = new Subject<string>();
    const { clock, crawler } = setUp();
    let added = 0;
    crawler.init({
      strategy: queued(2),
      fetcher: ({ url }) =>
        of({ url, status: 200, headers: {}, body: new Uint8Array(), redirects: [], wireBytes: 0 }),
      handle: (page) => [page.url],
      sink: () => {
        added += 1;
        if (added < 500) seeds$.next(`${SEED}?${added}`);
        else seeds$.complete();
        return timer(100, clock);
      },
    });
    crawler.start(seeds$);
    seeds$.next(SEED);
    clock.pass(100_000);
    expect(crawler.summary()).toMatchObject({
      status: 'stopped',
      stats: { done: 500, items: 500 },
    });
  });

  it('takes other options between runs, and keeps the old ones if they are wrong', () => {
    const { clock, crawler, site } = setUp();
    expect(() => crawler.init({ maxPages: -1 })).toThrow('maxPages');
    expect(crawler.status).toBe('initialized');
    crawler.init({ maxPages: 2 });
    crawler.start(SEED);
    expect(() => crawler.init({})).toThrow(IllegalTransition);
    clock.pass(1_000);
    expect(site.requests).toBe(2);
  });

  it('refuses options that its methods replace', () => {
    const { crawler } = setUp();
    expect(() => crawler.init({ stop$: of(1) } as Options)).toThrow('unknown option "stop$"');
  });

  it('goes on if a subscriber throws', async () => {
    const { clock, crawler } = setUp();
    const thrown = new Promise((resolve) => (config.onUnhandledError = resolve));
    crawler.pages$.subscribe((page) => {
      if (page.url === SEED) throw new Error('bad subscriber');
    });
    crawler.start(SEED);
    clock.pass(1_000);
    expect(crawler.summary().stats.done).toBe(4);
    expect(crawler.status).toBe('stopped');
    expect(await thrown).toEqual(new Error('bad subscriber'));
    config.onUnhandledError = null;
  });
});

describe('createCrawler', () => {
  it('makes a crawler of the crawl of the main entry', async () => {
    const site = virtualSite('https://x.example', {
      '/': '<title>Hello</title><a href="/b">b</a>',
    });
    const crawler = createCrawler({ fetcher: site.fetcher, robots: false, delay: 0 });
    const titles: (string | undefined)[] = [];
    crawler.pages$.subscribe((page) => titles.push(page.title));
    crawler.start(SEED);
    await new Promise((resolve) => {
      crawler.status$.subscribe((status) => {
        if (status === 'stopped') resolve(undefined);
      });
    });
    expect(titles).toEqual(['Hello']);
    expect(crawler.summary().stats).toMatchObject({ done: 1, failed: 1 });
  });

  it('refuses what makes no crawl', () => {
    expect(() => crawlerOf('x' as never, {})).toThrow('crawlerOf: makeCrawl: expected a function');
    expect(() => crawlerOf((() => 5) as never, {})).toThrow(
      'crawler: what makeCrawl returned: expected a function, got 5',
    );
  });

  it('refuses wrong options at once', () => {
    expect(() => createCrawler({ maxPages: 0 })).toThrow('maxPages');
    expect(() => createCrawler({ depth: 3 } as never)).toThrow('unknown option "depth"');
  });
});
