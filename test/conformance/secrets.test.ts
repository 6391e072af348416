import fc from 'fast-check';
import { lastValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  CookieJar,
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
