import { readFileSync } from 'node:fs';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { followRedirects } from '../../src/core/follow-redirects.js';
import { request, type Fetcher, type RequestOptions } from '../../src/core/index.js';
import { scopedHeaders, type ScopedHeadersOptions } from '../../src/fetch/scoped-headers.js';
import { describeShared } from '../helpers/shared-cases.js';

const A = 'https://a.example';
const B = 'https://b.example';

/** The headers that are sent for a request and its redirects, one object an exchange. */
function sent(
  options: ScopedHeadersOptions,
  url: string,
  redirects: Readonly<Record<string, string>> = {},
  requestOptions: RequestOptions = {},
): Readonly<Record<string, string>>[] {
  const seen: Readonly<Record<string, string>>[] = [];
  const fetcher: Fetcher = (each) => {
    seen.push({ ...each.headers });
    const location = redirects[each.url];
    return of({
      url: each.url,
      status: location === undefined ? 200 : 302,
      headers: location === undefined ? {} : { location },
      body: new Uint8Array(),
      redirects: [],
      wireBytes: 0,
    });
  };
  followRedirects()(scopedHeaders(options)(fetcher))(request(url, requestOptions)).subscribe();
  return seen;
}

const SECRETS = {
  Authorization: 'Bearer 1',
  Cookie: 's=1',
  'X-Api-Key': '2',
  'X-Auth-Token': '3',
  'Client-Secret': '4',
  'X-Team': 'blue',
};
const seeds = new Set([A]);

describe('scopedHeaders', () => {
  it('sends what looks like a secret to the origins of the seeds alone', () => {
    const options = { headers: SECRETS, origins: seeds };
    expect(sent(options, `${A}/x`)).toEqual([
      {
        authorization: 'Bearer 1',
        cookie: 's=1',
        'x-api-key': '2',
        'x-auth-token': '3',
        'client-secret': '4',
        'x-team': 'blue',
      },
    ]);
    for (const url of [B, 'http://a.example', `${A}:444`, 'https://www.a.example']) {
      expect(sent(options, url)).toEqual([{ 'x-team': 'blue' }]);
    }
  });

  it('sends a field to the origins that it names', () => {
    const headers = {
      'x-api-key': { value: '1', origins: 'all' as const },
      'x-team': { value: 'blue', origins: [B] },
    };
    expect(sent({ headers, origins: seeds }, A)).toEqual([{ 'x-api-key': '1' }]);
    expect(sent({ headers, origins: seeds }, B)).toEqual([{ 'x-api-key': '1', 'x-team': 'blue' }]);
  });

  it('never gives a secret back to a chain that has left its origin', () => {
    const redirects = {
      [`${A}/`]: `${A}/1`,
      [`${A}/1`]: B,
      [`${B}/`]: `${A}/2`,
      [`${A}/2`]: `${A}/3`,
    };
    const headers = { cookie: 's=1', accept: 'text/html' };
    expect(sent({ headers, origins: seeds }, A, redirects)).toEqual([
      headers,
      headers,
      { accept: 'text/html' },
      { accept: 'text/html' },
      { accept: 'text/html' },
    ]);
  });

  it('gives a chain that comes to a seed from elsewhere no secret', () => {
    expect(sent({ headers: { cookie: 's=1' }, origins: seeds }, B, { [`${B}/`]: A })).toEqual([
      {},
      {},
    ]);
  });

  it('knows origins that are added later', () => {
    const origins = new Set<string>();
    const options = { headers: { 'x-key': '1' }, origins };
    expect(sent(options, A)).toEqual([{}]);
    origins.add(A);
    expect(sent(options, A)).toEqual([{ 'x-key': '1' }]);
  });

  it("lets a request's own field win", () => {
    const headers = { cookie: 's=1', accept: 'a' };
    const own = { headers: { Cookie: 'mine' } };
    expect(sent({ headers, origins: seeds }, A, {}, own)).toEqual([
      { cookie: 'mine', accept: 'a' },
    ]);
  });

  it('sends proxy-authorization to no site', () => {
    const headers = { 'Proxy-Authorization': { value: 'x', origins: 'all' as const } };
    expect(sent({ headers, origins: seeds }, A)).toEqual([{}]);
  });

  it.each([
    [{ 'a b': '1' }, 'expected a token'],
    [{ 'x-key': '1\r\nX: y' }, 'no line breaks'],
    [{ host2: { value: '1', origins: ['a.example'] } }, 'expected an origin'],
    [{ host2: { value: '1', origins: [`${A}/`] } }, 'expected an origin'],
  ])('refuses %j', (headers, message) => {
    expect(() => scopedHeaders({ headers, origins: seeds })).toThrow(TypeError);
    expect(() => scopedHeaders({ headers, origins: seeds })).toThrow(message);
    expect(() => scopedHeaders({ headers: {}, origins: new Set(['x']) })).toThrow(
      'expected an origin',
    );
  });
});

describeShared('cookies/jar.json', (path) => {
  interface Leak {
    id: string;
    from: string;
    redirectTo: string;
    userHeaders: string[];
    keptOnSecondRequest: string[];
  }
  const { redirectLeak } = JSON.parse(readFileSync(path, 'utf8')) as { redirectLeak: Leak[] };
  const cases = redirectLeak.filter(({ userHeaders }) => !userHeaders.includes('(cookie jar)'));

  it.each(cases)('$id', ({ from, redirectTo, userHeaders, keptOnSecondRequest }) => {
    const headers = Object.fromEntries(userHeaders.map((name) => [name, 'secret']));
    const kept = keptOnSecondRequest.map((name) => name.toLowerCase()).sort();
    const redirects = { [from]: redirectTo };
    const origins = new Set([new URL(from).origin]);
    const asScoped = sent({ headers, origins }, from, redirects);
    const asOwn = sent({ headers: {}, origins }, from, redirects, { headers });
    for (const second of [asScoped[1]!, asOwn[1]!])
      expect(Object.keys(second).sort()).toEqual(kept);
  });
});
