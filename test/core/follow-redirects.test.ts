import { firstValueFrom, lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlEvent,
  type CrawlRequest,
  type FetchedResponse,
  type Fetcher,
  followRedirects,
  request,
  type RequestOptions,
} from '../../src/core/index.js';

interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly cookie?: string;
}

/** Answers by URL and keeps what it was asked. */
function server(answers: Record<string, Answer>): { fetcher: Fetcher; asked: CrawlRequest[] } {
  const asked: CrawlRequest[] = [];
  const fetcher: Fetcher = (got) => {
    asked.push(got);
    const { status = 200, location, cookie } = answers[got.url] ?? {};
    return of({
      url: got.url,
      status,
      headers: {
        ...(location === undefined ? {} : { location }),
        ...(cookie === undefined ? {} : { 'set-cookie': [cookie] }),
      },
      body: new Uint8Array(),
      redirects: [],
      wireBytes: 0,
    });
  };
  return { fetcher, asked };
}

async function follow(
  answers: Record<string, Answer>,
  from = 'http://a.test/p/x',
  options: RequestOptions = {},
): Promise<{ response: FetchedResponse; asked: CrawlRequest[] }> {
  const { fetcher, asked } = server(answers);
  const response = await firstValueFrom(followRedirects()(fetcher)(request(from, options)));
  return { response, asked };
}

describe('followRedirects', () => {
  it.each([301, 302, 303, 307, 308])('follows %s and keeps the chain', async (status) => {
    const { response } = await follow({ 'http://a.test/p/x': { status, location: '../y' } });
    expect(response).toMatchObject({
      url: 'http://a.test/y',
      status: 200,
      redirects: [{ url: 'http://a.test/p/x', status, location: 'http://a.test/y' }],
    });
  });

  it.each([300, 304, 305, 306])('takes %s for an answer like any other', async (status) => {
    const { response } = await follow({ 'http://a.test/p/x': { status, location: '/y' } });
    expect(response).toMatchObject({ status, redirects: [] });
  });

  it('takes a redirect without a location for an answer', async () => {
    const { response } = await follow({ 'http://a.test/p/x': { status: 302 } });
    expect(response).toMatchObject({ url: 'http://a.test/p/x', status: 302, redirects: [] });
  });

  it.each([
    ['//b.test/y', 'http://b.test/y'],
    ['\\y', 'http://a.test/y'],
    ['/a\tb', 'http://a.test/ab'],
    ['HTTP://B.TEST/y', 'http://b.test/y'],
    ['/é', 'http://a.test/%C3%A9'],
    ['?q=1', 'http://a.test/p/x?q=1'],
    ['', 'http://a.test/p/x'],
    ['/y#part', 'http://a.test/y'],
  ])('resolves location %j', async (location, url) => {
    const first = await follow({
      'http://a.test/p/x': { status: 302, location, cookie: 'a=1' },
    }).catch((error: unknown) => error);
    if (url === 'http://a.test/p/x') expect(first).toMatchObject({ code: 'too-many-redirects' });
    else expect(first).toMatchObject({ response: { url } });
  });

  it.each([
    ['http://[', 'invalid-location'],
    ['http://a.test:99999/', 'invalid-location'],
    ['http://a.test/p/x', 'redirect-loop'],
  ])('fails on location %s with %s', async (location, code) => {
    await expect(follow({ 'http://a.test/p/x': { status: 302, location } })).rejects.toMatchObject({
      code,
    });
  });

  it.each([
    'file:///etc/passwd',
    'ftp://a.test/x',
    'data:text/html,x',
    'javascript:1',
    'ws://a.test/',
  ])('refuses to go to %s', async (location) => {
    await expect(follow({ 'http://a.test/p/x': { status: 302, location } })).rejects.toMatchObject({
      reason: 'scheme',
    });
  });

  it.each([
    [303, 'POST'],
    [302, 'POST'],
    [301, 'POST'],
    [303, 'PUT'],
    [303, 'DELETE'],
  ])('takes no %i after %s to the page of the form itself for a loop', async (status, method) => {
    const asked: string[] = [];
    const fetcher: Fetcher = (got) => {
      asked.push(`${got.method} ${Object.keys(got.headers ?? {}).join(' ')}`);
      const headers = got.method === method ? { location: '/form' } : {};
      const answer = { status: got.method === method ? status : 200, headers };
      const rest = { url: got.url, body: new Uint8Array(), redirects: [], wireBytes: 0 };
      return of({ ...answer, ...rest });
    };
    const form = request('http://a.test/form', {
      method,
      body: 'a=b',
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'content-location': '/form',
        'content-language': 'en',
      },
    });
    const { redirects } = await firstValueFrom(followRedirects()(fetcher)(form));
    expect(asked).toEqual([
      `${method} accept content-type content-location content-language`,
      'GET accept',
    ]);
    expect(redirects).toMatchObject([
      { url: 'http://a.test/form', location: 'http://a.test/form' },
    ]);
  });

  it('finds a loop over several hops at once', async () => {
    const { fetcher, asked } = server({
      'http://a.test/1': { status: 302, location: '/2' },
      'http://a.test/2': { status: 302, location: '/3' },
      'http://a.test/3': { status: 302, location: '/1' },
    });
    const response = firstValueFrom(followRedirects()(fetcher)(request('http://a.test/1')));
    await expect(response).rejects.toMatchObject({ code: 'redirect-loop' });
    expect(asked).toHaveLength(3);
  });

  it('follows a redirect to itself that sets a cookie', async () => {
    let asked = 0;
    const fetcher: Fetcher = ({ url }) => {
      asked += 1;
      const headers = asked === 1 ? { location: url, 'set-cookie': ['seen=1'] } : {};
      const status = asked === 1 ? 302 : 200;
      return of({ url, status, headers, body: new Uint8Array(), redirects: [], wireBytes: 0 });
    };
    const response = await firstValueFrom(followRedirects()(fetcher)(request('http://a.test/')));
    expect(response.status).toBe(200);
  });

  it('stops after the hops that it may take', async () => {
    const chain: Fetcher = ({ url }) =>
      of({
        url,
        status: 302,
        headers: { location: `${url}x` },
        body: new Uint8Array(),
        redirects: [],
        wireBytes: 0,
      });
    const limited = followRedirects({ maxRedirects: 3 })(chain);
    await expect(firstValueFrom(limited(request('http://a.test/')))).rejects.toMatchObject({
      code: 'too-many-redirects',
    });
    expect(() => followRedirects({ maxRedirects: -1 })).toThrow(/maxRedirects.*got -1/);
  });

  it.each([
    [301, 'POST', 'GET', false],
    [302, 'POST', 'GET', false],
    [303, 'POST', 'GET', false],
    [303, 'PUT', 'GET', false],
    [303, 'HEAD', 'HEAD', false],
    [302, 'PUT', 'PUT', true],
    [307, 'POST', 'POST', true],
    [308, 'POST', 'POST', true],
  ])('after %s a %s goes on as %s', async (status, method, nextMethod, bodyKept) => {
    const { asked } = await follow(
      { 'http://a.test/p/x': { status, location: '/y' } },
      'http://a.test/p/x',
      { method, body: 'b', headers: { 'Content-Type': 'text/plain', 'X-Kept': '1' } },
    );
    expect(asked[1]).toMatchObject({ method: nextMethod, body: bodyKept ? 'b' : undefined });
    expect(asked[1]?.headers).toEqual(
      bodyKept ? { 'content-type': 'text/plain', 'x-kept': '1' } : { 'x-kept': '1' },
    );
  });

  it.each([
    ['another host', 'http://b.test/'],
    ['another port', 'http://a.test:81/'],
    ['another scheme', 'https://a.test/'],
  ])('drops secrets on the way to %s, and does not give them back', async (_to, location) => {
    const headers = {
      Authorization: 'Basic x',
      Cookie: 'a=1',
      'Proxy-Authorization': 'y',
      Accept: '*/*',
    };
    const { asked } = await follow(
      {
        'http://a.test/p/x': { status: 302, location },
        [location]: { status: 302, location: 'http://a.test/back' },
      },
      'http://a.test/p/x',
      { headers },
    );
    expect(asked.map((got) => got.headers)).toEqual([
      { authorization: 'Basic x', cookie: 'a=1', 'proxy-authorization': 'y', accept: '*/*' },
      { accept: '*/*' },
      { accept: '*/*' },
    ]);
  });
});

describe('redirects in a crawl', () => {
  async function run(answers: Record<string, Answer>, seeds: string[]): Promise<CrawlEvent[]> {
    const { fetcher } = server(answers);
    return lastValueFrom(crawl({ fetcher, delay: 0 })(seeds).pipe(toArray()));
  }
  const ends = (events: CrawlEvent[]): string[] =>
    events.flatMap((event) => {
      if (event.type === 'done') return [`done ${event.request.url} as ${event.url}`];
      return event.type === 'skip' ? [`skip ${event.url} ${event.reason}`] : [];
    });

  it('never contacts a target out of scope', async () => {
    const { fetcher, asked } = server({
      'http://a.test/': { status: 302, location: 'http://b.test/' },
    });
    const events = await lastValueFrom(
      crawl({ fetcher, delay: 0 })('http://a.test/').pipe(toArray()),
    );
    expect(ends(events)).toEqual(['skip http://a.test/ redirect-out-of-scope']);
    expect(asked.map(({ url }) => url)).toEqual(['http://a.test/']);
  });

  it('lets a seed move to www and to https', async () => {
    const events = await run(
      { 'http://a.test/': { status: 301, location: 'https://www.a.test/' } },
      ['http://a.test/'],
    );
    expect(ends(events)).toEqual(['done http://a.test/ as https://www.a.test/']);
  });

  it('handles a target that two requests lead to once', async () => {
    const events = await run(
      {
        'http://a.test/1': { status: 302, location: '/page' },
        'http://a.test/2': { status: 302, location: '/page' },
      },
      ['http://a.test/1', 'http://a.test/2', 'http://a.test/page'],
    );
    expect(ends(events).filter((end) => end.startsWith('done'))).toHaveLength(1);
    expect(events.filter((event) => event.type === 'page')).toHaveLength(1);
  });

  it('tells each hop as an event', async () => {
    const events = await run({ 'http://a.test/': { status: 302, location: '/y' } }, [
      'http://a.test/',
    ]);
    expect(events.filter((event) => event.type === 'redirect')).toMatchObject([
      { from: 'http://a.test/', to: 'http://a.test/y', status: 302 },
    ]);
  });
});
