import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { makeCertificate, makeRevocationList, type Certificate } from './certificates.js';

/** A server that answers every request over TLS with `ok`, or fails in the handshake. */
export interface TlsServer {
  readonly port: number;
  /** URL of the server by host name. */
  url(host?: string): string;
  /** Connections that are open now. */
  open(): number;
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

const DAY = 86_400_000;
/** Signs the good certificates. */
export const authority: Certificate = makeCertificate({ name: 'Test authority', authority: true });

/** PEM of the authority that signed the good certificates, for `connect: { ca }`. */
export const AUTHORITY: string = authority.cert;

const hosts = ['localhost', '127.0.0.1'];
const name = 'localhost';
const revoked = makeCertificate({ name, hosts, issuer: authority });
/** PEM of what that authority has revoked, for `connect: { crl }`. */
export const REVOKED: string = makeRevocationList(authority, [revoked]);

/** How a server fails. `good` does not. */
export type TlsFault =
  | 'good'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-host'
  | 'self-signed'
  | 'unknown-issuer'
  | 'revoked'
  | 'old-protocol'
  | 'plain-http'
  | 'closes'
  | 'silent'
  | 'rubbish';

/** Starts one on loopback. */
export function startTlsServer(fault: TlsFault): Promise<TlsServer> {
  switch (fault) {
    case 'closes':
      return listen(createServer((socket) => socket.on('data', () => socket.destroy())));
    case 'silent':
      return listen(createServer((socket) => socket.resume()));
    case 'plain-http':
      return listen(
        createServer((socket) =>
          socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
        ),
      );
    case 'rubbish':
      return listen(
        createServer((socket) => socket.on('data', () => socket.end(Buffer.alloc(99)))),
      );
    default:
      return listen(
        createTlsServer({ ...certificateFor(fault), ...protocolFor(fault) }, (socket) => {
          socket.on('error', () => socket.destroy());
          socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
        }),
      );
  }
}

function protocolFor(fault: TlsFault): TlsOptions {
  return fault === 'old-protocol'
    ? { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }
    : {};
}

function certificateFor(fault: TlsFault): Certificate {
  switch (fault) {
    case 'revoked':
      return revoked;
    case 'expired': {
      const [from, to] = [new Date(Date.now() - 9 * DAY), new Date(Date.now() - DAY)];
      return makeCertificate({ name, hosts, issuer: authority, from, to });
    }
    case 'not-yet-valid': {
      const [from, to] = [new Date(Date.now() + DAY), new Date(Date.now() + 9 * DAY)];
      return makeCertificate({ name, hosts, issuer: authority, from, to });
    }
    case 'wrong-host':
      return makeCertificate({ name: 'other', hosts: ['other.example'], issuer: authority });
    case 'self-signed':
      return makeCertificate({ name, hosts });
    case 'unknown-issuer': {
      const stranger = makeCertificate({ name: 'Stranger', authority: true });
      return makeCertificate({ name, hosts, issuer: stranger });
    }
    default:
      return makeCertificate({ name, hosts, issuer: authority });
  }
}

async function listen(server: Server): Promise<TlsServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (host = '127.0.0.1') => `https://${host}:${port}/`,
    open: () => sockets.size,
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
