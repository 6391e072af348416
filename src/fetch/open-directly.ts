import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { OpenConnection, PendingConnection, PoolOptions } from './connections.js';

/** undici's connector returns its socket, which its types do not say. */
export type Connector = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => unknown;

/** Makes connectors: one that checks certificates, and one for the hosts where it does not. */
export function connectors(
  { connect, connectMs, insecureHosts, http2 }: PoolOptions,
  overrides: Partial<buildConnector.BuildOptions> = {},
): (hostname: string) => Connector {
  const connectorFor = (checkCertificates: boolean): Connector =>
    buildConnector({
      ...connect,
      ...(checkCertificates ? undefined : { rejectUnauthorized: false }),
      allowH2: http2,
      // Our own timer is exact; this one is for connections that are made anew behind our back.
      timeout: Math.min(connectMs + 1_000, 2 ** 31 - 1),
      ...overrides,
    });
  const checked = connectorFor(true);
  const unchecked = insecureHosts.size === 0 ? checked : connectorFor(false);
  return (hostname) => (insecureHosts.has(hostname) ? unchecked : checked);
}

/** Opens connections straight to their servers, and tells whether DNS, TCP or TLS takes so long. */
export function openDirectly(options: PoolOptions): OpenConnection {
  const connectorFor = connectors(options);
  return (target, callback) => {
    const socket = connectorFor(target.hostname)(target, callback);
    return isSocket(socket) ? pendingConnection(socket, target) : undefined;
  };
}

/** Whether what a connector returns is its socket. */
export function isSocket(value: unknown): value is Socket {
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
