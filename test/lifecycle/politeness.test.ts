import { type ChildProcess, fork } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { lastValueFrom } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { crawl, queued, retryPolicy, simple } from '../../src/index.js';

/** Pages for each strategy, about 1.15 requests each. */
const PAGES = Number(process.env['POLITE_PAGES'] ?? 5_000);
const HOSTS = 80;
const DELAY = 60;
const WIDTH = 2;
/** The crawl's clock counts whole milliseconds, and may be slewed a little. */
const TICK = 1.5;
/** How much shorter a gap may look to the server, ms. */
const SLACK = 5;

/** A request: when it was written, came, was answered, and when the answer was read, ms. */
interface Seen {
  readonly host: string;
  readonly path: string;
  readonly sentAt: number;
  readonly cameAt: number;
  readonly answeredAt: number;
  readonly readAt: number;
  /** The wait that the answer asks for. */
  readonly wait: number;
}

type Row = [host: string, path: string, cameAt: number, answeredAt: number, wait: number];

/** On the clock that the site's process reads, too. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

let site: ChildProcess;
afterEach(() => site.kill());

async function startSite(): Promise<number> {
  site = fork(fileURLToPath(new URL('../servers/polite-site.mjs', import.meta.url)));
  return ((await once(site, 'message')) as [number])[0];
}

/** The site's log, and what undici has told meanwhile of the same requests. */
async function watchRequests(crawling: () => Promise<unknown>): Promise<Seen[]> {
  const sent = new Map<string, number[]>();
  const read = new Map<string, number[]>();
  const noteIn = (times: Map<string, number[]>) => (message: unknown) => {
    const { request } = message as { request: { origin: string; path: string } };
    const key = new URL(request.origin).hostname + request.path;
    times.set(key, [...(times.get(key) ?? []), now()]);
  };
  const noteSent = noteIn(sent);
  const noteRead = noteIn(read);
  subscribe('undici:client:sendHeaders', noteSent);
  subscribe('undici:request:trailers', noteRead);
  await crawling();
  unsubscribe('undici:client:sendHeaders', noteSent);
  unsubscribe('undici:request:trailers', noteRead);

  const answer = once(site, 'message');
  site.send('log');
  const [rows] = (await answer) as [Row[]];
  return rows.map(([host, path, cameAt, answeredAt, wait]) => ({
    ...{ host, path, cameAt, answeredAt, wait },
    sentAt: sent.get(host + path)?.shift() ?? NaN,
    readAt: read.get(host + path)?.shift() ?? NaN,
  }));
}

/** Of the pages of a host, some are redirected, fail once, or are slow; one asks for time. */
function urlOf(index: number, port: number): string {
  const host = index % HOSTS;
  const page = Math.floor(index / HOSTS);
  const kind = ['denied', 'moved', 'broken', 'slow', 'slow'][page % 10] ?? 'page';
  const asksForTime = page === 5 + (host % 10);
  const path = asksForTime ? (host % 2 === 0 ? 'busy' : 'down') : kind;
  return `http://h${host}.test:${port}/${path}/${page}`;
}

describe.each([
  ['simple', simple(HOSTS * WIDTH)],
  ['queued', queued(HOSTS * WIDTH)],
])('as a server sees it, %s', (_name, strategy) => {
  it(`keeps gap, width, Retry-After and robots.txt over ${PAGES} pages`, async () => {
    const port = await startSite();
    const urls = Array.from({ length: PAGES }, (_, index) => urlOf(index, port));
    const crawling = crawl({
      strategy,
      delay: DELAY,
      perHost: WIDTH,
      jitter: 0,
      retry: retryPolicy({ base: 60 }),
      addresses: {
        mode: 'off',
        resolve: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    });
    const seen = await watchRequests(() => lastValueFrom(crawling(urls)));
    expect(seen.length).toBeGreaterThan(PAGES);
    // What undici tells is true: nothing came before it was sent, nor was read before its answer.
    expect(seen.every(({ sentAt, cameAt }) => sentAt <= cameAt)).toBe(true);
    expect(seen.every(({ answeredAt, readAt }) => answeredAt <= readAt)).toBe(true);

    let inTime = 0;
    for (let h = 0; h < HOSTS; h++) {
      const requests = seen
        .filter(({ host }) => host === `h${h}.test`)
        .sort((a, b) => a.sentAt - b.sentAt);
      const paths = requests.map(({ path }) => path);
      expect(paths.lastIndexOf('/robots.txt')).toBe(0);
      expect(paths.filter((path) => path.startsWith('/denied'))).toEqual([]);

      for (const [index, { sentAt, cameAt, readAt, answeredAt, wait }] of requests.entries()) {
        const next = requests[index + 1];
        if (next) expect(next.sentAt - sentAt).toBeGreaterThan(DELAY - TICK);
        // A request that was late makes the gap behind it look shorter than it was.
        const isInTime = cameAt - sentAt < SLACK - TICK;
        if (isInTime) inTime += 1;
        if (next && isInTime) expect(next.cameAt - cameAt).toBeGreaterThan(DELAY - SLACK);

        const open = requests.filter((one) => one.cameAt <= cameAt && one.answeredAt > cameAt);
        expect(open.length).toBeLessThanOrEqual(WIDTH);

        if (wait === 0) continue;
        const later = requests.filter((one) => one.sentAt > readAt).map((one) => one.cameAt);
        expect(Math.min(...later) - answeredAt).toBeGreaterThan(wait - TICK);
        const others = seen.filter(
          (one) => one.cameAt > answeredAt && one.cameAt < answeredAt + wait,
        );
        expect(others.length).toBeGreaterThan(0);
      }
    }
    expect(inTime).toBeGreaterThan(seen.length / 10);
  }, 120_000);
});
