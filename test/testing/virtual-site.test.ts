import { catchError, EMPTY, from, firstValueFrom, mergeMap, of, retry, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { CrawlError, request, type FetchedResponse } from '../../src/core/index.js';
import { runMarbles, runToEnd, virtualSite, type VirtualSite } from '../../src/testing/index.js';

const text = (response: FetchedResponse) => new TextDecoder().decode(response.body);

function get(site: VirtualSite, url: string, attempt?: number): FetchedResponse {
  const [answer] = runToEnd(
    site.fetcher(request(url), attempt === undefined ? undefined : { attempt }),
  );
  return answer!.event;
}

describe('virtualSite', () => {
  it('answers at the latency of the page, or of the site, in virtual time', () => {
    const site = virtualSite(
      'https://a.example',
      { '/': { latency: 20 }, '/b': [], '/c': { latency: 0 } },
      { latency: 5 },
    );
    const at = (path: string) => runToEnd(site.fetcher(request(`https://a.example${path}`)))[0]!.at;
    expect([at('/'), at('/b'), at('/c')]).toEqual([20, 5, 0]);
  });

  it('answers synchronously without latency', () => {
    const site = virtualSite({ 'https://a.example/': [] });
    const seen: number[] = [];
    site.fetcher(request('https://a.example/')).subscribe(({ status }) => seen.push(status));
    expect(seen).toEqual([200]);
  });

  it('is cold, and answers in marble time', () => {
    runMarbles((m) => {
      const site = virtualSite({ 'https://a.example/': { latency: 3 } });
      const fetch$ = site.fetcher(request('https://a.example/')).pipe(mergeMap(() => of('a')));
      m.expectObservable(fetch$, '-^').toBe('----(a|)');
      m.expectObservable(fetch$, '---^').toBe('------(a|)');
    });
  });

  it('renders links as HTML, escaped', () => {
    const site = virtualSite('https://a.example', { '/': { title: 'A & B', links: ['/?x="1"'] } });
    expect(text(get(site, 'https://a.example/'))).toBe(
      '<!doctype html>\n<title>A &amp; B</title>\n<a href="/?x=&quot;1&quot;">/?x=&quot;1&quot;</a>\n',
    );
  });

  it('takes links, a body or a full description for a page', () => {
    const site = virtualSite('https://a.example', {
      '/robots.txt': 'User-agent: *',
      '/data.json': {
        body: Uint8Array.of(123, 125),
        headers: { ETag: 'x', 'Set-Cookie': ['a', 'b'] },
      },
      '/sized': { body: 'ab', bytes: 4 },
      'https://b.example/?q': { status: 500 },
    });
    expect(text(get(site, 'https://a.example/robots.txt'))).toBe('User-agent: *');
    expect(text(get(site, 'https://a.example/sized'))).toBe('ab  ');
    expect(get(site, 'https://b.example/?q').status).toBe(500);
    const { body, wireBytes, headers } = get(site, 'https://a.example/data.json');
    expect(body).toEqual(Uint8Array.of(123, 125));
    expect(wireBytes).toBe(2);
    expect({ ...headers }).toEqual({
      'content-type': 'application/json',
      etag: 'x',
      'set-cookie': ['a', 'b'],
    });
  });

  it('guesses the content type from the path alone', () => {
    const site = virtualSite(() => '');
    const type = (url: string) => get(site, url).headers['content-type'];
    expect(type('https://a.example/robots.txt?v=1')).toMatch(/^text\/plain/);
    expect(type('https://a.example/?file=x.json')).toMatch(/^text\/html/);
    expect(type('https://a.example/sitemap.xml')).toBe('application/xml');
  });

  it('answers 404 for what it does not know', () => {
    const site = virtualSite({});
    expect(get(site, 'https://a.example/none')).toMatchObject({ status: 404, wireBytes: 0 });
  });

  it('answers a redirect with its location, unfollowed', () => {
    const site = virtualSite('https://a.example', {
      '/': { redirect: '/b' },
      '/moved': { redirect: 'https://b.example/', status: 308 },
    });
    const found = get(site, 'https://a.example/');
    expect(found).toMatchObject({ status: 302, redirects: [], wireBytes: 0 });
    expect(found.headers['location']).toBe('/b');
    expect(get(site, 'https://a.example/moved').status).toBe(308);
  });

  it('fails with the code of the page, at its latency', () => {
    const site = virtualSite({ 'https://a.example/': { fail: 'connection-reset', latency: 7 } });
    const seen: unknown[] = [];
    runToEnd(
      site.fetcher(request('https://a.example/')).pipe(
        catchError((error: unknown) => {
          seen.push(error);
          return EMPTY;
        }),
      ),
    );
    expect(seen[0]).toBeInstanceOf(CrawlError);
    expect(seen[0]).toMatchObject({ code: 'connection-reset' });
    expect(site.log[0]).toMatchObject({ endedAt: 7, aborted: false });
  });

  it('fails and answers by attempt, as the crawl counts them', () => {
    const site = virtualSite('https://a.example', {
      '/fails': { fail: ['connection-reset', null, 'truncated'] },
      '/status': { status: [503, 429, 200] },
    });
    const fails = (attempt: number) => {
      try {
        return get(site, 'https://a.example/fails', attempt).status;
      } catch (error) {
        return (error as CrawlError).code;
      }
    };
    expect([1, 2, 3, 4].map(fails)).toEqual(['connection-reset', 200, 'truncated', 200]);
    const status = (attempt: number) => get(site, 'https://a.example/status', attempt).status;
    expect([1, 2, 3, 4].map(status)).toEqual([503, 429, 200, 200]);
  });

  it('counts attempts itself where nobody says', () => {
    const site = virtualSite({ 'https://a.example/': { fail: ['connection-reset', 'truncated'] } });
    const [answer] = runToEnd(site.fetcher(request('https://a.example/')).pipe(retry(2)));
    expect(answer!.event.status).toBe(200);
    expect(site.log.map((visit) => visit.attempt)).toEqual([1, 2, 3]);
  });

  it('logs what was asked of it, and how wide', () => {
    const site = virtualSite((url) => ({ latency: url.endsWith('/slow') ? 10 : 2 }));
    const urls = ['a.example/slow', 'a.example/2', 'user:pw@b.example/', 'b.example:8080/'];
    const fetch$ = from(urls).pipe(mergeMap((url) => site.fetcher(request(`https://${url}`)), 3));
    expect(site.requests).toBe(0);
    runToEnd(fetch$);
    expect(site.started).toEqual(urls.map((url) => `https://${url}`));
    expect(site.log.map((visit) => [visit.at, visit.endedAt])).toEqual([
      [0, 10],
      [0, 2],
      [0, 2],
      [2, 4],
    ]);
    expect(site).toMatchObject({ requests: 4, aborted: 0, inFlight: 0, maxInFlight: 3 });
    expect(Object.fromEntries(site.maxInFlightByHost)).toEqual({
      'a.example': 2,
      'b.example': 1,
      'b.example:8080': 1,
    });
  });

  it('counts a request as ended before its answer is handled', () => {
    const site = virtualSite(() => []);
    const answer$ = site
      .fetcher(request('https://a.example/1'))
      .pipe(mergeMap(() => site.fetcher(request('https://a.example/2'))));
    runToEnd(answer$);
    expect(site.maxInFlight).toBe(1);
  });

  it('aborts on unsubscribe, and never answers at latency Infinity', () => {
    const site = virtualSite('https://a.example', {
      '/': { latency: 9 },
      '/hang': { latency: Infinity },
    });
    const both$ = from(['/', '/hang']).pipe(
      mergeMap((path) => site.fetcher(request(`https://a.example${path}`))),
    );
    expect(runToEnd(both$, { until: 5 })).toEqual([]);
    expect(site.log.map(({ endedAt, aborted }) => ({ endedAt, aborted }))).toEqual([
      { endedAt: 5, aborted: true },
      { endedAt: 5, aborted: true },
    ]);
    expect(site).toMatchObject({ aborted: 2, inFlight: 0 });
  });

  it('works in real time too', async () => {
    const site = virtualSite({ 'https://a.example/': { latency: 1 } });
    const answer$ = site.fetcher(request('https://a.example/'));
    expect((await firstValueFrom(answer$, { defaultValue: undefined }))?.status).toBe(200);
    expect(site.log[0]!.endedAt! - site.log[0]!.at).toBeGreaterThanOrEqual(0);
  });

  it('keeps no log if told so', () => {
    const site = virtualSite(() => [], { log: false });
    runToEnd(timer(1).pipe(mergeMap(() => site.fetcher(request('https://a.example/')))));
    expect(site.log).toEqual([]);
    expect(site.started).toEqual([]);
    expect(site.requests).toBe(1);
  });

  it('keeps its body when a decorator copies the answer', () => {
    const site = virtualSite({ 'https://a.example/': { body: 'text' } });
    expect(text({ ...get(site, 'https://a.example/'), redirects: [] })).toBe('text');
  });

  it('refuses keys that are relative without a base', () => {
    expect(() => virtualSite({ '/': [] })).toThrow(/absolute URLs, or a base.*got "\/"/);
  });

  it('costs little per request', () => {
    const site = virtualSite(() => ({ body: '' }), { log: false });
    const urls = Array.from({ length: 100_000 }, (_, i) => request(`https://a.example/${i}`));
    let answered = 0;
    const before = performance.now();
    for (const one of urls) site.fetcher(one).subscribe(() => (answered += 1));
    expect(answered).toBe(100_000);
    expect((performance.now() - before) / answered).toBeLessThan(0.05);
  });
});
