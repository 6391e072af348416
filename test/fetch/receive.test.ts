import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BodyReceiver,
  CrawlError,
  isCrawlError,
  request,
  undiciFetcher,
  type UndiciFetcherOptions,
} from '../../src/index.js';

const PART = Buffer.alloc(65_536);
const PARTS = 400;
let url: string;
/** Bytes that the server could hand over. */
let sent = 0;
const server = createServer((_req, res) => {
  sent = 0;
  const send = (left: number): void => {
    if (left === 0) res.end();
    else
      res.write(PART, () => {
        sent += PART.length;
        send(left - 1);
      });
  };
  send(PARTS);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetch = (receiver: BodyReceiver | undefined, options: UndiciFetcherOptions = {}) =>
  lastValueFrom(undiciFetcher(options)(request(url), { attempt: 1, receive: () => receiver }));
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a receiver of a body', () => {
  it('is given all of it, whatever the limits of size and time', async () => {
    let bytes = 0;
    const response = await fetch(
      (part) => {
        bytes += part.length;
        return bytes < 200_000 ? (wait(30) as Promise<void>) : undefined;
      },
      { maxBodyBytes: 1_000, timeouts: { total: 80 } },
    );
    expect(bytes).toBe(PARTS * PART.length);
    expect(response.body).toHaveLength(0);
    expect(response.wireBytes).toBe(bytes);
  });

  it('holds the sender while it is busy, and that time does not count', async () => {
    let bytes = 0;
    let goOn: () => void = () => {};
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    const answer = fetch(
      (part) => {
        bytes += part.length;
        return hold;
      },
      { timeouts: { idle: 30 }, minRate: { bytesPerSecond: 1_000, windowMs: 30 } },
    );
    // The buffers of the system take some megabytes, and then no more.
    let before = -1;
    for (let looks = 0; looks < 20 && before !== sent; looks++) {
      before = sent;
      await wait(100);
    }
    expect(bytes).toBeLessThanOrEqual(PART.length);
    expect(sent).toBeLessThan((PARTS * PART.length) / 2);
    goOn();
    await answer;
    expect(bytes).toBe(PARTS * PART.length);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('ends the exchange when it %s', async (_what, receiver: BodyReceiver) => {
    const error: unknown = await fetch(receiver).catch((thrown: unknown) => thrown);
    expect(isCrawlError(error) && error.code).toBe('sink-failed');
  });

  it('may fail with an error of its own, or not be there', async () => {
    const own = new CrawlError('too-large', 'mine');
    expect(await fetch(() => Promise.reject(own)).catch((thrown: unknown) => thrown)).toBe(own);
    const { body } = await fetch(undefined, { maxBodyBytes: 1e9 });
    expect(body).toHaveLength(PARTS * PART.length);
  });
});
