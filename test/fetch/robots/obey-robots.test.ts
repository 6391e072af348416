import { readFileSync } from 'node:fs';
import {
  asyncScheduler,
  catchError,
  concat,
  defer,
  delay,
  finalize,
  map,
  merge,
  mergeMap,
  of,
  subscribeOn,
  timer,
  type Observable,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import {
  CrawlError,
  isRequestRefused,
  request,
  RequestRefused,
  type CrawlErrorCode,
  type FetchContext,
  type FetchNotice,
  type Fetcher,
} from '../../../src/core/index.js';
import { HostGate } from '../../../src/core/host-gate.js';
import { polite } from '../../../src/core/polite.js';
import { obeyRobots, type ObeyRobotsOptions } from '../../../src/fetch/robots/index.js';
import { marbles } from '../../helpers/marbles.js';
import { describeShared } from '../../helpers/shared-cases.js';
import { site, type Reply } from './robots-site.js';

const A = 'https://a.example';
const ROBOTS = `${A}/robots.txt`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function obeying(inner: Fetcher, options: Partial<ObeyRobotsOptions> = {}): Fetcher {
  return obeyRobots({ userAgent: 'ExampleBot/1.0 (+https://bot.example/)', ...options })(inner);
}

/** `ok`, or why not. */
function outcome(fetcher: Fetcher, url: string, context?: FetchContext): Observable<string> {
  return fetcher(request(url), context).pipe(
    map(() => 'ok'),
    catchError((error: unknown) => of(isRequestRefused(error) ? error.message : String(error))),
  );
}

/** Subscribes in virtual time and runs to the end. */
function run<T>(source$: Observable<T>): T[] {
  const values: T[] = [];
  new TestScheduler(() => undefined).run(() => {
    source$.subscribe((value) => values.push(value));
  });
  return values;
}

/** The outcome of one page of a new site whose robots.txt answers so. */
function withRobots(...replies: readonly Reply[]): string {
  return run(outcome(obeying(site({ [ROBOTS]: replies }).fetcher), `${A}/x`))[0] ?? 'nothing';
}

const RULES = 'User-agent: examplebot\nDisallow: /private\nAllow: /private/open\n';

describe('obeyRobots', () => {
  it(
    'fetches robots.txt once, before the pages that wait for it',
    marbles((m) => {
      const requests = '  ab-----c|';
      const asked = '     r--(ab)c';
      const responses = ' ---(ab)c|';
      const { fetcher, asked$ } = site({ [ROBOTS]: { ms: 3 } });
      const obedientFetcher = obeying(fetcher);
      const names = { r: ROBOTS, a: `${A}/a`, b: `${A}/b`, c: `${A}/c` };

      m.expect(asked$).toBeObservable(asked, names);
      const urls$ = m.hot(requests, names);
      m.expect(
        urls$.pipe(
          mergeMap((url) => obedientFetcher(request(url))),
          map(({ url }) => url),
        ),
      ).toBeObservable(responses, names);
    }),
  );

  it('refuses what the rules deny, and says by which', () => {
    const { fetcher, asked } = site({ [ROBOTS]: RULES });
    const obedientFetcher = obeying(fetcher);
    const outcomes = run(
      merge(
        ...['/private', '/private/open/x', '/', '/private?x'].map((path) =>
          outcome(obedientFetcher, A + path).pipe(map((result) => `${path} ${result}`)),
        ),
      ),
    );
    expect(outcomes.sort()).toEqual([
      '/ ok',
      '/private robots: Disallow: /private',
      '/private/open/x ok',
      '/private?x robots: Disallow: /private',
    ]);
    expect(asked).toEqual([ROBOTS, `${A}/private/open/x`, `${A}/`]);
  });

  it('refuses with the reason that ends a request as a skip', () => {
    const { fetcher } = site({ [ROBOTS]: RULES });
    const errors: unknown[] = [];
    new TestScheduler(() => undefined).run(() => {
      obeying(fetcher)(request(`${A}/private`)).subscribe({
        error: (error: unknown) => errors.push(error),
      });
    });
    expect(errors).toEqual([new RequestRefused('robots', 'Disallow: /private')]);
    expect(errors[0]).toMatchObject({ reason: 'robots' });
  });

  it('asks each scheme, host and port for its own', () => {
    const { fetcher, asked } = site({});
    const obedientFetcher = obeying(fetcher);
    const urls = [
      'http://a.example/',
      'https://a.example/',
      'https://b.example/?x=/robots.txt',
      'https://a.example:444/',
      'https://user:secret@a.example/2',
    ];
    run(concat(...urls.map((url) => outcome(obedientFetcher, url))));
    expect(asked.filter((url) => url.endsWith('/robots.txt') && !url.includes('?'))).toEqual([
      'http://a.example/robots.txt',
      'https://a.example/robots.txt',
      'https://b.example/robots.txt',
      'https://a.example:444/robots.txt',
    ]);
  });

  it('lets robots.txt itself pass', () => {
    const { fetcher, asked } = site({ [ROBOTS]: 'User-agent: *\nDisallow: /' });
    const obedientFetcher = obeying(fetcher);
    expect(run(outcome(obedientFetcher, ROBOTS))).toEqual(['ok']);
    expect(run(outcome(obedientFetcher, 'https://me:pw@a.example/robots.txt'))).toEqual(['ok']);
    expect(asked).toHaveLength(2);
    expect(run(outcome(obedientFetcher, `${A}/sub/robots.txt`))).toEqual(['robots: Disallow: /']);
  });

  it('answers at once where the rules are known', () => {
    const obedientFetcher = obeying(site({ [ROBOTS]: RULES }).fetcher);
    const results: string[] = [];
    const record = (result: string) => results.push(result);
    new TestScheduler(() => undefined).run(() => {
      outcome(obedientFetcher, `${A}/1`).subscribe(() => {
        outcome(obedientFetcher, `${A}/2`).subscribe(record);
        outcome(obedientFetcher, `${A}/private`).subscribe(record);
        record('after');
      });
    });
    expect(results).toEqual(['ok', 'robots: Disallow: /private', 'after']);
  });

  it('shares nothing between two fetchers that it decorates', () => {
    const { fetcher, asked } = site({});
    const decorate = obeyRobots({ userAgent: 'ExampleBot' });
    run(concat(outcome(decorate(fetcher), `${A}/1`), outcome(decorate(fetcher), `${A}/2`)));
    expect(asked).toEqual([ROBOTS, `${A}/1`, ROBOTS, `${A}/2`]);
  });

  it('hands the context on, and the place at the host to the first exchange', () => {
    const { fetcher, contexts } = site({});
    const context: FetchContext = {
      attempt: 2,
      pass: { host: 'a.example', spent: false },
      admitRedirect: () => undefined,
      notify: () => undefined,
    };
    run(outcome(obeying(fetcher, { maxBytes: 1000 }), `${A}/1`, context));
    expect(contexts[0]).toMatchObject({ attempt: 1, pass: context.pass, truncateAt: 1000 });
    expect(contexts[0]?.admitRedirect).toBeUndefined();
    expect(contexts[1]).toEqual(context);
  });
});

describe('what an answer means', () => {
  const UNREACHABLE = 'robots: robots.txt is unreachable:';

  it.each([400, 401, 403, 404, 405, 408, 410, 451, 499])('%i: all is allowed', (status) => {
    expect(withRobots({ status, body: 'User-agent: *\nDisallow: /' })).toBe('ok');
  });

  it.each([429, 500, 502, 503, 504, 599, 600, 999, 100])('%i: all is denied', (status) => {
    expect(withRobots({ status })).toBe(`${UNREACHABLE} status ${status}`);
  });

  it.each<CrawlErrorCode>(['connection-reset', 'timeout-headers', 'truncated', 'bad-encoding'])(
    '%s: all is denied, and the error is the cause',
    (error) => {
      expect(withRobots({ error })).toBe(`${UNREACHABLE} ${error}`);
      const causes: unknown[] = [];
      new TestScheduler(() => undefined).run(() => {
        obeying(site({ [ROBOTS]: { error } }).fetcher)(request(A)).subscribe({
          error: (error: unknown) => causes.push((error as Error).cause),
        });
      });
      expect(causes).toEqual([new CrawlError(error, error)]);
    },
  );

  it.each<CrawlErrorCode>([
    'dns-not-found',
    'connection-refused',
    'timeout-connect',
    'tls-expired',
  ])('%s: pages fail as they would themselves, and none is sent', (error) => {
    const { fetcher, asked } = site({ [ROBOTS]: { error } });
    const failures: unknown[] = [];
    new TestScheduler(() => undefined).run(() => {
      obeying(fetcher)(request(`${A}/x`)).subscribe({
        error: (failure: unknown) => failures.push(failure),
      });
    });
    expect(failures).toEqual([expect.objectContaining({ code: error })]);
    expect(asked).toEqual([ROBOTS]);
  });

  it('asks again for a robots.txt that could not be reached when a request is retried', () => {
    const { fetcher, asked } = site({ [ROBOTS]: [{ error: 'connection-refused' }, {}] });
    const obedientFetcher = obeying(fetcher);
    const outcomes: string[] = [];
    new TestScheduler(() => undefined).run(() => {
      for (const [index, attempt] of [1, 1, 2].entries()) {
        const page$ = defer(() => obedientFetcher(request(`${A}/x`), { attempt }));
        page$.pipe(subscribeOn(asyncScheduler, index * 100)).subscribe({
          next: ({ status }) => outcomes.push(`status ${status}`),
          error: (error: unknown) => outcomes.push((error as CrawlError).code),
        });
      }
    });
    expect(outcomes).toEqual(['connection-refused', 'connection-refused', 'status 200']);
    expect(asked).toEqual([ROBOTS, ROBOTS, `${A}/x`]);
  });

  it.each(['', '<html>not found</html>', '\0\xff\xfe', 'Disallow /'])(
    '%j: all is allowed',
    (body) => {
      expect(withRobots({ body })).toBe('ok');
      expect(withRobots({ status: 204, body })).toBe('ok');
    },
  );

  it('uses what came of an answer that was cut at the limit, but of no other', () => {
    const body = 'User-agent: *\nDisallow: /x\nAllow: /xy';
    const cut = (maxBytes: number) =>
      run(
        outcome(
          obeying(site({ [ROBOTS]: { body, truncated: true } }).fetcher, { maxBytes }),
          `${A}/xy`,
        ),
      );
    expect(cut(body.length)).toEqual(['robots: Disallow: /x']);
    expect(cut(body.length + 1)).toEqual([`${UNREACHABLE} the answer was cut`]);
  });

  it('lets a refusal or the end of the crawl pass, and remembers nothing of it', () => {
    const refused = new RequestRefused('address', '10.0.0.1');
    const { fetcher, asked } = site({
      [ROBOTS]: [{ error: refused }, { error: 'aborted' }, { status: 404 }],
    });
    const obedientFetcher = obeying(fetcher);
    const once$ = outcome(obedientFetcher, `${A}/x`);
    expect(run(concat(once$, once$, once$))).toEqual([
      'address: 10.0.0.1',
      'CrawlError: aborted',
      'ok',
    ]);
    expect(asked).toEqual([ROBOTS, ROBOTS, ROBOTS, `${A}/x`]);
  });

  it('waits for no answer longer than the limit', () => {
    const { fetcher, aborted } = site({ [ROBOTS]: { ms: Infinity } });
    const result$ = outcome(obeying(fetcher, { timeout: 5000 }), `${A}/x`);
    expect(run(result$)).toEqual([`${UNREACHABLE} no answer within 5000 ms`]);
    expect(aborted).toEqual([ROBOTS]);
  });

  it('tries again within one request where it is told how', () => {
    const { fetcher, asked } = site({ [ROBOTS]: [{ status: 503 }, { status: 404 }] });
    const obedientFetcher = obeying(fetcher, {
      retry: (inner) => (each) =>
        inner(each).pipe(mergeMap((answer) => (answer.status < 500 ? of(answer) : inner(each)))),
    });
    expect(run(outcome(obedientFetcher, `${A}/x`))).toEqual(['ok']);
    expect(asked).toEqual([ROBOTS, ROBOTS, `${A}/x`]);
  });
});

describe('redirects of robots.txt', () => {
  const to = (location: string, status = 301): Reply => ({ status, headers: { location } });

  it.each([301, 302, 303, 307, 308])(
    '%i: the rules count for the host that was asked',
    (status) => {
      const { fetcher, asked } = site({
        [ROBOTS]: to('http://u:p@b.example/r.txt#x', status),
        'http://b.example/r.txt': 'User-agent: *\nDisallow: /x',
      });
      expect(run(outcome(obeying(fetcher), `${A}/x`))).toEqual(['robots: Disallow: /x']);
      expect(asked).toEqual([ROBOTS, 'http://b.example/r.txt']);
    },
  );

  it('follows five, and takes a sixth for no file', () => {
    const chain = (hops: number) => {
      const replies: Record<string, Reply | string> = { [ROBOTS]: to('/1') };
      for (let hop = 1; hop < hops; hop++) replies[`${A}/${hop}`] = to(`/${hop + 1}`);
      replies[`${A}/${hops}`] = 'User-agent: *\nDisallow: /x';
      return run(outcome(obeying(site(replies).fetcher), `${A}/x`));
    };
    expect(chain(5)).toEqual(['robots: Disallow: /x']);
    expect(chain(6)).toEqual(['ok']);
  });

  it.each(['/robots.txt', 'http://', 'ftp://a.example/robots.txt', 'mailto:x@a.example'])(
    'to %s is no file',
    (location) => {
      expect(withRobots(to(location))).toBe('ok');
    },
  );

  it('without a target, or in the words of the inner fetcher, is no file', () => {
    expect(withRobots({ status: 302 })).toBe('ok');
    expect(withRobots({ status: 304 })).toBe('ok');
    expect(withRobots({ error: 'too-many-redirects' })).toBe('ok');
  });
});

describe('time', () => {
  /** Times at which robots.txt is asked for, with a page every so often. */
  function asks(
    replies: readonly Reply[],
    everyMs: number,
    untilMs: number,
    options = {},
  ): number[] {
    const times: number[] = [];
    const scheduler = new TestScheduler(() => undefined);
    scheduler.run(() => {
      const { fetcher, asked$ } = site({ [ROBOTS]: replies.map((reply) => ({ ms: 0, ...reply })) });
      asked$.subscribe((url) => url === ROBOTS && times.push(scheduler.now()));
      const obedientFetcher = obeying(fetcher, options);
      for (let at = 0; at <= untilMs; at += everyMs) {
        timer(at)
          .pipe(mergeMap(() => outcome(obedientFetcher, `${A}/x`)))
          .subscribe();
      }
    });
    return times;
  }

  it('keeps rules for a day, or as long as the server says, but 5 minutes at least', () => {
    const cached = (headers: Record<string, string>) => asks([{ headers }], MINUTE, 25 * HOUR)[1];
    expect(cached({})).toBe(24 * HOUR);
    expect(cached({ 'cache-control': 'public, max-age=3600' })).toBe(HOUR);
    expect(cached({ 'cache-control': 's-maxage="600"' })).toBe(10 * MINUTE);
    expect(cached({ 'cache-control': 'max-age=9999999' })).toBe(24 * HOUR);
    expect(cached({ 'cache-control': 'max-age=60' })).toBe(5 * MINUTE);
    expect(cached({ 'cache-control': 'no-store' })).toBe(5 * MINUTE);
    expect(cached({ expires: '0' })).toBe(5 * MINUTE);
    expect(
      cached({
        date: 'Sun, 06 Nov 1994 08:00:00 GMT',
        expires: 'Sun, 06 Nov 1994 10:00:00 GMT',
      }),
    ).toBe(2 * HOUR);
    expect(cached({ expires: 'Thu, 01 Jan 1970 03:00:00 GMT' })).toBe(3 * HOUR);
    expect(asks([{}], 1000, 20_000, { cacheMs: 10_000 })).toEqual([0, 10_000, 20_000]);
  });

  it('asks again every 5 minutes, three times, then once a day', () => {
    expect(asks([{ status: 503 }], MINUTE, 25 * HOUR)).toEqual([
      0,
      5 * MINUTE,
      10 * MINUTE,
      15 * MINUTE,
      15 * MINUTE + 24 * HOUR,
    ]);
  });

  it('asks again when Retry-After says so', () => {
    const headers = { 'retry-after': '7' };
    expect(asks([{ status: 429, headers }, {}], 1000, MINUTE)).toEqual([0, 7000]);
    const never = { 'retry-after': '0' };
    expect(asks([{ status: 429, headers: never }, {}], MINUTE, HOUR)).toEqual([0, 5 * MINUTE]);
  });

  it('denies at once until then, and allows after a good check', () => {
    const { fetcher, asked } = site({ [ROBOTS]: [{ status: 500 }, { body: RULES }] });
    const obedientFetcher = obeying(fetcher);
    const x$ = outcome(obedientFetcher, `${A}/x`);
    const later$ = timer(5 * MINUTE).pipe(mergeMap(() => x$));
    const private$ = outcome(obedientFetcher, `${A}/private`);
    expect(run(concat(x$, x$, later$, private$))).toEqual([
      'robots: robots.txt is unreachable: status 500',
      'robots: robots.txt is unreachable: status 500',
      'ok',
      'robots: Disallow: /private',
    ]);
    expect(asked).toEqual([ROBOTS, ROBOTS, `${A}/x`]);
  });

  it('keeps to the rules of before where a newer robots.txt is unreachable', () => {
    const { fetcher } = site({ [ROBOTS]: [{ body: RULES }, { status: 500 }] });
    const obedientFetcher = obeying(fetcher);
    const both$ = concat(
      outcome(obedientFetcher, `${A}/x`),
      outcome(obedientFetcher, `${A}/private`),
    );
    const nextDay$ = timer(25 * HOUR).pipe(mergeMap(() => both$));
    const outcomes = ['ok', 'robots: Disallow: /private'];
    expect(run(concat(both$, nextDay$))).toEqual([...outcomes, ...outcomes]);
  });
});

describe('waiting', () => {
  it('is for one fetch, however many wait', () => {
    const { fetcher, asked } = site({ [ROBOTS]: { ms: 100 } });
    const obedientFetcher = obeying(fetcher);
    const pages = Array.from({ length: 100 }, (_, i) => outcome(obedientFetcher, `${A}/${i}`));
    expect(run(merge(...pages))).toHaveLength(100);
    expect(asked[0]).toBe(ROBOTS);
    expect(asked.filter((url) => url === ROBOTS)).toHaveLength(1);
  });

  it('goes on when the one that asked first is gone, and ends with the last', () => {
    const { fetcher, asked, aborted } = site({
      [ROBOTS]: { ms: 10 },
      'https://b.example/robots.txt': { ms: 10 },
    });
    const obedientFetcher = obeying(fetcher);
    const results: string[] = [];
    new TestScheduler(() => undefined).run(() => {
      const first = outcome(obedientFetcher, `${A}/1`).subscribe();
      outcome(obedientFetcher, `${A}/2`).subscribe((result) => results.push(result));
      timer(5).subscribe(() => first.unsubscribe());
    });
    expect(results).toEqual(['ok']);
    expect(asked).toEqual([ROBOTS, `${A}/2`]);

    new TestScheduler(() => undefined).run(() => {
      const all = ['1', '2'].map((path) =>
        outcome(obedientFetcher, `https://b.example/${path}`).subscribe(),
      );
      timer(5).subscribe(() => all.forEach((each) => each.unsubscribe()));
    });
    expect(aborted).toEqual(['https://b.example/robots.txt']);
    expect(run(outcome(obedientFetcher, 'https://b.example/3'))).toEqual(['ok']);
  });

  it('cannot starve the fetch that is waited for of places at the host', () => {
    const { fetcher } = site({
      [ROBOTS]: [{ status: 503 }, { status: 301, headers: { location: '/r' } }],
      [`${A}/r`]: RULES,
    });
    const results: string[] = [];
    new TestScheduler(() => undefined).run(() => {
      const gate = new HostGate({ perHost: 3, scheduler: asyncScheduler });
      const obedientFetcher = obeyRobots({
        userAgent: 'ExampleBot',
        retry: (inner) => (each, context) =>
          defer(() => inner(each, context)).pipe(
            mergeMap((answer) =>
              answer.status < 500
                ? of(answer)
                : timer(1000).pipe(mergeMap(() => inner(each, context))),
            ),
          ),
      })(polite(gate)(fetcher));
      // All places are taken before the first exchange begins, and never freed but by exchanges.
      for (const path of ['1', '2', '3']) {
        const context = { attempt: 1, pass: gate.reserve('a.example') };
        outcome(obedientFetcher, `${A}/${path}`, context).subscribe((result) =>
          results.push(result),
        );
        timer(500).subscribe(
          () => gate.readyAt('a.example') < Infinity && gate.reserve('a.example'),
        );
      }
    });
    expect(results).toEqual(['ok', 'ok', 'ok']);
  });

  it('is not stopped by those who come while a redirect of it waits for its turn', () => {
    const { fetcher } = site({
      [ROBOTS]: { status: 301, headers: { location: '/r' } },
      [`${A}/r`]: RULES,
    });
    const results: string[] = [];
    new TestScheduler(() => undefined).run(() => {
      const gate = new HostGate({ perHost: 1, delay: 500, scheduler: asyncScheduler });
      const obedientFetcher = obeying(polite(gate)(fetcher));
      // What a frontier does: it hands a request out at the first moment when it may.
      const visit = (path: string): void => {
        if (gate.readyAt('a.example') > asyncScheduler.now()) {
          timer(1).subscribe(() => visit(path));
          return;
        }
        const pass = gate.reserve('a.example');
        outcome(obedientFetcher, `${A}/${path}`, { attempt: 1, pass })
          .pipe(finalize(() => gate.release(pass)))
          .subscribe((result) => results.push(`${asyncScheduler.now()} ${path}: ${result}`));
      };
      timer(500).subscribe(() => visit('2'));
      visit('1');
    });
    expect(results).toEqual(['1000 1: ok', '1500 2: ok']);
  });

  it('aborts the page when unsubscribed after it', () => {
    const { fetcher, aborted } = site({ [`${A}/x`]: { ms: 10 } });
    new TestScheduler(() => undefined).run(() => {
      const page = obeying(fetcher)(request(`${A}/x`)).subscribe();
      timer(5).subscribe(() => page.unsubscribe());
    });
    expect(aborted).toEqual([`${A}/x`]);
  });

  it('sends nothing before subscribe', () => {
    const { fetcher, asked } = site({});
    const page$ = obeying(fetcher)(request(`${A}/x`));
    expect(asked).toEqual([]);
    expect(run(page$)).toHaveLength(1);
  });
});

describe('Crawl-delay', () => {
  function delays(robots: string, options: Partial<ObeyRobotsOptions> = {}) {
    const told: unknown[] = [];
    const notices: FetchNotice[] = [];
    const context: FetchContext = {
      attempt: 1,
      setDelay: (url, ms) => told.push([url, ms]),
      notify: (notice) => notices.push(notice),
    };
    const onCrawlDelay = (url: string, ms: number) => told.push([url, ms]);
    run(
      outcome(
        obeying(site({ [ROBOTS]: robots }).fetcher, { onCrawlDelay, ...options }),
        A,
        context,
      ),
    );
    return { told, notices };
  }

  it('is told to the crawl and to the callback', () => {
    const { told, notices } = delays('User-agent: *\nCrawl-delay: 2.5');
    expect(told).toEqual([
      [ROBOTS, 2500],
      [ROBOTS, 2500],
    ]);
    expect(notices).toEqual([]);
  });

  it('is kept to up to the cap, with a warning beyond', () => {
    const { told, notices } = delays('User-agent: *\nCrawl-delay: 60');
    expect(told).toEqual([
      [ROBOTS, 30_000],
      [ROBOTS, 30_000],
    ]);
    expect(notices).toEqual([
      {
        type: 'warning',
        code: 'crawl-delay',
        message: `${ROBOTS} asks for 60000 ms between requests; 30000 ms is the most that is kept to`,
      },
    ]);
    expect(delays('User-agent: *\nCrawl-delay: 60', { crawlDelayCap: 90_000 }).notices).toEqual([]);
  });

  it('is told to the crawl with each request, since hosts that were idle may be forgotten', () => {
    const told: number[] = [];
    const context: FetchContext = { attempt: 1, setDelay: (_url, ms) => told.push(ms) };
    const fetcher = obeying(site({ [ROBOTS]: 'User-agent: *\nCrawl-delay: 2' }).fetcher);
    for (const path of ['1', '2']) run(outcome(fetcher, `${A}/${path}`, context));
    expect(told).toEqual([2_000, 2_000]);
  });

  it('is not told where there is none', () => {
    expect(delays('User-agent: other\nCrawl-delay: 60').told).toEqual([]);
  });
});

it('warns of a robots.txt that is unreachable, once', () => {
  const notices: FetchNotice[] = [];
  const context: FetchContext = { attempt: 1, notify: (notice) => notices.push(notice) };
  const obedientFetcher = obeying(site({ [ROBOTS]: { status: 503 } }).fetcher);
  run(concat(outcome(obedientFetcher, A, context), outcome(obedientFetcher, A, context)));
  expect(notices).toEqual([
    {
      type: 'warning',
      code: 'robots-unreachable',
      message: `${ROBOTS} is unreachable (status 503): its site is not crawled`,
    },
  ]);
});

it('keeps the rules of so many origins as it is told, those used last', () => {
  const { fetcher, asked } = site({});
  const obedientFetcher = obeying(fetcher, { maxOrigins: 2 });
  function visit(host: string): Observable<string> {
    return outcome(obedientFetcher, `https://${host}.example/`);
  }
  run(concat(visit('a'), visit('b'), visit('a'), visit('c'), visit('a'), visit('b')));
  expect(asked.filter((url) => url.endsWith('/robots.txt'))).toEqual(
    ['a', 'b', 'c', 'b'].map((host) => `https://${host}.example/robots.txt`),
  );
});

describe('options', () => {
  it('needs a user agent with a product token', () => {
    expect(() => obeyRobots({ userAgent: '1.0' })).toThrow(TypeError);
  });

  it('refuses what it does not know', () => {
    const options = { userAgent: 'ExampleBot', cache: 5 };
    expect(() => obeyRobots(options)).toThrow('obeyRobots: unknown option "cache"');
  });

  it.each([
    'cacheMs',
    'maxOrigins',
    'recheckMs',
    'timeout',
    'maxRedirects',
    'maxBytes',
    'crawlDelayCap',
  ])('refuses a %s that is no number in range', (name) => {
    for (const value of [-1, NaN, '5', null]) {
      const options = { userAgent: 'ExampleBot', [name]: value };
      expect(() => obeyRobots(options)).toThrow(typeof value === 'number' ? RangeError : TypeError);
      expect(() => obeyRobots(options)).toThrow(`obeyRobots: ${name}: expected`);
    }
  });
});

describeShared('robots/http.json', (path) => {
  interface Case {
    id: string;
    expect: string;
    reply: {
      status?: number;
      headers?: Record<string, string>;
      type?: string;
      body?: string;
      error?: string;
      redirect?: string;
      then?: string;
      size?: string;
      parallel?: string;
    };
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] };
  const CODES: Record<string, CrawlErrorCode> = {
    ECONNRESET: 'connection-reset',
    CERT_HAS_EXPIRED: 'tls-expired',
  };

  /** The answer in the terms of the fetchers here. */
  function replies({ reply }: Case): Record<string, Reply> {
    if (reply.redirect !== undefined) {
      const target = new URL(reply.redirect, ROBOTS).href;
      return {
        ...(reply.then === undefined ? {} : { [target]: { body: `User-agent: *\n${reply.then}` } }),
        [ROBOTS]: { status: 302, headers: { location: reply.redirect } },
      };
    }
    if (reply.error !== undefined)
      return { [ROBOTS]: { error: CODES[reply.error] ?? 'network-error' } };
    if (reply.size !== undefined) {
      return {
        [ROBOTS]: { body: `User-agent: *\nDisallow: /x\n`.padEnd(512_000, '#'), truncated: true },
      };
    }
    const isCut = reply.body?.startsWith('content-length') === true;
    if (isCut) return { [ROBOTS]: { error: 'truncated' } };
    const headers = Object.entries(reply.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    return {
      [ROBOTS]: {
        status: reply.status ?? 200,
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: reply.body ?? '',
      },
    };
  }

  const DENIED: readonly [string, boolean][] = [
    ['allow-all', false],
    ['disallow-all', true],
    ['applies to the first host', true],
    ['stops at the limit', true],
    ['kept', false],
    ['exactly one request', false],
  ];

  it.each(cases)('$id: $expect', (each) => {
    const known = DENIED.find(([text]) => each.expect.startsWith(text));
    expect(known, 'an expectation that this test does not know').toBeDefined();
    const { fetcher, asked } = site(replies(each));
    const obedientFetcher = obeying(fetcher);
    const pages = run(
      merge(outcome(obedientFetcher, `${A}/x`), outcome(obedientFetcher, `${A}/x`).pipe(delay(1))),
    );
    expect(pages.every((page) => /^(robots|CrawlError: robots.txt)/.test(page))).toBe(known?.[1]);
    expect(asked.filter((url) => url === `${A}/x`)).toHaveLength(known?.[1] === true ? 0 : 2);
    expect(asked.filter((url) => url === ROBOTS)).toHaveLength(1);
  });
});
