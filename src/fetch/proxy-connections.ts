// Own code around undici's connectors, not its `ProxyAgent`: that cannot be told which hosts have
// no certificates to check, leaves a handshake that nobody waits for until undici's own limit of
// 300 s is over, and tunnels plain HTTP, which most proxies allow for port 443 only.

import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { CrawlError } from '../core/index.js';
import {
  type Connections,
  type OpenConnection,
  ownConnections,
  type PendingConnection,
  type PoolOptions,
} from './connections.js';
import { connectors, isSocket } from './open-directly.js';
import type { Proxy } from './parse-proxy.js';

/**
 * Connections through one proxy. Requests for `http:` URLs are sent to the proxy with the whole
 * URL (RFC 9112 §3.2.2); for `https:` URLs the proxy opens a tunnel (RFC 9110 §9.3.6), in which
 * TLS is spoken with the site as without a proxy. The credentials of the proxy go to the proxy
 * alone: with each request in the first case, with `CONNECT` in the second.
 */
export function proxyConnections(options: PoolOptions, proxy: Proxy): Connections {
  const dial = openProxy(options, proxy);
  const plain = ownConnections({ ...options, http2: false }, dial);
  const tunnels = ownConnections(options, openTunnel(options, proxy, dial));
  const authorization =
    proxy.authorization === undefined ? [] : ['proxy-authorization', proxy.authorization];

  return {
    viaProxy: true,
    get socketError() {
      return plain.socketError ?? tunnels.socketError;
    },
    dispatch(dispatched, exchange) {
      const { origin, path, headers } = dispatched;
      if (origin.startsWith('https:')) {
        tunnels.dispatch(dispatched, exchange);
        return;
      }
      const host = headers.some((text, index) => index % 2 === 0 && text === 'host')
        ? []
        : ['host', origin.slice(origin.indexOf('//') + 2)];
      plain.dispatch(
        {
          ...dispatched,
          origin: proxy.origin,
          path: origin + path,
          headers: [...headers, ...host, ...authorization],
        },
        exchange,
      );
    },
    send(exchange) {
      (exchange.origin.startsWith('https:') ? tunnels : plain).send(exchange);
    },
    progressed(exchange) {
      tunnels.progressed(exchange);
    },
    leave(exchange) {
      plain.leave(exchange);
      tunnels.leave(exchange);
    },
    close() {
      plain.close();
      tunnels.close();
    },
  };
}

/** Opens connections to the proxy itself, whatever the target is. */
function openProxy(options: PoolOptions, proxy: Proxy): OpenConnection {
  // The proxy is the user's own choice: no guard of addresses judges it.
  const { lookup: _guard, ...connect } = options.connect;
  const connector = connectors({ ...options, connect, http2: false })(proxy.hostname);
  const { protocol, hostname, host, port } = proxy;
  return (_target, callback) => {
    const socket = connector({ protocol, hostname, host, port }, (...[error, opened]) => {
      if (error === null) callback(null, opened);
      else callback(proxyFailed(proxy, error), null);
    });
    if (!isSocket(socket)) return undefined;
    return { stage: 'proxy', abandon: (error) => void socket.destroy(error) };
  };
}

/** Opens TLS connections to targets through tunnels. */
function openTunnel(options: PoolOptions, proxy: Proxy, dial: OpenConnection): OpenConnection {
  const tlsFor = connectors(options);
  return (target, callback) => {
    let abandon: PendingConnection['abandon'] | undefined;
    const pending = {
      stage: 'proxy' as PendingConnection['stage'],
      abandon: (error: Error) => abandon?.(error),
    };
    const dialled = dial(target, (...[error, opened]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const socket = opened;
      abandon = (reason) => void socket.destroy(reason);
      requestTunnel(socket, target, proxy, options.connectMs, (failure) => {
        if (failure !== undefined) {
          callback(failure, null);
          return;
        }
        pending.stage = 'tls';
        const secured = tlsFor(target.hostname)({ ...target, httpSocket: socket }, callback);
        if (isSocket(secured)) abandon = (reason) => void secured.destroy(reason);
      });
    });
    abandon ??= (error) => dialled?.abandon(error);
    return pending;
  };
}

/** Asks a proxy for a tunnel to a target, on a connection that is open. */
function requestTunnel(
  socket: Socket,
  { hostname, port }: buildConnector.Options,
  proxy: Proxy,
  ms: number,
  done: (failure?: CrawlError) => void,
): void {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || '443'}`;
  const connecting = httpRequest({
    method: 'CONNECT',
    path: authority,
    createConnection: () => socket,
    headers: {
      host: authority,
      ...(proxy.authorization === undefined
        ? undefined
        : { 'proxy-authorization': proxy.authorization }),
    },
    // Ours is exact; this one is for connections that nobody waits for any more.
    timeout: Math.min(ms + 1_000, 2 ** 31 - 1),
  });
  const fail = (error: unknown, status?: number): void => {
    socket.on('error', () => undefined).destroy();
    done(proxyFailed(proxy, error, status));
  };
  connecting.on('timeout', () => connecting.destroy(new Error('no answer to CONNECT')));
  connecting.once('error', (error) => fail(error));
  connecting.once('connect', ({ statusCode = 0 }, _socket, head) => {
    if (statusCode < 200 || statusCode > 299) {
      fail(new Error(`answered CONNECT with ${statusCode}`), statusCode);
      return;
    }
    socket.setTimeout(0);
    if (head.length > 0) socket.unshift(head);
    done();
  });
  connecting.end();
}

function proxyFailed({ host }: Proxy, cause: unknown, status?: number): CrawlError {
  const why = cause instanceof Error ? ('code' in cause ? cause.code : cause.message) : cause;
  return new CrawlError('proxy-failed', `${host}: the proxy failed (${String(why)})`, {
    cause,
    ...(status === undefined ? undefined : { detail: { 'proxy-status': status } }),
  });
}
