import {
  asapScheduler,
  defer,
  delay,
  EMPTY,
  expand,
  interval,
  of,
  repeat,
  take,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { request, type CrawlEvent } from '../../src/core/index.js';
import { crawlMarbles, runMarbles, virtualSite } from '../../src/testing/index.js';

describe('runMarbles', () => {
  it('compares in virtual time and returns what the body returns', () => {
    const returned = runMarbles((m) => {
      m.expectObservable(m.cold('a|').pipe(delay(2))).toBe('--(a|)');
      const source$ = m.hot('--a--b--|');
      m.expectObservable(source$.pipe(take(1))).toBe('--(a|)');
      m.expectSubscriptions(source$.subscriptions).toBe('^-!');
      return 7;
    });
    expect(returned).toBe(7);
  });

  it('virtualises all schedulers of rxjs', () => {
    runMarbles((m) => {
      m.expectObservable(of('a').pipe(delay(1000), take(1))).toBe('1s (a|)');
      m.expectObservable(timer(0, asapScheduler)).toBe('(a|)', { a: 0 });
    });
  });

  it('fails with a list of what was expected and what happened', () => {
    const test = crawlMarbles((m) => {
      m.expectObservable(m.cold('-a-b|')).toBe('-a--c|');
    });
    expect(test).toThrow(
      [
        'The run differs (- expected, + actual):',
        '    1 ms next "a"',
        '  - 4 ms next "c"',
        '  + 3 ms next "b"',
        '  - 5 ms complete',
        '  + 4 ms complete',
      ].join('\n'),
    );
  });

  it('compares errors by name, code and message', () => {
    const failing = (message: string) => () =>
      runMarbles((m) => {
        const error = Object.assign(new Error(message), { code: 'x' });
        m.expectObservable(m.cold('#', {}, error)).toBe(
          '#',
          {},
          Object.assign(new Error('a'), { code: 'x' }),
        );
      });
    expect(failing('a')).not.toThrow();
    expect(failing('b')).toThrow(/\+ 0 ms error Error "x": b/);
  });

  it('takes the assertion of a test framework', () => {
    const compared: unknown[] = [];
    runMarbles((m) => m.expectObservable(of(1)).toBe('(b|)'), {
      assertDeepEqual: (actual) => compared.push(actual),
    });
    expect(compared).toHaveLength(1);
  });

  it('refuses an async body', () => {
    const test = () => runMarbles(async (m) => m.expectObservable(of('a')).toBe('wrong|'));
    expect(test).toThrow(/body returned a promise/);
  });

  it('shows events in brief', () => {
    const start: CrawlEvent = {
      type: 'start',
      request: request('https://a.example/x'),
      attempt: 1,
    };
    runMarbles((m) => {
      m.expectEvents(m.cold('-s|', { s: start })).toBe('-s|', { s: 'start /x' });
      m.expectEvents(m.cold('-s-s', { s: start }), '^-!').toBe('-s', { s: 'start /x' });
    });
  });

  describe('endless runs', () => {
    const endless = {
      'with timers': () => interval(10),
      'within one moment': () =>
        of('a').pipe(expand((value) => of(value).pipe(delay(0, asapScheduler)))),
    };
    for (const [kind, make] of Object.entries(endless)) {
      it(`throws ${kind}, with advice`, () => {
        const test = () =>
          runMarbles((m) => m.expectObservable<unknown>(make()).toBe('a'), { maxActions: 5000 });
        expect(test).toThrow(/still busy after 5000 actions.*unsubscription marble.*take\(n\)/);
      });
    }

    it('throws where the scheduler is passed on by hand', () => {
      const test = () =>
        runMarbles((m) => m.expectObservable(interval(10, m.scheduler)).toBe('a'), {
          maxActions: 5000,
        });
      expect(test).toThrow(/still busy/);
    });

    it('throws past a limit of virtual time', () => {
      const test = () =>
        runMarbles((m) => m.expectObservable(interval(10)).toBe('a'), { maxFrames: 1000 });
      expect(test).toThrow(/still busy at virtual time 1000 ms/);
    });

    it('throws when a synchronous crawl swallows the error of its site', () => {
      const site = virtualSite(() => []);
      const crawl$ = defer(() => site.fetcher(request('https://a.example/'))).pipe(
        repeat({ count: 2000 }),
      );
      const test = () =>
        runMarbles(
          () => {
            crawl$.subscribe({ error: () => {} });
          },
          { maxActions: 1000 },
        );
      expect(test).toThrow(/still busy after 1000 actions/);
    });

    it('takes less than 5 s of real time at the default limit', () => {
      const before = performance.now();
      expect(() => runMarbles((m) => m.expectObservable(interval(1)).toBe('a'))).toThrow(
        /still busy after 1000000 actions/,
      );
      expect(performance.now() - before).toBeLessThan(5000);
    });

    it('lets runs with an end pass, and later runs too', () => {
      runMarbles((m) => {
        m.expectObservable(interval(10), '^ 24ms !').toBe('10ms a 9ms b', { a: 0, b: 1 });
        m.expectObservable(interval(10).pipe(take(1))).toBe('10ms (a|)', { a: 0 });
        m.expectObservable(EMPTY).toBe('|');
      });
    });
  });
});
