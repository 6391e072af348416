import { concat, of } from 'rxjs';
import { expect, it } from 'vitest';
import { request, type FetchedResponse, type Fetcher } from '../../../src/core/index.js';
import { followRedirects } from '../../../src/core/follow-redirects.js';
import { CookieJar, withCookies } from '../../../src/fetch/cookies/index.js';

interface Answer {
  readonly setCookie?: readonly string[];
  readonly location?: string;
}

/** A fetcher that writes down the cookies that it is sent. */
function site(answers: Readonly<Record<string, Answer>>): { fetcher: Fetcher; sent: unknown[] } {
  const sent: unknown[] = [];
  const fetcher: Fetcher = ({ url, headers }) => {
    const { setCookie, location } = answers[url] ?? {};
    const response: FetchedResponse = {
      url,
      status: location === undefined ? 200 : 302,
      headers: { ...(setCookie && { 'set-cookie': setCookie }), ...(location && { location }) },
      body: new Uint8Array(),
      redirects: [],
      wireBytes: 0,
    };
    sent.push([url, headers?.['cookie']]);
    return of(response);
  };
  return { fetcher, sent };
}

const A = 'https://a.example/';
const B = 'https://b.example/';

it('keeps cookies for the URL that answered, and sends them there alone', () => {
  const { fetcher, sent } = site({ [A]: { setCookie: ['s=1', 't=2; Path=/x'] } });
  const keeping = withCookies()(fetcher);
  concat(...[A, A, `${A}x`, B].map((url) => keeping(request(url)))).subscribe();
  expect(sent).toEqual([
    [A, undefined],
    [A, 's=1'],
    [`${A}x`, 't=2; s=1'],
    [B, undefined],
  ]);
});

it('asks the jar anew on each hop of a redirect', () => {
  const { fetcher, sent } = site({
    [A]: { setCookie: ['s=1', 'x=0; Domain=b.example'], location: B },
    [B]: { setCookie: ['b=2'], location: `${A}end` },
  });
  followRedirects()(withCookies()(fetcher))(request(A)).subscribe();
  expect(sent).toEqual([
    [A, undefined],
    [B, undefined],
    [`${A}end`, 's=1'],
  ]);
});

it('asks the jar when the exchange begins, not when it is described', () => {
  const { fetcher, sent } = site({ [A]: { setCookie: ['s=1'] } });
  const keeping = withCookies()(fetcher);
  const later$ = keeping(request(A));
  keeping(request(A)).subscribe();
  later$.subscribe();
  expect(sent).toEqual([
    [A, undefined],
    [A, 's=1'],
  ]);
});

it('lets the header of a request win, and keeps its key', () => {
  const jar = new CookieJar();
  jar.set(A, 's=1');
  const { fetcher, sent } = site({});
  const keeping = withCookies({ jar })(fetcher);
  keeping(request(A, { headers: { Cookie: 'mine=1' } })).subscribe();
  keeping(request(A, { headers: { accept: 'x' }, key: 'k' })).subscribe();
  expect(sent).toEqual([
    [A, 'mine=1'],
    [A, 's=1'],
  ]);
});

it('shares a jar that is given, and nothing else', () => {
  const jar = new CookieJar();
  const { fetcher, sent } = site({ [A]: { setCookie: ['s=1'] } });
  const decorate = withCookies();
  decorate(fetcher)(request(A)).subscribe();
  decorate(fetcher)(request(A)).subscribe();
  withCookies({ jar })(fetcher)(request(A)).subscribe();
  withCookies({ jar })(fetcher)(request(A)).subscribe();
  expect(sent.map((each) => (each as unknown[])[1])).toEqual([
    undefined,
    undefined,
    undefined,
    's=1',
  ]);
});

it('refuses a jar of another kind', () => {
  expect(() => withCookies({ jar: new Map() as unknown as CookieJar })).toThrow(TypeError);
});
