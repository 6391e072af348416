import fc from 'fast-check';
import { lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  CookieJar,
  crawl,
  type CrawlRequest,
  type FetchedResponse,
  followRedirects,
  pipeFetcher,
  request,
  scopedHeaders,
  withCookies,
} from '../../src/index.js';

const ORIGINS = [
  'https://a.test',
  'http://a.test',
  'https://a.test:8443',
  'https://sub.a.test',
  'https://b.test',
] as const;

/** Sends a request along a chain of origins, and gives what each exchange was sent with. */
async function along(chain: readonly string[]): Promise<CrawlRequest[]> {
  const asked: CrawlRequest[] = [];
  const jar = new CookieJar();
  jar.set('https://b.test/', 'jar=of-b; Secure');
  const fetcher = pipeFetcher(
    (sent) => {
      const next = chain[asked.push(sent)];
      const headers = next === undefined ? {} : { location: `${next}/${asked.length}` };
      const status = next === undefined ? 200 : 307;
      const body = new Uint8Array();
      return of<FetchedResponse>({
        url: sent.url,
        status,
        headers,
        body,
        redirects: [],
        wireBytes: 0,
      });
    },
    withCookies({ jar }),
    scopedHeaders({
      headers: { authorization: 'crawl', 'x-api-key': 'crawl', 'x-plain': 'crawl' },
      origins: new Set(['https://a.test']),
    }),
    followRedirects({ maxRedirects: 20 }),
  );
  const url = `${chain[0] ?? ''}/0`.replace('://', '://me:password@');
  const headers = { 'x-token': 'own', 'x-own': 'own', accept: 'own' };
  await lastValueFrom(fetcher(request(url, { headers })), { defaultValue: undefined });
  return asked;
}

describe('secrets in a chain of redirects', () => {
  it('are sent only until it first leaves its origin, and never again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...ORIGINS), { minLength: 1, maxLength: 8 }),
        async (chain) => {
          const asked = await along(chain);
          expect(asked).toHaveLength(chain.length);
          const end = chain.findIndex((origin) => origin !== chain[0]);
          const stayed = end === -1 ? chain.length : end;
          asked.forEach(({ url, headers = {} }, index) => {
            const isSecure = url.startsWith('https:');
            const { hostname } = new URL(url);
            // The jar is asked for each hop by itself.
            expect(headers['cookie']).toBe(
              hostname === 'b.test' && isSecure ? 'jar=of-b' : undefined,
            );
            expect(headers['accept']).toBe('own');
            expect(headers['x-plain']).toBe('crawl');
            expect(headers['x-token']).toBe(index < stayed ? 'own' : undefined);
            expect(headers['x-own']).toBe(index < stayed ? 'own' : undefined);
            const isSeed = chain[0] === 'https://a.test' && index < stayed;
            expect(headers['authorization']).toBe(isSeed ? 'crawl' : undefined);
            expect(headers['x-api-key']).toBe(isSeed ? 'crawl' : undefined);
            expect(url.includes('password')).toBe(index === 0);
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('user information that a site puts into its redirects and links', () => {
  const SECRET = 'hunter2';
  const WITH = `http://me:${SECRET}@`;
  /** Location by path. */
  const TO = new Map([
    ['/within', `${WITH}a.test/page`],
    ['/gone', `${WITH}a.test/404`],
    ['/loop', `${WITH}a.test/loop`],
    ['/out', `${WITH}b.test/`],
    ['/again', `${WITH}a.test/page`],
    ['/broken', `${WITH}[::1`],
    ['/ftp', `ftp://me:${SECRET}@a.test/`],
  ]);
  const page = (sent: CrawlRequest): FetchedResponse => {
    const url = new URL(sent.url);
    const location = TO.get(url.pathname);
    const links = ['a.test/linked', 'b.test/', 'a.test/page', `a.test/${'x'.repeat(9_000)}`];
    return {
      url: `http://${url.host}${url.pathname}`,
      status: location !== undefined ? 302 : url.pathname === '/404' ? 404 : 200,
      headers: { 'content-type': 'text/html', ...(location !== undefined && { location }) },
      body: Buffer.from(links.map((link) => `<a href="${WITH}${link}">x</a>`).join('')),
      redirects: [],
      wireBytes: 0,
    };
  };

  it('is sent, and told by nothing but the request itself', async () => {
    const asked: string[] = [];
    const events = await lastValueFrom(
      crawl({
        fetcher: (sent) => {
          asked.push(sent.url);
          return of(page(sent));
        },
        handle: (each) => each.follow(),
        robots: false,
        delay: 0,
        retry: () => null,
        maxDepth: 1,
      })([...TO.keys(), '/'].map((path) => `http://a.test${path}`)).pipe(toArray()),
    );
    expect(asked).toContain(`${WITH}a.test/page`);
    expect(asked).toContain(`${WITH}a.test/linked`);
    const own = new Set(['request', 'admitted', 'bytes']);
    const told = events.map((event) =>
      JSON.stringify(event, (key, value: unknown) => {
        if (own.has(key)) return undefined;
        return value instanceof Error ? value.stack : value;
      }),
    );
    expect(told.join('\n')).not.toContain(SECRET);
    for (const type of ['redirect', 'skip', 'failure', 'warning', 'page'] as const) {
      expect(events.map((event) => event.type)).toContain(type);
    }
  });
});
