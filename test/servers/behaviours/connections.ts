import type { Behaviours } from '../fault-server.js';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

/** Connections that end, hang or go on when they should not. */
export const CONNECTIONS: Behaviours = {
  /** An ordinary page. */
  ok: (x) => x.answer('<p>ok</p>'),

  /** Takes the request and closes without a byte. */
  'close-at-once': async (x) => x.end(),

  /** Takes the request and says nothing for `ms`. */
  silent: (x) => x.wait(x.number('ms', 60_000)),

  'reset-after-request': async (x) => x.reset(),

  /** RST in the head. */
  'reset-in-head': async (x) => {
    await x.send('HTTP/1.1 200 OK\r\nContent-Ty');
    await x.wait(20);
    x.reset();
  },

  /** RST in a body with a length. */
  'reset-in-body': async (x) => {
    await x.send(`${HEAD}Content-Length: 1000\r\n\r\nhalf of it`);
    await x.wait(20);
    x.reset();
  },

  /** RST in a body that would end with its connection. */
  'reset-in-open-body': async (x) => {
    await x.send(`${HEAD}Connection: close\r\n\r\nhalf of it`);
    await x.wait(20);
    x.reset();
  },

  /** FIN in the head. */
  'close-in-head': async (x) => {
    await x.send('HTTP/1.1 200 OK\r\nContent-Ty');
    x.end();
  },

  /** FIN in a body with a length. */
  'close-in-body': async (x) => {
    await x.send(`${HEAD}Content-Length: 1000\r\n\r\nhalf of it`);
    x.end();
  },

  /** Closes its own side in a body of `length` (none: it ends there), and waits for ever for the other. */
  'half-close': async (x) => {
    const length = x.url.searchParams.get('length');
    await x.send(`${HEAD}${length === null ? '' : `Content-Length: ${length}\r\n`}\r\nhalf of it`);
    x.end();
  },

  /** Answers, and closes the kept connection at the moment when the next request comes. */
  'close-on-reuse': async (x) => {
    const first = x.socket.bytesWritten === 0;
    if (first) await x.answer('first');
    else x.end();
  },

  /** Says that it closes, and does not. */
  'close-ignored': (x) => x.answer('still open', ['Connection: close']),

  /** A second answer right behind the first. */
  'two-answers': (x) =>
    x.send(`${HEAD}Content-Length: 5\r\n\r\nfirst${HEAD}Content-Length: 6\r\n\r\nsecond`),

  /** Answers before the body of the request has come, and closes. */
  'answer-early': async (x) => {
    await x.answer('too much', ['Connection: close'], '413 Content Too Large');
    x.end();
  },

  /** An answer that nobody asked for, on the kept connection, `ms` after the one that was. */
  'unasked-answer': async (x) => {
    await x.answer('asked');
    await x.wait(x.number('ms', 5));
    await x.send(`${HEAD}Content-Length: 6\r\n\r\nforged`);
  },

  /** Closes its own side, and still answers: the client must not have sent FIN before. */
  'answer-after-wait': async (x) => {
    await x.wait(x.number('ms', 50));
    await x.answer('late');
  },
};
