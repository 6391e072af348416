import type { Behaviours } from '../fault-server.js';

/** Upper bound of the endless ones, bytes. */
const MOST = 50_000_000;

/** Heads that are too large, too many, or no heads. */
export const HEADS: Behaviours = {
  /** Sends `data` (base64) as it is, and closes. */
  raw: async (x) => {
    await x.send(Buffer.from(x.url.searchParams.get('data') ?? '', 'base64url'));
    await x.wait(x.number('ms', 0));
    x.end();
  },

  /** An ordinary answer with the status line `line`. Nobody may reuse a connection that closes. */
  status: async (x) => {
    await x.send(
      `HTTP/1.1 ${x.url.searchParams.get('line') ?? '200 OK'}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok`,
    );
    await x.wait(20);
    x.end();
  },

  /** One field of `bytes`. */
  'big-header': (x) => x.answer('ok', [`X-Big: ${'x'.repeat(x.number('bytes', 1_000_000))}`]),

  /** `lines` fields. */
  'many-headers': (x) =>
    x.answer(
      'ok',
      Array.from({ length: x.number('lines', 10_000) }, (_, index) => `X-${index}: y`),
    ),

  'endless-headers': async (x) => {
    await x.send('HTTP/1.1 200 OK\r\n');
    const block = 'X-More: and more\r\n'.repeat(1_000);
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  /** Blank lines before a head that does not come. */
  'blank-lines': async (x) => {
    const block = '\r\n'.repeat(32_768);
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  'endless-reason': async (x) => {
    await x.send('HTTP/1.1 200 ');
    const block = 'o'.repeat(65_536);
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  /** `count` interim answers of `status` before the answer. */
  interim: async (x) => {
    const interim = `HTTP/1.1 ${x.url.searchParams.get('status') ?? '103 Early Hints'}\r\nLink: </a.css>; rel=preload\r\n\r\n`;
    if (await x.send(interim.repeat(x.number('count', 1)))) await x.answer('after interim');
  },

  /** Switches protocols without being asked. */
  upgrade: (x) =>
    x.send(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nhi',
    ),

  /** `lines` of the query as they are, `%XX` undone to bytes. */
  headers: (x) => x.answer('ok', x.url.searchParams.getAll('line').map(utf8AsLatin1)),

  /** 200 cookies. */
  'many-cookies': (x) =>
    x.answer(
      'ok',
      Array.from({ length: x.number('count', 200) }, (_, index) => `Set-Cookie: c${index}=v`),
    ),

  /** What came in, as JSON. */
  echo: (x) =>
    x.answer(
      JSON.stringify({
        method: x.request.method,
        target: x.request.target,
        headers: x.request.headers,
        body: x.request.body.toString('utf8'),
      }),
      ['Content-Type: application/json'],
    ),
};

function utf8AsLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
