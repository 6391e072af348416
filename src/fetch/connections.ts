import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';

/** What {@link UndiciFetcherOptions.connect} takes: options of Node's `net.connect` and `tls.connect`. */
export interface ConnectExtras extends Omit<
  ConnectionOptions,
  'host' | 'port' | 'path' | 'socket' | 'servername' | 'session' | 'ALPNProtocols' | 'timeout'
> {
  /**
   * Replaces the resolver, and judges addresses: what it calls back with an error fails the
   * request with that error. Not called for hosts that are IP addresses already.
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
  /** What it waits for. */
  readonly stage: 'dns' | 'connect' | 'tls';
  /** Gives it up; the exchange fails with the error. */
  abandon(error: Error): void;
}

/** An exchange, as far as its connection is concerned. */
export interface ConnectionUser extends Dispatcher.DispatchHandler {
  readonly origin: string;
  pending: PendingConnection | undefined;
}

/** Where exchanges get their connections from. */
export interface Connections {
  dispatch(options: Dispatcher.DispatchOptions, exchange: ConnectionUser): void;
  /** The exchange has its connection, or needs none any more. */
  leave(exchange: ConnectionUser): void;
  /** The error of a socket, while its listeners run; see {@link ownConnections}. */
  readonly socketError: Error | undefined;
  close(): void;
}

/** What {@link ownConnections} takes. */
export interface OwnConnectionOptions {
  readonly connect: ConnectExtras;
  readonly connectMs: number;
  readonly maxHeaderBytes: number;
  /** Lower-case host names whose certificates are not checked. */
  readonly insecureHosts: ReadonlySet<string>;
}

/** Kept connections are closed by us before most servers do so, or a request could run into that. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 60_000;

/**
 * Connections of our own: an undici `Agent`, made at the first exchange and again after `close()`.
 *
 * The connector is undici's, watched for what undici does not tell or do:
 * - Which connection is being made for which exchange. undici connects while `dispatch()` runs,
 *   so whoever dispatches is whom it is for. A cancelled exchange gives up its handshake at once
 *   instead of leaving it until its time is over.
 * - Whether a handshake hangs in DNS, TCP or TLS.
 * - Whether a body that ends with its connection was cut: undici takes a reset for its end.
 * - When a request is aborted, undici connects anew for it and then finds that there is nothing to
 *   send. No connection is opened that nobody waits for.
 */
export function ownConnections(options: OwnConnectionOptions): Connections {
  let agent: Agent | undefined;
  let dispatching: ConnectionUser | undefined;
  let socketError: Error | undefined;
  const waiting = new Set<ConnectionUser>();

  const isAwaited = ({ protocol, host }: buildConnector.Options): boolean => {
    for (const { origin } of waiting) if (origin === `${protocol}//${host}`) return true;
    return false;
  };
  const connectorFor = (checkCertificates: boolean): Connector =>
    buildConnector({
      ...options.connect,
      ...(checkCertificates ? undefined : { rejectUnauthorized: false }),
      allowH2: false,
      // Our own timer is exact; this one is for connections that are made anew behind our back.
      timeout: Math.min(options.connectMs + 1_000, 2 ** 31 - 1),
    });
  const checked = connectorFor(true);
  const unchecked = options.insecureHosts.size === 0 ? checked : connectorFor(false);

  const connect: buildConnector.connector = (target, callback) => {
    if (dispatching === undefined && !isAwaited(target)) {
      queueMicrotask(() => callback(new Error('nobody waits for this connection'), null));
      return;
    }
    const connector = options.insecureHosts.has(target.hostname) ? unchecked : checked;
    const socket = connector(target, callback);
    if (!isSocket(socket)) return;
    socket.on('error', (error: Error) => {
      socketError = error;
      queueMicrotask(() => (socketError = undefined));
    });
    if (dispatching !== undefined) dispatching.pending = pendingConnection(socket, target);
  };

  return {
    get socketError() {
      return socketError;
    },
    dispatch(dispatchOptions, exchange) {
      agent ??= new Agent({
        connect,
        allowH2: false,
        pipelining: 1,
        maxHeaderSize: options.maxHeaderBytes,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      });
      const outer = dispatching;
      dispatching = exchange;
      waiting.add(exchange);
      try {
        agent.dispatch(dispatchOptions, exchange);
      } finally {
        dispatching = outer;
      }
    },
    leave: (exchange) => waiting.delete(exchange),
    close() {
      const closing = agent;
      agent = undefined;
      // Running exchanges end first. It fails only if it is closed already.
      closing?.close().catch(() => undefined);
    },
  };
}

/** Connections of a dispatcher that belongs to somebody else; it is never closed. */
export function foreignConnections(dispatcherFor: () => Dispatcher): Connections {
  return {
    socketError: undefined,
    dispatch(options, exchange) {
      dispatcherFor().dispatch(options, exchange);
    },
    leave: () => undefined,
    close: () => undefined,
  };
}

/** undici's connector returns its socket, which its types do not say. */
type Connector = (options: buildConnector.Options, callback: buildConnector.Callback) => unknown;

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'connecting' in value && 'destroy' in value;
}

function pendingConnection(socket: Socket, target: buildConnector.Options): PendingConnection {
  const pending = {
    stage: isIP(target.hostname) === 0 ? 'dns' : 'connect',
    abandon: (error: Error) => void socket.destroy(error),
  } as { stage: PendingConnection['stage']; abandon: PendingConnection['abandon'] };
  socket.once('lookup', () => (pending.stage = 'connect'));
  if (target.protocol === 'https:') socket.once('connect', () => (pending.stage = 'tls'));
  return pending;
}
