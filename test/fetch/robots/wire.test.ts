import { gzipSync } from 'node:zlib';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { crawl } from '../../../src/index.js';
import { type Behaviour, type FaultServer, startFaultServer } from '../../servers/fault-server.js';

const RULES = 'User-agent: *\nDisallow: /denied\n';
const MOST = 100_000_000;

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(robots: Behaviour): Promise<FaultServer> {
  const server = await startFaultServer({
    behaviours: { 'robots.txt': robots, denied: (x) => x.answer('denied') },
  });
  servers.push(server);
  return server;
}

/** How often robots.txt was asked for, what became of `/ok` and `/denied`, and the warnings. */
async function outcome(
  robots: Behaviour,
  options: object = {},
): Promise<{ server: FaultServer; asked: number; ends: string; warnings: string[] }> {
  const server = await serve(robots);
  const events = await lastValueFrom(
    crawl({ delay: 0, retry: () => null, ...options })([
      server.url('ok'),
      server.url('denied'),
    ]).pipe(toArray()),
  );
  const ends = events.flatMap((event) => {
    if (event.type === 'done') return ['done'];
    if (event.type === 'failure') return [event.error.code];
    return event.type === 'skip' ? [event.reason] : [];
  });
  const { requests } = server.log;
  return {
    server,
    asked: requests.filter(({ target }) => target.startsWith('/robots.txt')).length,
    ends: ends.sort().join(' '),
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
  };
}

const send =
  (body: string | Uint8Array, ...lines: string[]): Behaviour =>
  (x) =>
    x.answer(body, ['Content-Type: text/plain', ...lines]);
const to =
  (location: string): Behaviour =>
  (x) =>
    x.answer('', [`Location: ${location}`], '302 Found');

/** Sends `start`, then blocks of `block` until the client has had enough. */
const endless =
  (start: string, block: string): Behaviour =>
  async (x) => {
    await x.send(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n${start}`);
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  };

const OBEYED = 'done robots';
const NONE = 'done done';
const DENIED = 'robots robots';

describe('a robots.txt on the wire', () => {
  it.each<[string, Behaviour, string]>([
    ['a plain one', send(RULES), OBEYED],
    ['gzip', send(gzipSync(RULES), 'Content-Encoding: gzip'), OBEYED],
    ['UTF-16 with a mark', send(Buffer.from(`\ufeff${RULES}`, 'utf16le')), OBEYED],
    ['UTF-16 without one', send(Buffer.from(RULES, 'utf16le')), OBEYED],
    ['lines that end with CR', send(RULES.replaceAll('\n', '\r')), OBEYED],
    [
      'rules behind binary rubbish',
      send(Buffer.concat([Buffer.alloc(999, 0xfe), Buffer.from(`\n${RULES}`)])),
      OBEYED,
    ],
    ['HTML', send('<!doctype html><title>Disallow</title><p>User-agent: * Disallow: /'), NONE],
    ['binary', send(Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 7) % 256))), NONE],
    ['empty', send(''), NONE],
    ['10 MB of rules', send(RULES + 'Disallow: /other\n'.repeat(620_000)), OBEYED],
    ['10 MB of one line', send(`${RULES}Disallow: /${'x'.repeat(10_000_000)}`), OBEYED],
    ['a bomb', send(gzipSync(RULES + '#'.repeat(50_000_000)), 'Content-Encoding: gzip'), OBEYED],
    ['endless rules', endless(RULES, 'Disallow: /other\n'.repeat(4_096)), OBEYED],
    ['an endless line', endless(`${RULES}Allow: /`, '*'.repeat(65_536)), OBEYED],
    ['404', (x) => x.answer(RULES, [], '404 Not Found'), NONE],
    ['503', (x) => x.answer(RULES, [], '503 Down'), DENIED],
    [
      'cut',
      (x) => x.send(`HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n${RULES}`).then(() => x.end()),
      DENIED,
    ],
    ['a coding that is none', send(RULES, 'Content-Encoding: gzip'), DENIED],
    ['closed', async (x) => x.end(), DENIED],
    ['a redirect to itself', to('/robots.txt'), NONE],
    ['a redirect without a place', (x) => x.answer('', [], '302 Found'), NONE],
    ['a redirect to another scheme', to('ftp://a.example/robots.txt'), NONE],
    [
      'a redirect that grows',
      (x) => x.answer('', [`Location: ${x.url.pathname}/x`], '302 Found'),
      NONE,
    ],
    ['a redirect to a page of HTML', to('/ok'), NONE],
  ])('%s', async (_, robots, expected) => {
    const { ends, asked, server } = await outcome(robots);
    expect(ends).toBe(expected);
    expect(asked).toBeLessThanOrEqual(6);
    await server.until(() =>
      server.log.connections.every(({ closedAt }) => closedAt !== undefined),
    );
    const sent = server.log.connections.reduce((sum, { bytesOut }) => sum + bytesOut, 0);
    // 512,000 bytes are read; what lies in the buffers of the system comes on top.
    expect(sent).toBeLessThan(16_000_000);
  });

  it('is given up at once where it redirects to itself, whatever the delay', async () => {
    const { asked, ends } = await outcome(to('/robots.txt?again'), { delay: 400 });
    expect([asked, ends]).toEqual([2, NONE]);
  });

  it.each(['http://169.254.169.254/robots.txt', 'http://127.0.0.1:22/robots.txt'])(
    'is unreachable where it leads to %s, and is asked for once',
    async (location) => {
      const { asked, ends, warnings } = await outcome(to(location));
      expect([asked, ends, warnings]).toEqual([1, DENIED, ['robots-unreachable']]);
    },
  );

  it('is given up at once where hosts redirect to one another', async () => {
    const second: { url: string } = { url: '' };
    const first = await serve((x) => to(second.url)(x));
    second.url = (await serve(to(first.url('robots.txt')))).url('robots.txt');
    const events = await lastValueFrom(crawl({ delay: 400 })(first.url('ok')).pipe(toArray()));
    expect(events.at(-1)?.type).toBe('done');
    const asked = servers.flatMap(({ log }) => log.requests.map(({ target }) => target));
    expect(asked).toEqual(['/robots.txt', '/ok', '/robots.txt']);
  });

  it('that drips or never comes is waited for only so long', async () => {
    const robots = { timeout: 300 };
    const drip: Behaviour = async (x) => {
      await x.send('HTTP/1.1 200 OK\r\n\r\n');
      for (let n = 0; n < 200; n += 1) if (!(await x.send('#')) || !(await x.wait(20))) return;
    };
    for (const behaviour of [drip, ((x) => x.wait(60_000)) satisfies Behaviour]) {
      const { ends, warnings } = await outcome(behaviour, { robots });
      expect([ends, warnings]).toEqual([DENIED, ['robots-unreachable']]);
    }
  });
});
