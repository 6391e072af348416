import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type FetchNotice, followRedirects, type RequestOptions } from '../../../src/core/index.js';
import { type CacheStore, httpCache, type HttpCacheOptions } from '../../../src/fetch/index.js';
import { type Answer, answering, get, rounds } from './answering.js';

const ETAG: Answer = { headers: { etag: '"1"' }, body: 'one' };
const SAME: Answer = { status: 304 };
const MODIFIED = 'Sun, 06 Nov 1994 08:49:37 GMT';

describe('httpCache', () => {
  it('asks again on condition, and gives what is stored after a 304', async () => {
    const { got, conditions } = await rounds(httpCache(), [
      ETAG,
      SAME,
      { headers: { etag: '"2"' }, body: 'two' },
      SAME,
    ]);
    expect(got).toEqual(['200 one', '200 one revalidated', '200 two', '200 two revalidated']);
    expect(conditions).toEqual([undefined, '"1"', '"1"', '"2"']);
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['an ETag', { etag: 'W/"x"' }, 'W/"x"'],
    ['Last-Modified', { 'last-modified': MODIFIED }, MODIFIED],
    ['an ETag before Last-Modified', { etag: '"x"', 'last-modified': MODIFIED }, '"x"'],
    ['nothing', {}, undefined],
    ['a time that is not asked about', { 'cache-control': 'max-age=60' }, undefined],
  ])('uses %s', async (_name, headers, condition) => {
    const { conditions } = await rounds(httpCache(), [{ headers }, { headers }]);
    expect(conditions[1]).toBe(condition);
  });

  it('asks without a condition where a 304 is about another answer', async () => {
    const { got, conditions } = await rounds(httpCache(), [
      ETAG,
      { status: 304, headers: { etag: '"2"' } },
      { headers: { etag: '"2"' }, body: 'two' },
      SAME,
    ]);
    expect(got.slice(0, 3)).toEqual(['200 one', '200 two', '200 two revalidated']);
    expect(conditions.slice(0, 4)).toEqual([undefined, '"1"', undefined, '"2"']);
  });

  it.each([
    ['"1"', '"1"'],
    ['W/"1"', '"1"'],
    ['"1"', 'W/"2"'],
    [undefined, '"2"'],
  ])('takes what is stored with the tag %s for confirmed by a 304 with %s', async (known, told) => {
    const modified = { 'last-modified': MODIFIED };
    const { got } = await rounds(httpCache(), [
      { headers: known === undefined ? modified : { ...modified, etag: known }, body: 'one' },
      { status: 304, headers: { etag: told } },
    ]);
    expect(got).toEqual(['200 one', '200 one revalidated']);
  });

  it('takes over the fields of a 304, but not those of its message', async () => {
    const { fetcher } = answering(
      { headers: { etag: '"1"', 'content-type': 'text/html', date: 'x', 'x-a': '1' }, body: 'b' },
      { status: 304, headers: { date: 'y', 'content-type': 'a/b', 'content-length': '0' } },
    );
    const cached = httpCache()((request, context) => fetcher(request, context));
    await get(cached);
    const headers: unknown[] = [];
    await get((request, context) => {
      const response$ = cached(request, context);
      response$.subscribe((response) => headers.push({ ...response.headers }));
      return response$;
    });
    expect(headers[0]).toEqual({ etag: '"1"', 'content-type': 'text/html', date: 'y', 'x-a': '1' });
  });

  it.each<[string, Answer]>([
    ['no-store', { headers: { etag: '"1"', 'cache-control': 'public, No-Store' } }],
    [
      'private',
      { headers: { etag: '"1"', 'cache-control': 'private="set-cookie, x", max-age=9' } },
    ],
    ['a cookie', { headers: { etag: '"1"', 'set-cookie': ['a=1'] } }],
    ['Vary: *', { headers: { etag: '"1"', vary: 'accept, *' } }],
    ['a cut body', { headers: { etag: '"1"' }, truncated: true }],
    ['404', { status: 404, headers: { etag: '"1"' } }],
    ['500', { status: 500, headers: { etag: '"1"' } }],
    ['302', { status: 302, headers: { etag: '"1"', location: '/x' } }],
    ['206', { status: 206, headers: { etag: '"1"' } }],
  ])('does not keep an answer with %s', async (_name, answer) => {
    const { conditions } = await rounds(httpCache(), [answer, answer]);
    expect(conditions).toEqual([undefined, undefined]);
  });

  it.each<[string, RequestOptions]>([
    ['authorization', { headers: { authorization: 'Basic x' } }],
    ['a cookie', { headers: { cookie: 'a=1' } }],
    ['a range', { headers: { range: 'bytes=0-1' } }],
    ['a condition', { headers: { 'if-modified-since': MODIFIED } }],
    ['no-cache', { headers: { 'cache-control': 'no-cache' } }],
    ['no-store', { headers: { 'cache-control': 'no-store' } }],
    ['another method', { method: 'HEAD' }],
    ['a body', { body: 'x' }],
  ])('lets a request with %s pass by', async (_name, options) => {
    const { got } = await rounds(
      httpCache(),
      [ETAG, { body: 'mine', ...{ headers: { etag: '"2"' } } }, SAME],
      [{}, options, {}],
    );
    expect(got).toEqual(['200 one', '200 mine', '200 one revalidated']);
  });

  it('lets a request with user information pass by', async () => {
    const { fetcher, asked } = answering(ETAG);
    const cached = httpCache()(fetcher);
    const url = 'https://me:pw@a.example/page';
    await get(cached, { url });
    await get(cached, { url });
    expect(asked[1]?.headers).toBeUndefined();
  });

  it('uses what is stored only for the same fields that Vary names', async () => {
    const vary: Answer = {
      headers: { etag: '"1"', vary: 'Accept-Language, __proto__' },
      body: 'x',
    };
    const [de, en] = [{ 'accept-language': 'de' }, { 'accept-language': 'en' }];
    const { conditions } = await rounds(
      httpCache(),
      [vary],
      [{ headers: de }, { headers: de }, { headers: en }, { headers: en }, {}],
    );
    expect(conditions).toEqual([undefined, '"1"', undefined, '"1"', undefined]);
  });

  it.each<[string, Answer, boolean]>([
    ['a failure', { error: true }, true],
    ['500', { status: 500 }, true],
    ['503', { status: 503 }, true],
    ['429', { status: 429 }, true],
    ['403', { status: 403 }, true],
    ['a cut answer', { body: 'hal', truncated: true }, true],
    ['404', { status: 404 }, false],
    ['410', { status: 410 }, false],
    ['an answer that may not be kept', { body: 'new' }, false],
  ])('%s: what was stored is kept: %s', async (_name, answer, kept) => {
    const { conditions } = await rounds(httpCache(), [ETAG, answer, SAME]);
    expect(conditions).toEqual([undefined, '"1"', kept ? '"1"' : undefined]);
  });

  it('forgets a page that a request has changed', async () => {
    const { conditions } = await rounds(
      httpCache(),
      [ETAG, { status: 204 }, ETAG, { status: 403 }, ETAG],
      [{}, { method: 'POST', body: 'x' }, {}, { method: 'DELETE' }, {}],
    );
    expect(conditions).toEqual([undefined, undefined, undefined, undefined, '"1"']);
  });

  it('hands a 304 on that answers no condition of its own', async () => {
    const { got } = await rounds(httpCache(), [SAME]);
    expect(got).toEqual(['304 ']);
  });

  it('follows a stored permanent redirect', async () => {
    const { fetcher, asked } = answering(
      { status: 301, headers: { location: '/b', etag: '"r"' } },
      { body: 'b' },
      SAME,
      { body: 'b' },
    );
    const cached = followRedirects()(httpCache()(fetcher));
    expect(await get(cached)).toBe('200 b');
    expect(await get(cached)).toBe('200 b');
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(['/page', '/b', '/page', '/b']);
  });

  it('cuts what is stored where a crawl wants only so much', async () => {
    const { fetcher } = answering(ETAG, SAME);
    const cached = httpCache()(fetcher);
    await get(cached);
    expect(await get(cached, {}, { attempt: 1, truncateAt: 2 })).toBe('200 on revalidated');
  });
});

describe("httpCache, mode 'fresh'", () => {
  const DATE = 'Thu, 01 Jan 1970 00:00:00 GMT';
  it.each<[string, Record<string, string>, number]>([
    ['max-age', { 'cache-control': 'max-age=60' }, 60],
    ['max-age in quotes', { 'cache-control': 'max-age="60"' }, 60],
    ['the first of two', { 'cache-control': 'max-age=60, max-age=90' }, 60],
    ['max-age before Expires', { 'cache-control': 'max-age=60', expires: DATE, date: DATE }, 60],
    ['Expires', { expires: 'Thu, 01 Jan 1970 00:01:00 GMT', date: DATE }, 60],
    ['the age that it came with', { 'cache-control': 'max-age=60', age: '20' }, 40],
    ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, 0],
    ['nonsense', { 'cache-control': 'max-age=-1', expires: '0' }, 0],
    ['s-maxage, which is for others', { 'cache-control': 's-maxage=60' }, 0],
  ])('asks nobody for as long as %s says', async (_name, headers, fresh) => {
    const scheduler = new VirtualTimeScheduler();
    const { fetcher, asked } = answering({ headers: { etag: '"1"', ...headers }, body: 'x' }, SAME);
    const cached = httpCache({ mode: 'fresh', scheduler })(fetcher);
    await get(cached);
    scheduler.frame = Math.max(0, fresh * 1000 - 1);
    expect(await get(cached)).toBe(fresh === 0 ? '200 x revalidated' : '200 x hit');
    scheduler.frame = fresh * 1000;
    expect(await get(cached)).toBe('200 x revalidated');
    expect(asked).toHaveLength(fresh === 0 ? 3 : 2);
  });

  it('counts from a 304 anew', async () => {
    const scheduler = new VirtualTimeScheduler();
    const headers = { etag: '"1"', 'cache-control': 'max-age=10' };
    const { fetcher, asked } = answering({ headers, body: 'x' }, SAME);
    const cached = httpCache({ mode: 'fresh', scheduler })(fetcher);
    for (const second of [0, 11, 20, 22]) {
      scheduler.frame = second * 1000;
      await get(cached);
    }
    expect(asked).toHaveLength(3);
  });
});

describe('a store that fails', () => {
  const fail = (): never => {
    throw new Error('disk full');
  };
  const reject = (): Promise<never> => Promise.reject(new Error('disk full'));
  it.each<[string, CacheStore]>([
    ['at once', { get: fail, set: fail, delete: fail }],
    ['later', { get: reject, set: reject, delete: reject }],
  ])('%s is a warning and a miss', async (_name, store) => {
    const notices: FetchNotice[] = [];
    const { fetcher } = answering(ETAG);
    const cached = httpCache({ store })(fetcher);
    const context = { attempt: 1, notify: (notice: FetchNotice) => void notices.push(notice) };
    expect(await get(cached, {}, context)).toBe('200 one');
    expect(notices).toMatchObject([
      { type: 'warning', code: 'cache-failed', message: 'the cache could not be used: disk full' },
      { type: 'warning', code: 'cache-failed' },
    ]);
  });
});

describe('options of httpCache', () => {
  it.each<[object, string]>([
    [{ mode: 'always' }, 'mode: expected "revalidate" or "fresh", got "always"'],
    [{ store: {} }, 'store.get: expected a function, got undefined'],
    [{ maxBytes: 1 }, 'unknown option "maxBytes"; known are store, mode, scheduler'],
  ])('refuses %j', (options, message) => {
    expect(() => httpCache(options as HttpCacheOptions)).toThrow(`httpCache: ${message}`);
  });
});
