import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import type { Behaviours } from '../fault-server.js';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const MOST = 200_000_000;

/** A page that does not compress to nothing. */
export const PAGE: string = Array.from({ length: 200 }, (_, index) => {
  const word = createHash('sha1').update(String(index)).digest('hex');
  return `<li><a href="/item/${word}">${word.slice(0, 8)} №${index}</a></li>`;
}).join('\n');

const CODERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  'raw-deflate': zlib.deflateRawSync,
  br: (bytes) =>
    zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  // Newer than the types of the oldest Node.
  ...('zstdCompressSync' in zlib
    ? { zstd: zlib.zstdCompressSync as (bytes: Uint8Array) => Buffer }
    : {}),
};

/** Applies codings in order; `raw-deflate` stands for `deflate` without its head. */
export function encode(body: string | Uint8Array, codings: readonly string[]): Uint8Array {
  return codings.reduce<Uint8Array>(
    (bytes, name) => CODERS[name]?.(bytes) ?? bytes,
    typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  );
}

const bombs = new Map<string, Uint8Array>();

/** Zeros by the megabyte, coded. Made once: a large one takes seconds. */
export function bomb(codings: readonly string[], megabytes: number): Uint8Array {
  const key = `${codings.join()} ${megabytes}`;
  const made = bombs.get(key) ?? encode(Buffer.alloc(megabytes * 1_000_000), codings);
  bombs.set(key, made);
  return made;
}

function list(value: string | null): string[] {
  return value === null || value === '' ? [] : value.split(',');
}

/** Bodies that lie about their length or coding, do not end, or explode. */
export const BODIES: Behaviours = {
  /** `lengths` (a list) as Content-Length lines before a body of `bytes`, then FIN. */
  length: async (x) => {
    const lines = list(x.url.searchParams.get('lengths')).map((n) => `Content-Length: ${n}\r\n`);
    await x.send(`${HEAD}${lines.join('')}\r\n${'x'.repeat(x.number('bytes', 10))}`);
    await x.wait(20);
    x.end();
  },

  /** `data` (base64url) as the chunked body, then FIN. */
  chunks: async (x) => {
    const data = Buffer.from(x.url.searchParams.get('data') ?? '', 'base64url');
    await x.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    await x.send(data);
    await x.wait(20);
    x.end();
  },

  /** A body of `bytes` in chunks of one byte each. */
  'tiny-chunks': async (x) => {
    await x.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const block = '1\r\nx\r\n'.repeat(10_000);
    for (let left = x.number('bytes', 100_000); left > 0; left -= 10_000) {
      if (!(await x.send(block))) return;
    }
    await x.send('0\r\n\r\n');
  },

  /** Chunks that do not end or hold next to nothing: `start`, then `block` again and again. */
  framing: async (x) => {
    await x.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    await x.send(x.url.searchParams.get('start') ?? '');
    const block = (x.url.searchParams.get('block') ?? '0').repeat(65_536);
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  /** A small whole page, whose pieces arrive one byte at a time. */
  'byte-by-byte': async (x) => {
    const answer = Buffer.from(`${HEAD}Transfer-Encoding: chunked\r\n\r\n7\r\nGrüße\r\n0\r\n\r\n`);
    for (const byte of answer) {
      if (!(await x.send(Uint8Array.of(byte)))) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  },

  /** A body where none belongs: 204, 304 or any `status`. */
  'body-on': async (x) => {
    await x.send(`HTTP/1.1 ${x.number('status', 204)} X\r\nContent-Length: 5\r\n\r\nextra`);
    await x.wait(20);
    x.end();
  },

  empty: (x) => x.answer('', list(x.url.searchParams.get('line'))),

  /** No length, no end. */
  'endless-body': async (x) => {
    await x.send(`${HEAD}Connection: close\r\n\r\n`);
    const block = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  /** 10 GB announced. */
  announced: async (x) => {
    await x.send(`${HEAD}Content-Length: ${x.number('bytes', 10_000_000_000)}\r\n\r\n`);
    const block = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  /** {@link PAGE} coded with `codings`, named `name` if given; `cut` bytes missing at its end, `junk` added. */
  coded: (x) => {
    const codings = list(x.url.searchParams.get('codings'));
    const name = x.url.searchParams.get('name') ?? codings.join(', ').replaceAll('raw-', '');
    const whole = encode(PAGE, codings);
    const body = Buffer.concat([
      whole.subarray(0, whole.length - x.number('cut', 0)),
      Buffer.from('j'.repeat(x.number('junk', 0))),
    ]);
    return x.answer(body, name === '' ? [] : [`Content-Encoding: ${name}`]);
  },

  /** Two gzip members, and `junk` bytes. */
  'two-members': (x) => {
    const junk = Buffer.from('j'.repeat(x.number('junk', 0)));
    const body = Buffer.concat([encode('one ', ['gzip']), encode('two', ['gzip']), junk]);
    return x.answer(body, ['Content-Encoding: gzip']);
  },

  /** gzip with a wrong checksum. */
  'bad-crc': (x) => {
    const body = Buffer.from(encode(PAGE, ['gzip']));
    body.writeUInt32LE(0xdeadbeef, body.length - 8);
    return x.answer(body, ['Content-Encoding: gzip']);
  },

  /** `mb` megabytes of zeros, coded with `codings`. */
  bomb: (x) => {
    const codings = list(x.url.searchParams.get('codings') ?? 'gzip');
    return x.answer(bomb(codings, x.number('mb', 100)), [
      `Content-Encoding: ${codings.join(', ').replaceAll('raw-', '')}`,
    ]);
  },

  /** Bytes of an image, said to be HTML. */
  'binary-as-html': (x) => x.answer(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),

  'html-as-image': (x) => x.answer('<p>html</p>', ['Content-Type: image/png']),
};
