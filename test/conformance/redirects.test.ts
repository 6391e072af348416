import { readFileSync } from 'node:fs';
import { defer, lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  anyHost,
  crawl,
  type CrawlRequest,
  type FetchedResponse,
  type Fetcher,
  followRedirects,
  request,
} from '../../src/index.js';
import { describeShared } from '../helpers/shared-cases.js';

/** URL, status, `Location`, further fields; a body that is text is served. */
type Hop = readonly [
  url: string,
  status: number,
  location?: string | null,
  fields?: Readonly<Record<string, unknown>>,
];

interface RedirectCase {
  readonly id: string;
  readonly hops: readonly Hop[];
  readonly expect: { readonly url?: string; readonly hops?: number; readonly error?: string };
  readonly generator?: string;
  readonly policy?: string;
}

interface MethodCase {
  readonly id: string;
  readonly status: number;
  readonly method: string;
  readonly nextMethod: string;
  readonly bodyKept: boolean;
  readonly contentHeadersKept: boolean;
}

/** Cases that state another rule than ours, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'redir-fragment-keep':
    'a request has no fragment from the start: it is never sent, and says nothing about the page',
};

/** What we call their errors. */
const NAMES: Readonly<Record<string, string>> = {
  'redirect-out-of-scope': 'out-of-scope',
  scheme: 'scheme-refused',
  address: 'address-refused',
};

/** Answers as the hops say, several for one URL one after the other; all else is a page. */
function serving(hops: readonly Hop[], growing: boolean): Fetcher {
  const byUrl = new Map<string, Hop[]>();
  for (const hop of hops) {
    const { href } = new URL(request(hop[0]).url);
    byUrl.set(href, [...(byUrl.get(href) ?? []), hop]);
  }
  return (asked) =>
    defer(() => {
      const { url } = asked;
      const known = byUrl.get(url);
      const hop = known && known.length > 1 ? known.shift() : known?.[0];
      if (growing && !url.endsWith('robots.txt')) return of(answer([url, 302, `${url}a`]));
      if (hop) return of(answer([url, ...(hop.slice(1) as [number, string | null])] as Hop));
      return of(answer([url, url.endsWith('/robots.txt') ? 404 : 200]));
    });
}

function answer([url, status, location, fields = {}]: Hop): FetchedResponse {
  const isBody = location !== null && location !== undefined && status === 200;
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  for (const [name, value] of Object.entries(fields)) {
    const key = name.toLowerCase();
    headers[key] = key === 'set-cookie' ? [String(value)] : String(value);
  }
  // The way in which `undiciFetcher` reads a byte that is no UTF-8.
  if (location && !isBody) headers['location'] = location.replace('\\xe9 (raw byte)', 'é');
  const body = Buffer.from(isBody ? location.replaceAll('\\n', '\n') : '');
  return { url, status, headers, body, redirects: [], wireBytes: body.length };
}

async function outcomeOf({ id, hops, generator }: RedirectCase): Promise<string> {
  const [first] = hops;
  if (first === undefined) throw new Error('a case without hops');
  const crawling = crawl({
    fetcher: serving(hops, generator !== undefined),
    ...(id.includes('scope') ? {} : { scope: anyHost() }),
    addresses: 'public-only',
    acceptStatus: () => true,
    maxRedirects: 20,
    delay: 0,
    retry: () => null,
    handle: () => undefined,
  });
  const events = await lastValueFrom(crawling(first[0]).pipe(toArray()));
  const followed = events.filter(({ type }) => type === 'redirect').length;
  for (const event of events) {
    if (event.type === 'done') return `${event.url} after ${followed}`;
    if (event.type === 'failure') return event.error.code;
    if (event.type === 'skip') return NAMES[event.reason] ?? event.reason;
  }
  throw new Error('nothing came of it');
}

describeShared('redirects/cases.json', (path) => {
  const { cases, methods } = JSON.parse(readFileSync(path, 'utf8')) as {
    cases: RedirectCase[];
    methods: MethodCase[];
  };

  it.each(cases.filter(({ id }) => EXCEPTIONS[id] === undefined))('$id', async (each) => {
    const { url, hops = 0, error } = each.expect;
    const accepted =
      error === undefined
        ? (url ?? '').split(/ or |, /).map((one) => `${one} after ${hops}`)
        : [error];
    expect(accepted).toContain(await outcomeOf(each));
  });

  it.each(methods)('$id', async (each) => {
    const { status, method, nextMethod, bodyKept, contentHeadersKept } = each;
    const asked: CrawlRequest[] = [];
    const fetcher = followRedirects()((sent) => {
      asked.push(sent);
      return of(asked.length === 1 ? answer([sent.url, status, '/b']) : answer([sent.url, 200]));
    });
    const hasBody = method !== 'GET' && method !== 'HEAD';
    await lastValueFrom(
      fetcher(
        request('http://a.test/a', {
          method,
          ...(hasBody && { body: 'x', headers: { 'content-type': 'text/plain', accept: '*/*' } }),
        }),
      ),
    );
    const second = asked[1];
    expect(second?.method).toBe(nextMethod);
    expect(second?.body !== undefined).toBe(bodyKept && hasBody);
    expect(second?.headers?.['content-type'] !== undefined).toBe(contentHeadersKept && hasBody);
  });
});

describe('redirects in a crawl', () => {
  it.each<[string, Hop[], string]>([
    ['relative', [['http://a.test/p/x', 302, 'y?z']], 'http://a.test/p/y?z after 1'],
    ['with blanks around', [['http://a.test/x', 302, '  /y ']], 'http://a.test/y after 1'],
    ['empty: itself', [['http://a.test/x', 302, '']], 'http://a.test/x after 0'],
    ['javascript:', [['http://a.test/x', 302, 'javascript:alert(1)']], 'scheme-refused'],
    [
      'a loop of two',
      [
        ['http://a.test/x', 302, '/y'],
        ['http://a.test/y', 301, '/x'],
      ],
      'redirect-loop',
    ],
    [
      'to itself with a cookie',
      [
        ['http://a.test/x', 302, '/x', { 'Set-Cookie': 'a=1' }],
        ['http://a.test/x', 200],
      ],
      'http://a.test/x after 1',
    ],
    ['300', [['http://a.test/x', 300, '/y']], 'http://a.test/x after 0'],
    ['304', [['http://a.test/x', 304, '/y']], 'http://a.test/x after 0'],
    ['200 with Location', [['http://a.test/x', 201, '/y']], 'http://a.test/x after 0'],
    [
      'to this machine',
      [['http://a.test/x', 302, 'http://[::ffff:127.0.0.1]/']],
      'address-refused',
    ],
    [
      'denied by robots.txt at its target',
      [
        ['http://a.test/x', 302, 'http://b.test/no'],
        ['http://b.test/robots.txt', 200, 'User-agent: *\nDisallow: /no'],
      ],
      'robots',
    ],
  ])('%s', async (id, hops, outcome) => {
    expect(await outcomeOf({ id, hops, expect: {} })).toBe(outcome);
  });
});
