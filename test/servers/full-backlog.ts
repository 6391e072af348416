import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** A server that is too busy to accept: the system holds some connections for it, and drops others. */
export interface FullBacklog {
  readonly port: number;
  /** From now on it accepts, and answers. */
  accept(): void;
  close(): Promise<void>;
}

/** Runs in a thread of its own, whose event loop stands still until it shall accept. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => response.end('late'));
  server.listen(0, '127.0.0.1', 1, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(workerData, 0, 0));
  });
`;
/** A connection to a place in the backlog opens at once. */
const SURELY_DROPPED_MS = 300;
const MOST_PLACES = 16;

/** Starts a server whose backlog is full; `undefined` where the system lets it be exceeded. */
export async function startFullBacklog(): Promise<FullBacklog | undefined> {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SERVER, { eval: true, workerData: flag });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const places: Socket[] = [];
  const accept = (): void => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    for (const socket of places) socket.destroy();
  };
  const close = async (): Promise<void> => {
    accept();
    await worker.terminate();
  };
  for (let n = 0; n < MOST_PLACES; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    places.push(socket);
    if (!(await opens(socket))) return { port, accept, close };
  }
  await close();
  return undefined;
}

function opens(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), SURELY_DROPPED_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
