import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { makeCertificate } from './certificates.js';
import { authority } from './tls-server.js';

/** An HTTP/2 frame of the first stream, or of the connection (RFC 9113 §4.1). */
export function frame(type: number, flags: number, stream: 0 | 1, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));
const PREFACE_BYTES = 24;
const BLOCK_BYTES = 65_536;

export interface Http2Flood {
  readonly origin: string;
  readonly sent: { bytes: number };
  close(): Promise<void>;
}

/** Starts a server that answers the first request with `first`, and then with `again` for ever. */
export async function startHttp2Flood(first: Uint8Array, again: Uint8Array): Promise<Http2Flood> {
  const sent = { bytes: 0 };
  const sockets = new Set<TLSSocket>();
  const block = Buffer.concat(
    Array.from({ length: Math.ceil(BLOCK_BYTES / again.length) }, () => again),
  );
  const flood = (socket: TLSSocket): void => {
    if (socket.destroyed) return;
    sent.bytes += block.length;
    socket.write(block, () => setImmediate(flood, socket));
  };
  const options = makeCertificate({ name: 'localhost', hosts: ['127.0.0.1'], issuer: authority });
  const server = createServer({ ...options, ALPNProtocols: ['h2'] }, (socket) => {
    let received = Buffer.alloc(0);
    let hasAnswered = false;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      if (hasAnswered || !hasHeaders(received.subarray(PREFACE_BYTES))) return;
      hasAnswered = true;
      socket.write(Buffer.concat([SETTINGS, first]));
      flood(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Whether one of the frames begins a request. */
function hasHeaders(frames: Buffer): boolean {
  for (let at = 0; at + 9 <= frames.length; at += 9 + frames.readUIntBE(at, 3)) {
    if (frames[at + 3] === 1) return true;
  }
  return false;
}
