import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BODIES } from './behaviours/bodies.js';
import { CONNECTIONS } from './behaviours/connections.js';
import { HEADS } from './behaviours/heads.js';
import { REDIRECTS } from './behaviours/redirects.js';
import { SITE } from './behaviours/site.js';
import { SPEED } from './behaviours/speed.js';

/** One request head as it came, and when. */
export interface LoggedRequest {
  /** Number of its connection, from 1. */
  readonly connection: number;
  /** `performance.now()` when the head was complete. */
  readonly at: number;
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  /** Names lower case, in order, as sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The head up to and with its blank line, Latin-1. */
  readonly head: string;
  /** What came after the head, as far as `content-length` goes. */
  body: Buffer;
}

/** One connection. */
export interface LoggedConnection {
  readonly id: number;
  readonly openedAt: number;
  closedAt: number | undefined;
  bytesIn: number;
  bytesOut: number;
}

/** What a server has seen so far. */
export interface FaultLog {
  readonly connections: LoggedConnection[];
  readonly requests: LoggedRequest[];
  /** Most connections that were open at once. */
  mostOpen: number;
}

/** What a behaviour works with. */
export interface Exchange {
  readonly socket: Socket;
  readonly request: LoggedRequest;
  /** Path and query of the request. */
  readonly url: URL;
  /** How many requests had this very target before. */
  readonly seenBefore: number;
  /** A number from the query. */
  number(name: string, otherwise: number): number;
  /** Writes, and waits until the client takes it. `false` once the connection is gone. */
  send(data: string | Uint8Array): Promise<boolean>;
  /** Waits. `false` once the connection is gone. */
  wait(ms: number): Promise<boolean>;
  /** A whole answer with `content-length`; the connection stays open. */
  answer(body: string | Uint8Array, lines?: readonly string[], status?: string): Promise<boolean>;
  /** Closes with FIN. */
  end(): void;
  /** Closes with RST. */
  reset(): void;
}

/** What the server does after the head of a request. All loops in it must be bounded. */
export type Behaviour = (exchange: Exchange) => Promise<unknown>;

export type Behaviours = Readonly<Record<string, Behaviour>>;

export interface FaultServerOptions {
  /** Further behaviours; they win over the built-in ones of the same name. */
  readonly behaviours?: Behaviours;
  /** Acts before any request; `true` if the connection is then done with. */
  readonly onConnection?: (socket: Socket) => boolean;
}

export interface FaultServer {
  readonly port: number;
  readonly log: FaultLog;
  /** URL of a behaviour: `url('drip-body?ms=100')`. */
  url(behaviour: string): string;
  /** Resolves when `condition` holds; fails after `ms`. */
  until(condition: () => boolean, ms?: number): Promise<void>;
  close(): Promise<void>;
}

/** All behaviours by name, which is the first segment of the path. */
export const BEHAVIOURS: Behaviours = {
  ...CONNECTIONS,
  ...SPEED,
  ...HEADS,
  ...BODIES,
  ...REDIRECTS,
  ...SITE,
};

/**
 * Starts a raw TCP server on loopback that misbehaves on request: `http://127.0.0.1:PORT/NAME`
 * does what the behaviour NAME says. To add one, put a function into a table in `behaviours/`, or
 * pass it in. `robots.txt` and other plain paths can be behaviours, too.
 */
export async function startFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const behaviours = { ...BEHAVIOURS, ...options.behaviours };
  const log: FaultLog = { connections: [], requests: [], mostOpen: 0 };
  const open = new Set<Socket>();
  const seen = new Map<string, number>();

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const record: LoggedConnection = {
      id: log.connections.length + 1,
      openedAt: performance.now(),
      closedAt: undefined,
      bytesIn: 0,
      bytesOut: 0,
    };
    log.connections.push(record);
    open.add(socket);
    log.mostOpen = Math.max(log.mostOpen, open.size);
    // Clients of a misbehaving server reset their connections all the time.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => {
      if (!socket.writableEnded) socket.end();
    });
    socket.on('close', () => {
      open.delete(socket);
      record.closedAt = performance.now();
      record.bytesIn = socket.bytesRead;
      record.bytesOut = socket.bytesWritten;
    });
    if (options.onConnection?.(socket) !== true) serve(socket, record.id);
  });

  function serve(socket: Socket, id: number): void {
    let input = Buffer.alloc(0);
    let current: LoggedRequest | undefined;
    socket.on('data', (data) => {
      input = Buffer.concat([input, data]);
      if (current !== undefined) {
        const missing = bodyLength(current) - current.body.length;
        current.body = Buffer.concat([current.body, input.subarray(0, missing)]);
        input = input.subarray(Math.max(0, missing));
      }
      const end = input.indexOf('\r\n\r\n');
      if (end < 0) {
        if (input.length > 1_000_000) socket.destroy();
        return;
      }
      current = parseHead(input.subarray(0, end + 4).toString('latin1'), id);
      input = input.subarray(end + 4);
      const length = Math.min(input.length, bodyLength(current));
      current.body = input.subarray(0, length);
      input = input.subarray(length);
      log.requests.push(current);
      const seenBefore = seen.get(current.target) ?? 0;
      seen.set(current.target, seenBefore + 1);
      void run(socket, current, seenBefore);
    });
  }

  async function run(socket: Socket, request: LoggedRequest, seenBefore: number): Promise<void> {
    const url = new URL(`http://127.0.0.1${request.target.replace(/^\/{2,}/, '/')}`);
    const exchange = exchangeOn(socket, request, url, seenBefore);
    const name = url.pathname.split('/')[1] ?? '';
    const behaviour = Object.hasOwn(behaviours, name) ? behaviours[name] : undefined;
    if (behaviour === undefined) await exchange.answer(`no behaviour ${name}`, [], '404 Not Found');
    else await behaviour(exchange);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 511, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    log,
    url: (behaviour) => `http://127.0.0.1:${port}/${behaviour}`,
    until: (condition, ms) => until(condition, ms),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Resolves when `condition` holds; looks every 2 ms; fails after `ms`. */
export async function until(condition: () => boolean, ms = 2_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not so within ${ms} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function parseHead(head: string, connection: number): LoggedRequest {
  const [first = '', ...lines] = head.split('\r\n').filter((line) => line !== '');
  const [method = '', target = ''] = first.split(' ');
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const at = performance.now();
  return { connection, at, method, target, headers, head, body: Buffer.alloc(0) };
}

function bodyLength(request: LoggedRequest): number {
  return Number(request.headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
}

function exchangeOn(
  socket: Socket,
  request: LoggedRequest,
  url: URL,
  seenBefore: number,
): Exchange {
  const gone = (): boolean => socket.destroyed || !socket.writable;
  const send = (data: string | Uint8Array): Promise<boolean> => {
    if (gone()) return Promise.resolve(false);
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    return new Promise((resolve) => socket.write(bytes, (error) => resolve(!error && !gone())));
  };
  return {
    socket,
    request,
    url,
    seenBefore,
    send,
    number: (name, otherwise) => Number(url.searchParams.get(name) ?? otherwise),
    wait: (ms) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          socket.off('close', done);
          resolve(!gone());
        };
        const timer = setTimeout(done, ms);
        socket.on('close', done);
      }),
    answer: (body, lines = [], status = '200 OK') => {
      const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
      const head = [
        `HTTP/1.1 ${status}`,
        ...(lines.some((line) => /^content-type:/i.test(line))
          ? []
          : ['Content-Type: text/html; charset=utf-8']),
        ...lines,
        `Content-Length: ${bytes.length}`,
        '',
        '',
      ].join('\r\n');
      const whole = request.method === 'HEAD' ? [] : [bytes];
      return send(Buffer.concat([Buffer.from(head, 'latin1'), ...whole]));
    },
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  };
}
