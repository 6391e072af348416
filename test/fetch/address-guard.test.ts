import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asyncScheduler, firstValueFrom, of, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addressGuard,
  BLOCKED_PORTS,
  followRedirects,
  isRequestRefused,
  pipeFetcher,
  request,
  undiciFetcher,
  type AddressGuard,
  type AddressGuardOptions,
  type FetchContext,
  type FetchedResponse,
  type Fetcher,
  type FetchNotice,
  type Resolve,
} from 'rxcrawl';
import { describeShared } from '../helpers/shared-cases.js';

/** A resolver that gives these answers, one after the other where there are several lists. */
function scripted(answers: Readonly<Record<string, readonly (readonly string[])[]>>): Resolve {
  const asked = new Map<string, number>();
  return (hostname, _options, callback) => {
    const lists = answers[hostname];
    const turn = asked.get(hostname) ?? 0;
    asked.set(hostname, turn + 1);
    const list = lists?.[Math.min(turn, lists.length - 1)];
    queueMicrotask(() => {
      if (list === undefined) {
        callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
        return;
      }
      const addresses = list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      callback(null, addresses);
    });
  };
}

const NAMES = scripted({
  'public.test': [['93.184.216.34']],
  'inner.test': [['127.0.0.1']],
  'office.test': [['10.0.0.1']],
  'mixed.test': [['10.0.0.1', '127.0.0.1']],
  'rebind.test': [['93.184.216.34'], ['127.0.0.1']],
});

let server: Server;
let port = 0;
let connections = 0;
const served: string[] = [];

beforeAll(async () => {
  server = createServer((message, answer) => {
    served.push(message.url ?? '');
    answer.setHeader('connection', 'close');
    if (message.url?.startsWith('/to/')) {
      answer.writeHead(302, { location: decodeURIComponent(message.url.slice(4)) });
    }
    answer.end('ok');
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => server.close());

/** Answers for `public.test`, whose address nobody can reach here, and asks the guard as undici would. */
function stack(options: AddressGuardOptions, redirects: Record<string, string> = {}) {
  const guard = addressGuard({ resolve: NAMES, ...options });
  const real = undiciFetcher({ connect: { lookup: guard.lookup } });
  const base: Fetcher = (wanted, context) => {
    if (new URL(wanted.url).hostname !== 'public.test') return real(wanted, context);
    guard.lookup('public.test', {}, () => undefined);
    const location = redirects[wanted.url];
    return of(answer(wanted.url, location));
  };
  return {
    guard,
    fetcher: pipeFetcher(base, guard.exchanges, guard.requests, followRedirects()),
    close: () => real.close(),
  };
}

function answer(url: string, location?: string): FetchedResponse {
  return {
    url,
    status: location === undefined ? 200 : 302,
    headers: location === undefined ? {} : { location },
    body: new Uint8Array(),
    redirects: [],
    wireBytes: 0,
  };
}

function local(host: string, path = '/'): string {
  return `http://${host}:${port}${path}`;
}

async function outcome(response$: Observable<FetchedResponse>): Promise<string> {
  try {
    return String((await firstValueFrom(response$)).status);
  } catch (error) {
    return isRequestRefused(error) ? error.reason : String(error);
  }
}

/** Fetches one after the other, each with what it was found on, as a crawl would. */
async function crawl(
  options: AddressGuardOptions,
  steps: readonly (readonly [url: string, referrer?: string])[],
  redirects: Record<string, string> = {},
): Promise<string[]> {
  const { fetcher, close } = stack(options, redirects);
  const results: string[] = [];
  for (const [url, referrer] of steps) {
    const context: FetchContext = { attempt: 1 };
    results.push(
      await outcome(fetcher(request(url, { referrer, depth: referrer ? 1 : 0 }), context)),
    );
  }
  close();
  return results;
}

async function refusedWithoutConnection(run: () => Promise<string[]>): Promise<string> {
  const before = connections;
  const results = await run();
  expect(connections).toBe(before);
  return results.at(-1) ?? '';
}

describe('addressGuard: same-as-seeds', () => {
  it('crawls a private seed, by address or name, and what it leads to', async () => {
    const steps = [
      [local('127.0.0.1')],
      [local('127.0.0.1', '/a'), local('127.0.0.1')],
      [local('inner.test', '/b'), local('127.0.0.1', '/a')],
    ] as const;
    expect(await crawl({}, steps)).toEqual(['200', '200', '200']);
    expect(await crawl({}, [[local('inner.test')]])).toEqual(['200']);
  });

  it('refuses a private address that a public page links to', async () => {
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'inner.test']) {
      const run = () => crawl({}, [['http://public.test/'], [local(host), 'http://public.test/']]);
      expect(await refusedWithoutConnection(run), host).toBe('address');
    }
  });

  it('refuses it also when a seed has that address', async () => {
    const seeds = [['http://public.test/'], [local('inner.test')]] as const;
    const results = await crawl({}, [...seeds, [local('inner.test', '/x'), 'http://public.test/']]);
    expect(results).toEqual(['200', '200', 'address']);
    expect(served).not.toContain('/x');
  });

  it('refuses a private address that a public page redirects to', async () => {
    const to = {
      'http://public.test/r': local('127.0.0.1'),
      'http://public.test/s': local('inner.test'),
    };
    for (const url of Object.keys(to)) {
      const run = () => crawl({}, [[url]], to);
      expect(await refusedWithoutConnection(run), url).toBe('address');
    }
  });

  it('refuses the second hop, too', async () => {
    const to = {
      'http://public.test/1': 'http://public.test/2',
      'http://public.test/2': local('127.0.0.1'),
    };
    const run = () => crawl({}, [['http://public.test/1', local('127.0.0.1')]], to);
    expect(await refusedWithoutConnection(run)).toBe('address');
  });

  it('follows a redirect from a private seed to its like', async () => {
    const url = local('127.0.0.1', `/to/${encodeURIComponent(local('inner.test', '/y'))}`);
    expect(await crawl({}, [[url]])).toEqual(['200']);
  });

  it('refuses a class of address that no seed has', async () => {
    const steps = [[local('127.0.0.1')], ['http://169.254.169.254/', local('127.0.0.1')]] as const;
    expect(await crawl({}, steps)).toEqual(['200', 'address']);
    const named = [[local('127.0.0.1')], [local('office.test'), local('127.0.0.1')]] as const;
    expect(await crawl({}, named)).toEqual(['200', 'address']);
  });

  it('refuses a public host that moves to a private address', async () => {
    const { guard } = stack({});
    await outcome(guard.requests(() => of(answer('')))(request(local('rebind.test'))));
    expect(await ask(guard, 'rebind.test')).toBe('93.184.216.34');
    expect(await ask(guard, 'rebind.test')).toBe('address-refused');
  });

  it('asks where a page is that it has not seen, as after a resume', async () => {
    const run = () => crawl({}, [[local('127.0.0.1'), 'http://public.test/']]);
    expect(await refusedWithoutConnection(run)).toBe('address');
    const resumed = [[local('inner.test')], [local('127.0.0.1'), local('inner.test')]] as const;
    expect(await crawl({}, resumed)).toEqual(['200', '200']);
    const unknown = [[local('127.0.0.1'), 'http://nowhere.test/']] as const;
    expect(await crawl({}, unknown)).toEqual(['address']);
  });

  it('refuses robots.txt of a forbidden host, which has no referrer', async () => {
    const { guard } = stack({});
    const inner = guard.exchanges(() => of(answer('')));
    expect(await outcome(inner(request('http://10.0.0.1/robots.txt')))).toBe('address');
    expect(await ask(guard, 'office.test')).toBe('address-refused');
  });
});

/** What a socket would be told: the address, or the code of the error. */
function ask(guard: AddressGuard, host: string): Promise<string> {
  return new Promise((resolve) => {
    guard.lookup(host, {}, (error, address) => {
      const code = error && 'code' in error ? String(error.code) : undefined;
      resolve(code ?? (typeof address === 'string' ? address : ''));
    });
  });
}

describe('addressGuard: other modes and options', () => {
  it('public-only refuses private seeds', async () => {
    const resolve = scripted({ localhost: [['127.0.0.1']], 'inner.test': [['127.0.0.1']] });
    for (const host of ['127.0.0.1', 'inner.test', 'localhost']) {
      const run = () => crawl({ mode: 'public-only', resolve }, [[local(host)]]);
      expect(await refusedWithoutConnection(run), host).toBe('address');
    }
  });

  it('off allows everything', async () => {
    const steps = [['http://public.test/'], [local('127.0.0.1'), 'http://public.test/']] as const;
    expect(await crawl({ mode: 'off' }, steps)).toEqual(['200', '200']);
  });

  it('the allow list wins and is exact', async () => {
    const from = 'http://public.test/';
    const ends = (allow: string[], host: string) =>
      crawl({ allow, mode: 'public-only' }, [[local(host), from]]);
    expect(await ends(['inner.test'], 'inner.test')).toEqual(['200']);
    expect(await ends(['127.0.0.1'], 'inner.test')).toEqual(['200']);
    expect(await ends(['127.0.0.1'], '127.0.0.1')).toEqual(['200']);
    expect(await ends(['0x7f.1'], '127.0.0.1')).toEqual(['200']);
    expect(await ends(['test', 'x.inner.test', '127.0.0.2'], 'inner.test')).toEqual(['address']);
  });

  it('gives a socket only the allowed ones of several addresses', async () => {
    const guard = addressGuard({ allow: ['127.0.0.1'], resolve: NAMES });
    expect(await ask(guard, 'mixed.test')).toBe('127.0.0.1');
    const all = await new Promise((resolve) => {
      guard.lookup('mixed.test', { all: true }, (_, addresses) => resolve(addresses));
    });
    expect(all).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('waits for no resolver that does not answer', () => {
    const guard = addressGuard({ resolve: () => undefined });
    const ends: unknown[] = [];
    new TestScheduler(() => undefined).run(() => {
      const sent = request('http://a.test/', { referrer: 'http://unknown.test/' });
      guard
        .requests(() => of(answer('')))(sent)
        .subscribe({
          error: (error: unknown) => ends.push(asyncScheduler.now(), error),
        });
    });
    expect(ends).toEqual([10_000, expect.objectContaining({ code: 'timeout-dns' })]);
  });

  it('hands on the errors of the resolver', async () => {
    expect(await ask(addressGuard({ resolve: NAMES }), 'missing.test')).toBe('ENOTFOUND');
    expect(await crawl({}, [[local('missing.test')]])).toEqual([
      expect.stringContaining('does not exist'),
    ]);
  });

  it('refuses the blocked ports of the Fetch standard, unless told otherwise', async () => {
    const ends = (options: AddressGuardOptions, url: string) =>
      outcome(addressGuard(options).exchanges(() => of(answer(url)))(request(url)));
    expect(await ends({}, 'http://h.test:25/')).toBe('address');
    expect(await ends({ mode: 'off' }, 'https://h.test:6667/')).toBe('address');
    expect(await ends({ allow: ['h.test'] }, 'http://h.test:25/')).toBe('200');
    expect(await ends({ blockedPorts: false }, 'http://h.test:25/')).toBe('200');
    expect(await ends({ blockedPorts: [443] }, 'https://h.test/')).toBe('address');
    expect(await ends({}, 'http://[2606:2800:220:1::1]:8080/')).toBe('200');
  });

  it('says once that it cannot see behind a proxy', async () => {
    const notices: FetchNotice[] = [];
    const context: FetchContext = { attempt: 1, notify: (notice) => notices.push(notice) };
    const fetcher = addressGuard({ proxied: true }).exchanges(() => of(answer('')));
    await outcome(fetcher(request('http://a.test/'), context));
    await outcome(fetcher(request('http://b.test/'), context));
    expect(notices).toMatchObject([{ type: 'warning', code: 'address-guard-proxy' }]);
  });

  it('refuses wrong options by name', () => {
    expect(() => addressGuard({ mode: 'on' as 'off' })).toThrow(/mode: expected .*public-only/);
    expect(() => addressGuard({ allow: ['a.test:80'] })).toThrow(
      /allow\[0\]: expected a host name/,
    );
    expect(() => addressGuard({ allow: ['http://a.test/'] })).toThrow(TypeError);
    expect(() => addressGuard({ blockedPorts: [70_000] })).toThrow(
      /blockedPorts\[0\]: expected a port/,
    );
  });
});

describeShared('security/ssrf.json', (path) => {
  it('blocks the same ports', () => {
    const { blockedPorts } = JSON.parse(readFileSync(path, 'utf8')) as { blockedPorts: number[] };
    expect(BLOCKED_PORTS).toEqual(blockedPorts);
  });
});
