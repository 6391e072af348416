import {
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { makeCertificate } from './certificates.js';
import { authority } from './tls-server.js';

export interface Http2Server {
  readonly origin: string;
  readonly requests: readonly IncomingHttpHeaders[];
  readonly sessions: { made: number; open: number };
  /** Streams that the client has reset. */
  readonly cancelled: { count: number };
  close(): Promise<void>;
}

/**
 * Starts a server on loopback that speaks HTTP/2 to who can, and HTTP/1.1 to others. The path
 * says what it does: `/ok`, `/gzip`, `/cookies`, `/redirect`, `/reset` (before the head),
 * `/cut` and `/drop` (within the body), `/short` (shorter than announced), `/away`, `/head` (a large one),
 * `/large`, `/slow`, `/silent`.
 */
export async function startHttp2Server(): Promise<Http2Server> {
  const requests: IncomingHttpHeaders[] = [];
  const sessions = { made: 0, open: 0 };
  const cancelled = { count: 0 };
  const sockets = new Set<Socket>();
  const server = createSecureServer({
    ...makeCertificate({ name: 'localhost', hosts: ['localhost', '127.0.0.1'], issuer: authority }),
    allowHTTP1: true,
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    sessions.made++;
    sessions.open++;
    session.on('error', () => undefined);
    session.on('close', () => sessions.open--);
  });
  server.on('request', (incoming, outgoing) => {
    if (incoming.httpVersionMajor === 1) outgoing.end('one');
  });
  server.on('stream', (stream, headers) => {
    requests.push(headers);
    stream.on('error', () => undefined);
    stream.on('aborted', () => cancelled.count++);
    answer(stream, headers[':path'] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sessions,
    cancelled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function answer(stream: ServerHttp2Stream, path: string): void {
  switch (path) {
    case '/gzip':
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
      stream.end(gzipSync('unpacked'));
      break;
    case '/cookies':
      stream.respond({ ':status': 200, 'set-cookie': ['a=1', 'b=2'], 'x-a': 'é' });
      stream.end('x');
      break;
    case '/redirect':
      stream.respond({ ':status': 302, location: '/ok' });
      stream.end();
      break;
    case '/reset':
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      break;
    case '/cut':
      stream.respond({ ':status': 200, 'content-length': 100 });
      stream.write('half', () =>
        setTimeout(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 20),
      );
      break;
    case '/drop':
      stream.respond({ ':status': 200 });
      stream.write('half', () => setTimeout(() => stream.session?.destroy(), 20));
      break;
    case '/short':
      stream.respond({ ':status': 200, 'content-length': 100 });
      stream.end('half');
      break;
    case '/away':
      stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      stream.session?.destroy();
      break;
    case '/head': {
      const head: OutgoingHttpHeaders = { ':status': 200 };
      for (let index = 0; index < 40; index++) head[`x-${index}`] = 'y'.repeat(500);
      stream.respond(head);
      stream.end('x');
      break;
    }
    case '/large':
      stream.respond({ ':status': 200 });
      stream.end(Buffer.alloc(5_000_000));
      break;
    case '/slow':
      setTimeout(() => {
        if (stream.destroyed) return;
        stream.respond({ ':status': 200 });
        stream.end('slow');
      }, 100);
      break;
    case '/silent':
      break;
    default:
      stream.respond({ ':status': 200 });
      stream.end('two');
  }
}
