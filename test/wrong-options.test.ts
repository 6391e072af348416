import { EMPTY } from 'rxjs';
import { describe, expect, it } from 'vitest';
import * as rxcrawl from 'rxcrawl';

const {
  adaptDelay,
  addressGuard,
  balance,
  bufferedSink,
  bulk,
  bulkSink,
  canonicalizer,
  CookieJar,
  crawl,
  createCrawler,
  createPage,
  createSitemapParser,
  csvSink,
  diskCache,
  distinctContent,
  download,
  extractLinks,
  followRedirects,
  holdHosts,
  HostGate,
  hostKeyByDomain,
  httpCache,
  jsonLinesSink,
  loadDocument,
  loadPage,
  memoryCache,
  monitor,
  obeyRobots,
  on,
  otherwise,
  parseRobots,
  pipeline,
  polite,
  queued,
  request,
  retryFetch,
  retryPolicy,
  routes,
  sameDomain,
  saveFile,
  scopedHeaders,
  sitemapSeeds,
  softNotFound,
  toCsv,
  toJsonLines,
  trapGuards,
  undiciFetcher,
  withCookies,
} = rxcrawl;

/** Values that an option of a kind never takes. `undefined` always stands for the default. */
const WRONG = {
  function: [null, true, 5, 'x', {}, []],
  integer: [null, true, '5', NaN, -1, 1.5, {}, []],
  ms: [null, true, '5', NaN, -1, 2 ** 31, {}, []],
  positive: [null, true, '5', NaN, 0, -1, {}, []],
  boolean: [null, 0, 'yes', {}, []],
  string: [null, true, 5, {}, []],
  object: [null, true, 5, 'x', []],
  list: [null, true, 5, 'x', {}],
  choice: [null, true, 5, 'never', {}, []],
  observable: [null, true, 5, 'x', {}],
  scheduler: [null, true, 5, 'x', {}, []],
  anyway: [null, 5, 'x'],
} satisfies Record<string, readonly unknown[]>;
type Kind = keyof typeof WRONG;

type Call = (options: never) => unknown;

const none = (): undefined => undefined;
const fetcher = (): typeof EMPTY => EMPTY;
const scheduler = { now: () => 0, schedule: none };
const gate = new HostGate({ scheduler: scheduler as never });
const modules = [{ id: 'a', fetcher }];
const url = 'https://a.example/';
const response = {
  url,
  status: 200,
  headers: {},
  body: new Uint8Array(),
  redirects: [],
  wireBytes: 0,
};
const all = <O extends object>(options: O, needed: object): O => ({ ...needed, ...options });

const PAGE: Record<string, Kind> = {
  parser: 'choice',
  kinds: 'list',
  maxLinks: 'integer',
  noscript: 'boolean',
  maxDocument: 'integer',
  nofollow: 'choice',
  headerLinks: 'boolean',
  userAgent: 'string',
};
const CORE: Record<string, Kind> = {
  fetcher: 'function',
  decorators: 'list',
  strategy: 'function',
  parse: 'function',
  handle: 'function',
  sink: 'function',
  acceptStatus: 'function',
  scope: 'function',
  guards: 'list',
  key: 'function',
  seen: 'function',
  maxDepth: 'integer',
  maxPages: 'integer',
  maxLinksPerPage: 'integer',
  maxUrlLength: 'integer',
  maxRedirects: 'integer',
  perHost: 'integer',
  delay: 'ms',
  jitter: 'integer',
  rate: 'choice',
  adaptiveDelay: 'anyway',
  retryAfterCap: 'ms',
  maxHolds: 'integer',
  stallLimit: 'ms',
  maxHostFailures: 'integer',
  hostKey: 'function',
  retry: 'function',
  handlerTimeout: 'ms',
  seedLookahead: 'integer',
  drain: 'ms',
  scheduler: 'scheduler',
  random: 'function',
};
const STACK: Record<string, Kind> = {
  ...CORE,
  userAgent: 'string',
  headers: 'object',
  cookies: 'anyway',
  timeouts: 'object',
  minRate: 'object',
  maxBodyBytes: 'positive',
  truncate: 'boolean',
  proxy: 'choice',
  insecureHosts: 'list',
  http2: 'boolean',
  connect: 'object',
  addresses: 'anyway',
  cache: 'anyway',
  robots: 'anyway',
  urls: 'object',
  traps: 'anyway',
  sitemaps: 'anyway',
};

/** Each function that takes options, and of which kind each option is. */
const BAGS: readonly (readonly [name: string, call: Call, options: Record<string, Kind>])[] = [
  ['crawl', crawl, { ...STACK, pause$: 'observable', stop$: 'observable' }],
  ['createCrawler', createCrawler, STACK],
  [
    'queued',
    (options) => queued(4, options),
    { order: 'object', frontier: 'function', selectWorker: 'function' },
  ],
  [
    'retryPolicy',
    retryPolicy,
    {
      retries: 'integer',
      base: 'ms',
      cap: 'ms',
      statuses: 'list',
      codes: 'list',
      methods: 'list',
      random: 'function',
    },
  ],
  ['retryFetch', (options) => retryFetch(undefined, options), { scheduler: 'scheduler' }],
  ['followRedirects', followRedirects, { maxRedirects: 'integer' }],
  [
    'polite',
    polite,
    {
      perHost: 'integer',
      delay: 'ms',
      jitter: 'integer',
      hostKey: 'function',
      scheduler: 'scheduler',
      random: 'function',
    },
  ],
  [
    'HostGate',
    (options: object) => new HostGate(all(options, { scheduler }) as never),
    { perHost: 'integer', delay: 'ms', hostKey: 'function', scheduler: 'scheduler' },
  ],
  [
    'holdHosts',
    (options) => holdHosts(gate, options),
    {
      retryAfterCap: 'ms',
      firstHold: 'ms',
      longestHold: 'ms',
      stallLimit: 'ms',
      maxHostFailures: 'integer',
      scheduler: 'scheduler',
    },
  ],
  [
    'adaptDelay',
    (options) => adaptDelay(gate, options),
    { min: 'ms', max: 'ms', target: 'positive', scheduler: 'scheduler' },
  ],
  [
    'balance',
    (options) => balance(modules, options),
    {
      by: 'choice',
      cooldown: 'ms',
      isUnwell: 'function',
      maxPutBacks: 'integer',
      scheduler: 'scheduler',
    },
  ],
  [
    'bufferedSink',
    (options) => bufferedSink(() => EMPTY, options),
    { capacity: 'integer', concurrency: 'integer', overflow: 'choice' },
  ],
  [
    'undiciFetcher',
    undiciFetcher,
    {
      userAgent: 'string',
      headers: 'object',
      timeouts: 'object',
      minRate: 'object',
      maxBodyBytes: 'positive',
      maxDecodeRatio: 'positive',
      maxHeaderBytes: 'integer',
      maxHeaderLines: 'integer',
      truncate: 'boolean',
      wantBody: 'function',
      dispatcher: 'object',
      connect: 'object',
      insecureHosts: 'list',
      proxy: 'choice',
      http2: 'boolean',
      plainCredentials: 'boolean',
    },
  ],
  [
    'addressGuard',
    addressGuard,
    {
      mode: 'choice',
      allow: 'list',
      blockedPorts: 'list',
      proxied: 'boolean',
      resolve: 'function',
    },
  ],
  ['httpCache', httpCache, { store: 'object', mode: 'choice', scheduler: 'scheduler' }],
  ['memoryCache', memoryCache, { maxBytes: 'integer' }],
  ['diskCache', (options) => diskCache('cache', options), { maxBytes: 'integer' }],
  [
    'CookieJar',
    (options) => new CookieJar(options),
    { maxCookies: 'integer', maxPerDomain: 'integer' },
  ],
  ['withCookies', withCookies, { jar: 'object' }],
  [
    'scopedHeaders',
    (options: object) => scopedHeaders(all(options, { headers: {}, origins: new Set() }) as never),
    { headers: 'object', origins: 'list' },
  ],
  [
    'obeyRobots',
    (options: object) => obeyRobots(all(options, { userAgent: 'testbot' }) as never),
    {
      userAgent: 'string',
      cacheMs: 'ms',
      maxOrigins: 'integer',
      recheckMs: 'ms',
      timeout: 'ms',
      maxRedirects: 'integer',
      maxBytes: 'integer',
      crawlDelayCap: 'ms',
      onCrawlDelay: 'function',
      retry: 'function',
      scheduler: 'scheduler',
    },
  ],
  [
    'parseRobots',
    (options) => parseRobots('', options),
    { maxBytes: 'integer', truncated: 'boolean' },
  ],
  [
    'sitemapSeeds',
    (options: object) => sitemapSeeds(all(options, { fetcher }) as never),
    {
      fetcher: 'function',
      sites: 'anyway',
      sitemaps: 'anyway',
      robots: 'function',
      toRequest: 'function',
      label: 'string',
      onWarning: 'function',
      otherHosts: 'boolean',
      maxDepth: 'integer',
      maxSitemaps: 'integer',
      maxUrls: 'integer',
      maxUrlsPerSitemap: 'integer',
      maxBytes: 'integer',
      timeout: 'ms',
      scheduler: 'scheduler',
    },
  ],
  [
    'sitemap',
    (options: object) => createSitemapParser(all(options, { url }) as never),
    { url: 'string', contentType: 'string', maxUrls: 'integer', maxBytes: 'integer' },
  ],
  [
    'download',
    (options: object) => download(all(options, { dir: 'files' }) as never),
    {
      dir: 'string',
      match: 'function',
      name: 'function',
      exists: 'choice',
      maxBytes: 'integer',
      types: 'list',
      concurrency: 'integer',
      resumes: 'integer',
      linkDuplicates: 'boolean',
    },
  ],
  [
    'saveFile',
    (options: object) => saveFile(all(options, { dir: 'files' }) as never),
    { dir: 'string', name: 'function', exists: 'choice' },
  ],
  [
    'csvSink',
    (options) => csvSink('a.csv', options),
    { columns: 'list', spreadsheetSafe: 'boolean', mode: 'choice' },
  ],
  ['toCsv', (options) => toCsv('a.csv', options), { columns: 'list', mode: 'choice' }],
  ['jsonLinesSink', (options) => jsonLinesSink('a.jsonl', options), { mode: 'choice' }],
  ['toJsonLines', (options) => toJsonLines('a.jsonl', options), { mode: 'choice' }],
  [
    'bulkSink',
    (options) => bulkSink(1, 1, () => EMPTY, options),
    { retry: 'function', scheduler: 'scheduler' },
  ],
  [
    'bulk',
    (options) => bulk(1, 1, () => EMPTY, options),
    { retry: 'function', scheduler: 'scheduler' },
  ],
  [
    'monitor',
    (options) => monitor(createCrawler(), options),
    { summaryMs: 'ms', idleMs: 'ms', autoStop: 'boolean', scheduler: 'scheduler' },
  ],
  ['loadPage', loadPage, PAGE],
  [
    'request',
    (options) => request(url, options),
    {
      key: 'string',
      depth: 'integer',
      referrer: 'string',
      label: 'string',
      method: 'string',
      headers: 'object',
      body: 'string',
    },
  ],
  ['createPage', (options) => createPage(response, request(url), options), PAGE],
  [
    'extractLinks',
    (options: object) => extractLinks('', all(options, { url }) as never),
    {
      url: 'string',
      contentType: 'string',
      encoding: 'string',
      kinds: 'list',
      maxLinks: 'integer',
      noscript: 'boolean',
    },
  ],
  [
    'loadDocument',
    (options) => loadDocument('', options),
    { parser: 'choice', xml: 'boolean', maxLength: 'integer', baseURI: 'string' },
  ],
  ['distinctContent', distinctContent, { distance: 'integer', remember: 'integer' }],
  [
    'on',
    (options) => on('/a', () => [], options),
    { id: 'string', concurrency: 'integer', dedupe: 'anyway' },
  ],
  [
    'otherwise',
    (options) => otherwise(() => [], options),
    { id: 'string', concurrency: 'integer', dedupe: 'anyway' },
  ],
  ['softNotFound', softNotFound, { probeName: 'function', distance: 'integer' }],
  ['UrlPolicy', canonicalizer, { dropWww: 'boolean', sortQuery: 'choice', dropQuery: 'choice' }],
  ['sameDomain', sameDomain, { privateSuffixes: 'boolean' }],
  ['hostKeyByDomain', hostKeyByDomain, { privateSuffixes: 'boolean' }],
  [
    'trapGuards',
    trapGuards,
    { paging: 'positive', urlLength: 'positive', sessionIds: 'boolean', now: 'function' },
  ],
];

/** Values that a kind refuses, and this option takes all the same. */
const FINE: Readonly<Record<string, readonly unknown[]>> = {
  'UrlPolicy: sortQuery': [true],
  'UrlPolicy: dropQuery': [true, []],
};

const shown = (value: unknown): string =>
  typeof value === 'number' ? String(value) : JSON.stringify(value);

function isFine(name: string, option: string, value: unknown): boolean {
  return (FINE[`${name}: ${option}`] ?? []).some((each) => shown(each) === shown(value));
}

describe.each(BAGS)('%s', (name, call, options) => {
  const make = call as (options: unknown) => unknown;
  const known = Object.keys(options);

  it('refuses an option that it does not know, by name', () => {
    expect(() => make({ bogus: 1 })).toThrow(/: unknown option "bogus"; known are \w/);
  });

  it.each(known.map((option) => [option, WRONG[options[option] as Kind]] as const))(
    'refuses wrong values of %s',
    (option, values) => {
      for (const value of values) {
        if (isFine(name, option, value)) continue;
        const attempt = (): unknown => make({ [option]: value });
        const what = `${name}({ ${option}: ${shown(value)} })`;
        expect(attempt, what).toThrow(/expected/);
        expect(attempt, what).toThrow(/got/);
        expect(attempt, what).toThrow(nameOf(option));
        expect(attempt, what).toThrow(
          expect.toSatisfy(
            (error) => error instanceof TypeError || error instanceof RangeError,
          ) as Error,
        );
      }
    },
  );
});

it('undefined stands for the default', () => {
  const given = Object.fromEntries(Object.keys(STACK).map((option) => [option, undefined]));
  expect(() => crawl(given)).not.toThrow();
});

/** What the message calls an option: those that are checked by a part have the part's name. */
function nameOf(option: string): RegExp {
  const parts: Readonly<Record<string, string>> = {
    addresses: 'addressGuard',
    urls: 'UrlPolicy',
    sitemaps: 'sitemaps',
  };
  return new RegExp((parts[option] ?? option).replace('$', '\\$'));
}

describe('options that are no object are refused', () => {
  const direct = BAGS.filter(([, call]) => !String(call).includes('all('));
  it.each(direct)('%s', (_name, call) => {
    for (const value of [null, 5, 'x', true, []]) {
      expect(() => (call as (options: unknown) => unknown)(value), shown(value)).toThrow(
        /expected an object/,
      );
    }
  });
});

describe('these calls are refused', () => {
  const wrong: readonly (readonly [call: () => unknown, message: string | RegExp])[] = [
    [() => rxcrawl.simple(4, ...([{}] as unknown as [])), 'simple: expected one argument'],
    [() => rxcrawl.simple('4' as never), 'simple: concurrency: expected'],
    [() => queued(null as never), 'queued: workers: expected'],
    [
      () => queued(4, { order: 'fifo' as never }),
      'queued: order: expected an order such as fifo()',
    ],
    [
      () => queued(4, { order: { name: 'x', compare: () => 0, score: 5 } as never }),
      'queued: order: score: expected a function, got 5',
    ],
    [
      () => queued([{ id: 'a', decorators: 5 as never }]),
      'queued: workers[0]: decorators: expected a list, got 5',
    ],
    [
      () => queued([{ id: 'a', decorators: [5 as never] }]),
      'queued: workers[0]: decorators[0]: expected a function, got 5',
    ],
    [() => rxcrawl.bestFirst(5 as never), 'bestFirst: score: expected a function, got 5'],
    [() => retryPolicy({ codes: 'aborted' as never }), 'retryPolicy: codes: expected a list'],
    [() => retryPolicy({ statuses: ['500' as never] }), 'statuses: expected a list of numbers'],
    [() => retryFetch(5 as never), 'retryFetch: policy: expected a function, got 5'],
    [() => balance([null as never]), 'balance: fetchers[0]: expected an object, got null'],
    [
      () => rxcrawl.pipeFetcher(fetcher, 5 as never),
      'pipeFetcher: decorators: expected a function',
    ],
    [() => rxcrawl.pipeFetcher(5 as never), 'pipeFetcher: fetcher: expected a function'],
    [() => rxcrawl.fingerprintSet('9' as never), 'fingerprintSet: expected a positive number'],
    [() => crawl({ guards: [5 as never] }), 'crawl: guards[0]: expected a function, got 5'],
    [() => crawl({ addresses: { bogus: 1 } as never }), 'addressGuard: unknown option "bogus"'],
    [() => crawl({ adaptiveDelay: 'x' as never }), 'crawl: adaptiveDelay: expected true, false or'],
    [
      () => crawl({ adaptiveDelay: { most: 1 } as never }),
      'crawl: adaptiveDelay: unknown option "most"; known are min, max, target, scheduler',
    ],
    [() => crawl({ robots: { userAgent: 'x' } as never }), 'robots: unknown option "userAgent"'],
    [() => crawl({ robots: { cacheMS: 1 } as never }), 'obeyRobots: unknown option "cacheMS"'],
    [() => crawl({ timeouts: { totl: 1 } as never }), 'timeouts: unknown option "totl"'],
    [() => crawl({ minRate: { bytesPerSecond: 'x' } as never }), 'minRate: bytesPerSecond: exp'],
    [() => crawl({ headers: { Host: 'b.example' } }), 'header "Host" is set from the URL'],
    [() => crawl({ fetcher, headers: { host: 'b.example' } }), 'header "host" is set from the URL'],
    [
      () => crawl({ headers: { 'x-a': null } as never }),
      'headers: x-a: expected an object, got null',
    ],
    [() => undiciFetcher({ headers: { host: 'b.example' } }), 'header "host" is set from the URL'],
    [() => createCrawler({ maxPage: 5 } as never), 'crawl: unknown option "maxPage"; known are'],
    [() => rxcrawl.crawlerOf(none as never, null as never), 'crawler: options: expected an object'],
    [() => createCrawler().stop({ drain: 1 } as never), 'crawler: stop: unknown option "drain"'],
    [() => monitor(5 as never), 'monitor: crawler: expected an object, got 5'],
    [() => routes(5 as never), 'routes: expected an object, got 5'],
    [() => routes(otherwise(none), { math: 'all' } as never), 'routes: unknown option "math"'],
    [() => pipeline((n: number) => n, { failfast: false } as never), 'pipeline: unknown option'],
    [() => pipeline((n: number) => n, { failFast: 1 } as never), 'pipeline: failFast: expected'],
    [() => rxcrawl.all(5 as never), 'all[0]: expected a function, got 5'],
    [() => rxcrawl.any(null as never), 'any[0]: expected a function, got null'],
    [() => rxcrawl.not({} as never), 'not: expected a function, got an object'],
    [() => rxcrawl.hosts(5 as never), 'hosts[0]: expected a string, got 5'],
    [() => rxcrawl.pathPrefix(null as never), 'pathPrefix[0]: expected a string, got null'],
    [() => toCsv(5 as never), 'toCsv: path: expected the path of a file, got 5'],
    [
      () => csvSink('a.csv', { columns: [] }),
      'csvSink: columns: expected a list of names, got none',
    ],
    [() => jsonLinesSink(''), 'jsonLinesSink: path: expected the path of a file, got ""'],
    [() => download({} as never), 'download: dir: expected a path, got undefined'],
    [() => obeyRobots({} as never), 'userAgent: expected a string, got undefined'],
    [() => scopedHeaders({} as never), 'scopedHeaders: headers: expected an object, got undefined'],
    [() => request(url, { priority: NaN }), 'request: priority: expected a number, got NaN'],
    [
      () => request(url, { priority: '5' as never }),
      'request: priority: expected a number, got "5"',
    ],
    [() => loadPage({ kinds: ['a[hreef]' as never] }), 'loadPage: kinds: expected kinds of links'],
  ];

  it.each(wrong.map(([call, message]) => [String(message), call, message] as const))(
    '%s',
    (_name, call, message) => {
      expect(call).toThrow(message);
      expect(call).toThrow(
        expect.toSatisfy(
          (error) => error instanceof TypeError || error instanceof RangeError,
        ) as Error,
      );
    },
  );
});
