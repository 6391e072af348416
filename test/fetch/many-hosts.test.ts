import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, expect, it } from 'vitest';
import { crawl, undiciFetcher } from '../../src/index.js';
import { type FaultServer, startFaultServer } from '../servers/fault-server.js';
import { startSite } from '../servers/site-server.js';
import { outcomeOf } from './helpers.js';
import { heapAfterCollection } from './memory.js';

let server: FaultServer | undefined;
afterEach(() => server?.close());

it('keeps nothing of the connections to hosts that are done with', async () => {
  const site = await startSite(() => ({ headers: { connection: 'close' } }));
  const port = new URL(site.origin).port;
  const fetcher = undiciFetcher({
    connect: {
      lookup: (_host, options, done) => {
        if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
        else done(null, '127.0.0.1', 4);
      },
    },
  });
  let next = 0;
  const visit = async (upTo: number): Promise<void> => {
    const worker = async (): Promise<void> => {
      while (next < upTo) {
        expect(await outcomeOf(fetcher, `http://h${next++}.test:${port}/`)).toBe('200 0');
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    site.log.requests.length = 0;
  };
  await visit(500);
  const before = heapAfterCollection();
  await visit(2_500);
  // A pool of undici with its client takes over 5 KB.
  expect(heapAfterCollection() - before).toBeLessThan(2_000 * 1_500);
  expect(site.log.opened).toBe(2_500);
  await site.until(() => site.log.closed === site.log.opened);
  fetcher.close();
  await site.close();
});

it.each([
  [true, 'done'],
  [false, 'redirect-loop'],
])('a page behind a login, with cookies: %j, ends as %s', async (cookies, end) => {
  server = await startFaultServer();
  const options = { cookies, delay: 0, retry: () => null };
  const events = await lastValueFrom(crawl(options)(server.url('members')).pipe(toArray()));
  const last = events.at(-1);
  expect(last?.type === 'failure' ? last.error.code : last?.type).toBe(end);
});
