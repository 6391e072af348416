import type { Socket } from 'node:net';

/** Looks at the connections this often, ms. */
const EVERY_MS = 100;

/** Connections by what they lead to, with what had been read of each when an answer last went on. */
export interface FramingWatch {
  /**
   * Destroys a connection when more than the limit has come over it while no answer went on.
   *
   * @param overrun - makes the error that its exchanges end with
   */
  add(origin: string, socket: Socket, overrun: (seen: number) => Error): void;
  /** An answer of this origin went on. */
  progressed(origin: string): void;
}

/**
 * Watches HTTP/2 connections. nghttp2 gives up on floods of PING, SETTINGS, empty DATA and
 * CONTINUATION by itself, but takes interim answers, padding and frames of no use for as long as
 * they come: 10,000,000 interim answers cost 400 MB in 15 s. What comes is read by native code and
 * seen by nobody, so the count of bytes is looked at from time to time.
 *
 * @param limit - bytes
 */
export function watchFraming(limit: number): FramingWatch {
  const watched = new Map<string, Map<Socket, number>>();
  return {
    add(origin, socket, overrun) {
      const sockets = watched.get(origin) ?? new Map<Socket, number>();
      watched.set(origin, sockets.set(socket, socket.bytesRead));
      const timer = setInterval(() => {
        const seen = socket.bytesRead - (sockets.get(socket) ?? 0);
        if (seen > limit) socket.destroy(overrun(seen));
      }, EVERY_MS).unref();
      socket.once('close', () => {
        clearInterval(timer);
        sockets.delete(socket);
        if (sockets.size === 0 && watched.get(origin) === sockets) watched.delete(origin);
      });
    },
    progressed(origin) {
      const sockets = watched.get(origin);
      if (sockets === undefined) return;
      for (const socket of sockets.keys()) sockets.set(socket, socket.bytesRead);
    },
  };
}
