import { lastValueFrom } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { crawl, queued, simple } from '../../src/index.js';
import { type SiteRequest, type SiteServer, startSite } from '../servers/site-server.js';

/** Raise for a longer run: 10,000 takes about a minute. */
const REQUESTS = Number(process.env['POLITE_REQUESTS'] ?? 400);
const SITES = 8;
const DELAY = 40;
const SLACK = 5;

let server: SiteServer;
afterEach(() => server.close());

/** The first segment of a path stands for a host: names of many hosts all lead to one server. */
const siteOf = (path: string): string => path.split('/')[1] ?? '';
const hostKey = (url: string): string => siteOf(new URL(url).pathname);

function bySite(requests: readonly SiteRequest[]): SiteRequest[][] {
  const sites = new Map<string, SiteRequest[]>();
  for (const each of requests) {
    const site = siteOf(each.path);
    sites.set(site, [...(sites.get(site) ?? []), each]);
  }
  return [...sites.values()];
}

describe.each([
  ['simple', simple(SITES * 2)],
  ['queued', queued(SITES * 2)],
])('as a server sees it, %s', (_name, strategy) => {
  it('never asks a host too soon or too much at once', async () => {
    server = await startSite((path) => ({ body: path, delayMs: 60 }));
    const urls = Array.from({ length: REQUESTS }, (_, n) => server.url(`/s${n % SITES}/${n}`));
    await lastValueFrom(
      crawl({ strategy, hostKey, delay: DELAY, perHost: 2, jitter: 0, robots: false })(urls),
    );
    expect(server.log.requests).toHaveLength(REQUESTS);
    const early: number[] = [];
    for (const requests of bySite(server.log.requests)) {
      for (const [index, { startedAt }] of requests.entries()) {
        const since = (steps: number): number =>
          startedAt - (requests[index - steps]?.startedAt ?? -Infinity);
        if (since(1) < DELAY - SLACK) early.push(since(1));
        // Server and crawl share a thread, which may be late with one of two requests; over ten
        // gaps that cannot add up.
        expect(since(10)).toBeGreaterThanOrEqual(10 * DELAY - 2 * DELAY);
        const open = requests.filter(
          (one) => one.startedAt <= startedAt && (one.endedAt ?? Infinity) > startedAt,
        );
        expect(open.length).toBeLessThanOrEqual(2);
      }
    }
    expect(early.length).toBeLessThan(REQUESTS / 5);
  });

  it('asks no earlier than Retry-After says, and others meanwhile', async () => {
    const asked = new Set<string>();
    server = await startSite((path) => {
      const again = asked.has(path);
      asked.add(path);
      return path.startsWith('/busy') && !again
        ? { status: 503, headers: { 'retry-after': '1' } }
        : { body: path };
    });
    const urls = ['/busy/1', '/calm/1', '/calm/2', '/calm/3'].map((path) => server.url(path));
    await lastValueFrom(crawl({ strategy, hostKey, delay: 20, robots: false })(urls));
    const [first, second] = server.log.requests.filter(({ path }) => path === '/busy/1');
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(
      1_000 - SLACK,
    );
    const calm = server.log.requests.filter(({ path }) => path.startsWith('/calm'));
    expect(Math.max(...calm.map(({ startedAt }) => startedAt))).toBeLessThan(
      second?.startedAt ?? 0,
    );
  });
});
