import type { LookupFunction, Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import { Roster, type RosterMember } from '../core/roster.js';
import { crawlError } from './classify-error.js';
import { type AnswerReader, watchAnswers } from './watch-answers.js';
import { watchFraming } from './watch-framing.js';

/** What {@link UndiciFetcherOptions.connect} takes: options of Node's `net.connect` and `tls.connect`. */
export interface ConnectExtras extends Omit<
  ConnectionOptions,
  'host' | 'port' | 'path' | 'socket' | 'servername' | 'session' | 'ALPNProtocols' | 'timeout'
> {
  /**
   * Replaces the resolver, and judges addresses: what it calls back with an error fails the
   * request with that error. Not called for hosts that are IP addresses already, nor for
   * requests that go through a proxy, which looks hosts up itself.
   */
  readonly lookup?: LookupFunction;
  /** Try all addresses of a host in turn (RFC 8305). Default `true`. */
  readonly autoSelectFamily?: boolean;
  /** Time for each of them, ms. Default 250. */
  readonly autoSelectFamilyAttemptTimeout?: number;
  /** Local address to connect from. */
  readonly localAddress?: string;
  /** 4 or 6 to use only that family. */
  readonly family?: number;
}

/** A connection that is being made for one exchange. */
export interface PendingConnection {
  /** What it waits for; `proxy` is all that comes before the way through a proxy is open. */
  readonly stage: 'dns' | 'connect' | 'tls' | 'proxy';
  /** Gives it up; the exchange fails with the error. */
  abandon(error: Error): void;
}

/** An exchange, as far as its connection is concerned. */
export interface ConnectionUser extends Dispatcher.DispatchHandler, AnswerReader, RosterMember {
  readonly origin: string;
  /** What it is being connected to: its origin, or that of a proxy. */
  connectsTo: string;
  pending: PendingConnection | undefined;
}

/** What is sent: undici's options, with the header fields as a flat list. */
export interface Dispatched extends Dispatcher.DispatchOptions {
  readonly origin: string;
  readonly headers: string[];
}

/** Where exchanges get their connections from. */
export interface Connections {
  /** Whether the next server on the way is a proxy. */
  readonly viaProxy: boolean;
  dispatch(options: Dispatched, exchange: ConnectionUser): void;
  /** The request of the exchange is written next, in the same turn. */
  send(exchange: ConnectionUser): void;
  /** The exchange has its connection, or needs none any more. */
  leave(exchange: ConnectionUser): void;
  /** The answer of the exchange has begun, or more of its body has come. */
  progressed(exchange: ConnectionUser): void;
  /** The error of a socket, while its listeners run; see {@link ownConnections}. */
  readonly socketError: Error | undefined;
  close(): void;
}

/** Opens a connection as undici's connectors do; the result can be given up meanwhile. */
export type OpenConnection = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
) => PendingConnection | undefined;

/** What all connections of a fetcher have in common. */
export interface PoolOptions {
  readonly connect: ConnectExtras;
  readonly connectMs: number;
  readonly maxHeaderBytes: number;
  /** Lower-case host names whose certificates are not checked. */
  readonly insecureHosts: ReadonlySet<string>;
  /** Whether a server may choose HTTP/2. */
  readonly http2: boolean;
}

/** Kept connections are closed by us before most servers do so, or a request could run into that. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 60_000;
/** What may come beside heads and bodies: blank lines, sizes of chunks and their extensions, frames. */
export const FRAMING_BYTES = 1_048_576;
/** Interim answers to one request. */
export const MAX_INTERIM = 64;
/** Exchanges at once on an HTTP/2 connection; a server may allow fewer. */
const MAX_STREAMS = 100;

/**
 * Connections of our own: an undici `Agent`, made at the first exchange and again after `close()`.
 *
 * Connections are opened by undici's connector, watched for what undici does not tell or do:
 * - Which connection is being made for which exchange. undici connects while `dispatch()` runs,
 *   so whoever dispatches is whom it is for. A cancelled exchange gives up its handshake at once
 *   instead of leaving it until its time is over.
 * - Whether a body that ends with its connection was cut: undici takes a reset for its end.
 * - An interim `100 Continue`, and how much has come before it is parsed, see {@link watchAnswers};
 *   over HTTP/2, how much has come in vain, see {@link watchFraming}.
 * - When a request is aborted, undici connects anew for it and then finds that there is nothing to
 *   send. No connection is opened that nobody waits for.
 */
export function ownConnections(
  { maxHeaderBytes, http2 }: PoolOptions,
  open: OpenConnection,
): Connections {
  let agent: Agent | undefined;
  let dispatching: ConnectionUser | undefined;
  let socketError: Error | undefined;
  let opened: Socket | TLSSocket | null = null;
  const waiting = new Roster<ConnectionUser>();
  let sending: ConnectionUser | undefined;
  const takeSending = (): ConnectionUser | undefined => {
    const exchange = sending;
    sending = undefined;
    return exchange;
  };

  const isAwaited = ({ protocol, host }: buildConnector.Options): boolean =>
    waiting.some(({ connectsTo }) => connectsTo === `${protocol}//${host}`);

  const framing = watchFraming(FRAMING_BYTES + MAX_INTERIM * maxHeaderBytes);
  const watchHttp2 = ({ protocol, host }: buildConnector.Options, socket: Socket): void => {
    const origin = `${protocol}//${host}`;
    framing.add(origin, socket, (seen) =>
      crawlError(
        'protocol-error',
        origin,
        { detail: { seen } },
        'frames without an answer in them',
      ),
    );
  };

  const connect: buildConnector.connector = (target, callback) => {
    if (dispatching === undefined && !isAwaited(target)) {
      queueMicrotask(() => callback(new Error('nobody waits for this connection'), null));
      return;
    }
    const pending = open(target, (...result) => {
      // Beside an error undici gives none at all, whatever its types say.
      const socket: Socket | null | undefined = result[1];
      opened = socket ?? null;
      if (opened !== null && speaksHttp2(opened)) watchHttp2(target, opened);
      else if (opened !== null) watchAnswers(opened, takeSending);
      opened?.on('error', (error: Error) => {
        socketError = error;
        queueMicrotask(() => (socketError = undefined));
      });
      callback(...result);
    });
    if (dispatching !== undefined) dispatching.pending = pending;
  };

  // Told by undici while the callback above runs. For HTTP/2 it takes `pipelining` for the number
  // of streams, but one and the same client may speak HTTP/1.1 the next time.
  const allowStreams = (_origin: URL, targets: readonly Dispatcher[]): void => {
    const client = targets.at(-1);
    if (!http2 || !(client instanceof Client)) return;
    client.pipelining = opened !== null && speaksHttp2(opened) ? MAX_STREAMS : 1;
  };

  return {
    viaProxy: false,
    get socketError() {
      return socketError;
    },
    dispatch(options, exchange) {
      agent ??= new Agent({
        connect,
        allowH2: http2,
        pipelining: 1,
        maxHeaderSize: maxHeaderBytes,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      }).on('connect', allowStreams);
      const outer = dispatching;
      dispatching = exchange;
      exchange.connectsTo = options.origin;
      waiting.add(exchange);
      try {
        agent.dispatch(options, exchange);
      } finally {
        dispatching = outer;
      }
    },
    send: (exchange) => (sending = exchange),
    leave: (exchange) => waiting.delete(exchange),
    progressed: ({ origin }) => framing.progressed(origin),
    close() {
      const closing = agent;
      agent = undefined;
      // Running exchanges end first. It fails only if it is closed already.
      closing?.close().catch(() => undefined);
    },
  };
}

function speaksHttp2(socket: Socket | TLSSocket): boolean {
  return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
}

/** Connections of a dispatcher that belongs to somebody else; it is never closed. */
export function foreignConnections(dispatcherFor: () => Dispatcher): Connections {
  return {
    viaProxy: false,
    socketError: undefined,
    dispatch(options, exchange) {
      dispatcherFor().dispatch(options, exchange);
    },
    send: () => undefined,
    leave: () => undefined,
    progressed: () => undefined,
    close: () => undefined,
  };
}
