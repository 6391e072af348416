import type { Behaviours } from '../fault-server.js';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
/** Upper bound of all loops here. */
const ROUNDS = 2_000;

/** Senders that are slow, stop, or do not stop. */
export const SPEED: Behaviours = {
  /** The head, one byte each `ms`. */
  'drip-head': async (x) => {
    const head = `${HEAD}X-Pad: ${'x'.repeat(ROUNDS)}\r\nContent-Length: 2\r\n\r\nok`;
    for (const byte of head)
      if (!(await x.send(byte)) || !(await x.wait(x.number('ms', 100)))) return;
  },

  /** The body, `bytes` each `ms`, for `rounds`. */
  'drip-body': async (x) => {
    const bytes = x.number('bytes', 1);
    const rounds = Math.min(ROUNDS, x.number('rounds', ROUNDS));
    await x.send(`${HEAD}Content-Length: ${rounds * bytes}\r\n\r\n`);
    for (let round = 0; round < rounds; round++) {
      if (!(await x.send('x'.repeat(bytes))) || !(await x.wait(x.number('ms', 100)))) return;
    }
  },

  /** Fast at first, then 10 bytes a second. */
  'fast-then-slow': async (x) => {
    await x.send(`${HEAD}Content-Length: 100000\r\n\r\n${'x'.repeat(50_000)}`);
    for (let round = 0; round < ROUNDS; round++) {
      if (!(await x.send('x')) || !(await x.wait(100))) return;
    }
  },

  /** Half of the body, then nothing. */
  stall: async (x) => {
    await x.send(`${HEAD}Content-Length: 1000\r\n\r\n${'x'.repeat(500)}`);
    await x.wait(60_000);
  },

  /** The first byte after `ms`. */
  late: async (x) => {
    if (await x.wait(x.number('ms', 100))) await x.answer('late');
  },

  /** Pauses of different lengths between the parts of a body. */
  pauses: async (x) => {
    await x.send(`${HEAD}Content-Length: 50\r\n\r\n`);
    for (const ms of [1, 30, 5, 0, 60]) {
      if (!(await x.wait(ms)) || !(await x.send('0123456789'))) return;
    }
  },

  /** A body of `bytes` as fast as the client takes it. */
  big: async (x) => {
    const bytes = x.number('bytes', 1_000_000);
    await x.send(`${HEAD}Content-Length: ${bytes}\r\n\r\n`);
    const block = Buffer.alloc(65_536, 'x');
    for (let left = bytes; left > 0; left -= block.length) {
      if (!(await x.send(block.subarray(0, left)))) return;
    }
  },
};
