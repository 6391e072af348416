import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { FetchNotice } from '../../src/core/index.js';
import { lastValueFrom } from 'rxjs';
import { request } from '../../src/core/index.js';
import { undiciFetcher } from '../../src/fetch/index.js';
import { until } from '../servers/fault-server.js';
import { AUTHORITY, REVOKED, startTlsServer, type TlsFault } from '../servers/tls-server.js';
import { failureOf, fetchOnce, outcomeOf } from './helpers.js';
import { heapAfterCollection } from './memory.js';

const connect = { ca: AUTHORITY };

describe('TLS', () => {
  it.each<[TlsFault, string]>([
    ['good', '200 2'],
    ['expired', 'tls-expired'],
    ['not-yet-valid', 'tls-not-yet-valid'],
    ['wrong-host', 'tls-wrong-host'],
    ['self-signed', 'tls-self-signed'],
    ['unknown-issuer', 'tls-unknown-issuer'],
    ['old-protocol', 'tls-protocol'],
    ['plain-http', 'tls-protocol'],
    ['closes', 'tls-failed'],
    ['rubbish', 'tls-protocol'],
    ['silent', 'timeout-tls'],
  ])('%s: %s', async (fault, outcome) => {
    const server = await startTlsServer(fault);
    const fetcher = undiciFetcher({ connect, timeouts: { connect: 300 } });
    expect(await outcomeOf(fetcher, server.url())).toBe(outcome);
    fetcher.close();
    await server.close();
  });

  it('refuses what a list of the authority has revoked, if it is given one', async () => {
    const fetcher = undiciFetcher({ connect: { ...connect, crl: REVOKED } });
    const [revoked, good] = [await startTlsServer('revoked'), await startTlsServer('good')];
    expect(await outcomeOf(fetcher, revoked.url())).toBe('tls-revoked');
    expect(await outcomeOf(fetcher, good.url())).toBe('200 2');
    const unaware = undiciFetcher({ connect });
    expect(await outcomeOf(unaware, revoked.url())).toBe('200 2');
    for (const each of [fetcher, unaware, revoked, good]) await each.close();
  });

  it('does not trust an authority that it was not given', async () => {
    const server = await startTlsServer('good');
    const error = await failureOf(undiciFetcher(), server.url());
    expect(error.code).toBe('tls-unknown-issuer');
    expect(error.message).toContain(`127.0.0.1:${server.port}`);
    expect(error.cause).toBeInstanceOf(Error);
    await server.close();
  });

  it('checks nothing at insecureHosts, and says so once', async () => {
    const server = await startTlsServer('self-signed');
    const notices: FetchNotice[] = [];
    const fetcher = undiciFetcher({ insecureHosts: ['localhost'] });
    const context = { attempt: 1, notify: (notice: FetchNotice) => void notices.push(notice) };
    for (let round = 0; round < 2; round++) {
      const response = await lastValueFrom(fetcher(request(server.url('localhost')), context));
      expect(response.status).toBe(200);
    }
    expect(notices).toMatchObject([{ type: 'warning', code: 'tls-not-checked' }]);
    // The same server by another name.
    expect(await outcomeOf(fetcher, server.url('127.0.0.1'))).toBe('tls-self-signed');
    fetcher.close();
    await server.close();
  });

  it('checks the name of the URL, whatever the lookup says', async () => {
    const server = await startTlsServer('good');
    const lookup: LookupFunction = (_host, options, done) => {
      if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
      else done(null, '127.0.0.1', 4);
    };
    const fetcher = undiciFetcher({ connect: { ...connect, lookup } });
    expect(await outcomeOf(fetcher, server.url('evil.example'))).toBe('tls-wrong-host');
    await server.close();
  });

  it('gives up a handshake when unsubscribed', async () => {
    const server = await startTlsServer('silent');
    const subscription = undiciFetcher()(request(server.url())).subscribe();
    await until(() => server.open() === 1);
    subscription.unsubscribe();
    await until(() => server.open() === 0, 500);
    await server.close();
  });

  it('keeps no memory of failed handshakes', async () => {
    const server = await startTlsServer('expired');
    const fetcher = undiciFetcher({ connect });
    const fail = async (times: number): Promise<void> => {
      for (let round = 0; round < times; round++) {
        expect(await outcomeOf(fetcher, server.url())).toBe('tls-expired');
      }
    };
    await Promise.all(Array.from({ length: 10 }, () => fail(10)));
    const before = heapAfterCollection();
    await Promise.all(Array.from({ length: 10 }, () => fail(15)));
    expect(server.connections()).toBe(250);
    expect(heapAfterCollection() - before).toBeLessThan(2_000_000);
    await server.close();
  });

  it('takes up a connection again', async () => {
    const server = await startTlsServer('good');
    const fetcher = undiciFetcher({ connect });
    for (let round = 0; round < 3; round++) await fetchOnce(fetcher, server.url());
    expect(server.connections()).toBe(1);
    fetcher.close();
    await server.close();
  });
});
