import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { until } from './fault-server.js';

/** One page of a site. Default: status 200, `text/html`. */
export interface SitePage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Time before the answer begins, ms. */
  readonly delayMs?: number;
}

/** Pages by path and query: `/`, `/list?page=2`; or a function. What is missing is a 404. */
export type SitePages =
  | ReadonlyMap<string, SitePage | string>
  | ((path: string, request: IncomingMessage) => SitePage | string | undefined);

/** One request that was answered, or is being answered. */
export interface SiteRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** `performance.now()` when its head was read. */
  readonly startedAt: number;
  /** When its answer was handed to the system; `undefined` before, and when the client left. */
  endedAt: number | undefined;
  /** Number of its connection, from 1. */
  readonly connection: number;
}

export interface SiteLog {
  readonly requests: SiteRequest[];
  /** Connections so far. */
  opened: number;
  /** Of these, the ones that were closed. */
  closed: number;
  /** Most requests that were being answered at once. */
  mostAtOnce: number;
}

export interface SiteServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly log: SiteLog;
  /** URL of a path that begins with `/`. */
  readonly url: (path: string) => string;
  /** Resolves when `condition` holds; fails after `ms`. */
  readonly until: (condition: () => boolean, ms?: number) => Promise<void>;
  close(): Promise<void>;
}

/** Starts a well-behaved site on loopback, for crawls in tests. */
export async function startSite(pages: SitePages): Promise<SiteServer> {
  const log: SiteLog = { requests: [], opened: 0, closed: 0, mostAtOnce: 0 };
  const connections = new WeakMap<Socket, number>();
  const timers = new Set<NodeJS.Timeout>();
  let atOnce = 0;

  const server = createServer((incoming, outgoing) => {
    const record: SiteRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      startedAt: performance.now(),
      endedAt: undefined,
      connection: connections.get(incoming.socket) ?? 0,
    };
    log.requests.push(record);
    log.mostAtOnce = Math.max(log.mostAtOnce, ++atOnce);
    outgoing.on('finish', () => (record.endedAt = performance.now()));
    outgoing.on('close', () => atOnce--);
    const found =
      typeof pages === 'function' ? pages(record.path, incoming) : pages.get(record.path);
    const page = typeof found === 'string' ? { body: found } : found;
    if (page?.delayMs === undefined || page.delayMs <= 0) {
      answer(outgoing, page);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      answer(outgoing, page);
    }, page.delayMs);
    timers.add(timer);
  });
  server.on('connection', (socket) => {
    connections.set(socket, ++log.opened);
    socket.on('close', () => log.closed++);
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 511, resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    log,
    url: (path) => origin + path,
    until: (condition, ms) => until(condition, ms),
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(outgoing: ServerResponse, page: SitePage | undefined): void {
  const { status = 200, headers = {}, body = '' } = page ?? { status: 404, body: 'not found' };
  outgoing.statusCode = status;
  outgoing.setHeader('content-type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  outgoing.end(body);
}
