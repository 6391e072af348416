import { createServer, request as httpRequest, type IncomingHttpHeaders, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { type Certificate, makeCertificate } from './certificates.js';

/** One request that a proxy was asked to pass on, or a tunnel. */
export interface ProxiedRequest {
  readonly method: string;
  /** The whole URL, or `host:port` for a tunnel. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ProxyServer {
  /** `http://127.0.0.1:PORT`, or `https:`. */
  readonly origin: string;
  /** The same with user information. */
  withCredentials(pair: string): string;
  readonly requests: readonly ProxiedRequest[];
  /** Connections so far, and those that are open. */
  readonly connections: { made: number; open: number };
  close(): Promise<void>;
}

export interface ProxyServerOptions {
  /** Pair that it asks for: `user:password`. */
  readonly credentials?: string;
  /** Speaks TLS; the certificate is signed by this authority. */
  readonly issuer?: Certificate;
  /** `silent` never answers, `refuses` with 502, `cuts` closes after the request. */
  readonly fault?: 'silent' | 'refuses' | 'cuts' | undefined;
  /** Every name leads to this port on loopback, as in a network of its own. */
  readonly leadsTo?: number;
}

/** Starts a forward proxy on loopback: whole URLs for plain HTTP, tunnels for the rest. */
export async function startProxy(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const { credentials, issuer, fault, leadsTo } = options;
  const requests: ProxiedRequest[] = [];
  const connections = { made: 0, open: 0 };
  const sockets = new Set<Socket>();
  const expected =
    credentials === undefined
      ? undefined
      : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
  const server: Server =
    issuer === undefined
      ? createServer()
      : createTlsServer(
          makeCertificate({ name: 'proxy', hosts: ['localhost', '127.0.0.1'], issuer }),
        );

  server.on('connection', (socket: Socket) => {
    connections.made++;
    connections.open++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      connections.open--;
      sockets.delete(socket);
    });
  });
  server.on('request', (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    requests.push({ method, target: url, headers });
    if (fault === 'silent') return;
    if (fault === 'cuts') {
      incoming.socket.destroy();
      return;
    }
    if (expected !== undefined && headers['proxy-authorization'] !== expected) {
      outgoing.writeHead(407, { 'proxy-authenticate': 'Basic realm="test"' }).end('who are you?');
      return;
    }
    const target = new URL(url);
    const passed = { ...headers };
    delete passed['proxy-authorization'];
    const onward = httpRequest(
      {
        host: '127.0.0.1',
        port: leadsTo ?? target.port,
        path: target.pathname + target.search,
        method,
        headers: passed,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket: Socket) => {
    const { url = '', headers } = incoming;
    requests.push({ method: 'CONNECT', target: url, headers });
    socket.on('error', () => socket.destroy());
    if (fault === 'silent') {
      // Or it would not see that the client has gone.
      socket.resume().on('end', () => socket.end());
      return;
    }
    if (fault === 'cuts') {
      socket.destroy();
      return;
    }
    if (fault === 'refuses') {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    if (expected !== undefined && headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(
      leadsTo ?? Number(url.slice(url.lastIndexOf(':') + 1)),
      '127.0.0.1',
      () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      },
    );
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
    onward.on('close', () => {
      sockets.delete(onward);
      socket.destroy();
    });
    socket.on('close', () => onward.destroy());
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scheme = issuer === undefined ? 'http' : 'https';
  return {
    origin: `${scheme}://${host}`,
    withCredentials: (pair) => `${scheme}://${pair}@${host}`,
    requests,
    connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
