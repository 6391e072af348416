import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/core/index.js';
import { undiciFetcher } from '../../src/fetch/index.js';
import { seededRandom } from '../../src/testing/index.js';
import { describeShared } from '../helpers/shared-cases.js';
import { startFaultServer, type FaultServer } from '../servers/fault-server.js';
import { fetchOnce, outcomeOf, textOf } from './helpers.js';

/** Raise it for a longer run, with another `SEED` for other replies. */
const MUTATED = Number(process.env['MUTATED_REPLIES'] ?? 10_000);
const SEED = Number(process.env['SEED'] ?? 20_240_601);

let server: FaultServer;
/** What the behaviour `reply` sends, by the number in its query. */
const replies: Uint8Array[] = [];

beforeAll(async () => {
  server = await startFaultServer({
    behaviours: {
      reply: async (x) => {
        const bytes = replies[x.number('n', 0)]!;
        // Two writes: a parser must not depend on where a reply is cut.
        const cut = x.number('cut', bytes.length);
        await x.send(bytes.subarray(0, cut));
        if (cut < bytes.length) await x.wait(1);
        await x.send(bytes.subarray(cut));
        await x.wait(x.number('ms', 10));
        x.end();
      },
    },
  });
});
afterAll(() => server.close());

const patient = undiciFetcher({ timeouts: { headers: 2_000, idle: 2_000, total: 4_000 } });
// The server soon closes a connection that its reply has left open: the next test must not get it.
afterEach(() => patient.close());

function outcomeOfReply(
  raw: string | Uint8Array,
  query = '',
  fetcher: Fetcher = patient,
): Promise<string> {
  const n = replies.push(typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw) - 1;
  return outcomeOf(fetcher, server.url(`reply?n=${n}${query}`));
}

describe('raw replies', () => {
  it.each([
    ['nothing', '', 'empty-reply'],
    ['only line ends', '\r\n\r\n', 'empty-reply'],
    ['no status line', 'hello\n', 'protocol-error'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol-error'],
    ['a version of two digits', 'HTTP/10.1 200 OK\r\n\r\n', 'protocol-error'],
    ['the line of HTTP/2', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n', '200 0'],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', '200 2'],
    ['a status of one digit', 'HTTP/1.1 7 X\r\n\r\n', 'protocol-error'],
    ['status 0', 'HTTP/1.1 0 X\r\n\r\n', 'protocol-error'],
    ['status 000', 'HTTP/1.1 000 X\r\n\r\n', 'protocol-error'],
    ['status 099', 'HTTP/1.1 099 X\r\n\r\n', 'protocol-error'],
    ['status abc', 'HTTP/1.1 abc X\r\n\r\n', 'protocol-error'],
    ['status 600', 'HTTP/1.1 600 X\r\nContent-Length: 2\r\n\r\nok', '600 2'],
    ['status 999', 'HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok', '999 2'],
    ['a status of four digits', 'HTTP/1.1 2000 X\r\n\r\n', 'protocol-error'],
    ['a head that is cut', 'HTTP/1.1 200 OK\r\nContent-Le', 'truncated'],
    ['a status line that is cut', 'HTTP/1.1 2', 'truncated'],
    ['a NUL in a name', 'HTTP/1.1 200 OK\r\nA\0B: c\r\n\r\n', 'protocol-error'],
    ['a NUL in a value', 'HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n', 'protocol-error'],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\nA : b\r\n\r\n', 'protocol-error'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n', 'protocol-error'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'protocol-error'],
    ['a bare CR in a value', 'HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n', 'protocol-error'],
    ['no headers, body to the end', 'HTTP/1.1 200 OK\r\n\r\nto the end', '200 10'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nto the end', '200 10'],
    ['a length too long', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'truncated'],
    ['a length too short', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nlonger', '200 2'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx', 'protocol-error'],
    [
      'a length of 2^64',
      'HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\nx',
      'protocol-error',
    ],
    [
      'a length of 2^63',
      'HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nx',
      'too-large',
    ],
    [
      'two different lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy',
      'protocol-error',
    ],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
      'protocol-error',
    ],
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: v\r\n\r\n',
      '200 5',
    ],
    [
      'chunks without an end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
      'truncated',
    ],
    [
      'the same, closing',
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
      'truncated',
    ],
    [
      'a chunk size that is none',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n',
      'protocol-error',
    ],
    [
      'a chunk size of 2^80',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\nabc',
      'protocol-error',
    ],
    [
      'a chunk that is longer',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
      'protocol-error',
    ],
    [
      'another transfer coding',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx',
      'bad-encoding',
    ],
    [
      'chunked and another',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nx',
      'bad-encoding',
    ],
    [
      'a look-alike of chunked',
      'HTTP/1.1 200 OK\r\nX-Transfer-Encoding: chunked\r\n\r\nplain',
      '200 5',
    ],
    [
      'a switch of protocols',
      'HTTP/1.1 101 X\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n',
      'protocol-error',
    ],
    [
      'early hints',
      'HTTP/1.1 103 X\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      '200 2',
    ],
    [
      'interim answers of all kinds, unasked',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\nA: b\r\n\r\nHTTP/1.1 102 X\r\n\r\nHTTP/1.1 199 X\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      '200 2',
    ],
    ['an interim answer with a body', 'HTTP/1.1 100 Continue\r\n\r\nData\nData\n', 'truncated'],
    ['only an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n', 'truncated'],
    ['204 with a body', 'HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\nextra', '204 0'],
    ['304 with a body', 'HTTP/1.1 304 X\r\nContent-Length: 5\r\n\r\nextra', '304 0'],
    [
      'two places',
      'HTTP/1.1 302 X\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n',
      'invalid-location',
    ],
    [
      'one place twice',
      'HTTP/1.1 302 X\r\nLocation: /a\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n',
      '302 0',
    ],
    [
      'a redirect with a broken body',
      'HTTP/1.1 302 X\r\nLocation: /a\r\nTransfer-Encoding: chunked\r\n\r\nzz',
      '302 0',
    ],
    [
      'a redirect with a cut body',
      'HTTP/1.1 302 X\r\nLocation: /a\r\nContent-Length: 50\r\n\r\nzz',
      '302 0',
    ],
  ])('%s', async (_, raw, outcome) => {
    expect(await outcomeOfReply(raw)).toBe(outcome);
  });

  it('cut in two at any byte means the same', async () => {
    const raw =
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const outcomes = await Promise.all(
      Array.from({ length: raw.length }, (_, cut) => outcomeOfReply(raw, `&cut=${cut}`)),
    );
    expect(new Set(outcomes)).toEqual(new Set(['200 3']));
  });

  it('an interim 100 cut at any byte is passed over, and a body that looks like one is not', async () => {
    const head =
      'HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 23\r\n\r\n';
    const raw = `${head}HTTP/1.1 100 Continue\r\n`;
    const bodies = await Promise.all(
      Array.from({ length: raw.length }, async (_, cut) => {
        const n = replies.push(Buffer.from(raw, 'latin1')) - 1;
        return textOf(await fetchOnce(patient, server.url(`reply?n=${n}&cut=${cut}`)));
      }),
    );
    expect(new Set(bodies)).toEqual(new Set(['HTTP/1.1 100 Continue\r\n']));
  });

  it(`gives one classed outcome to each of ${MUTATED} mutated replies`, async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
    const hasty = undiciFetcher({
      timeouts: { headers: 1_000, idle: 1_000, total: 2_000 },
      maxBodyBytes: 100_000,
    });
    const bad: string[] = [];
    let done = 0;
    const worker = async (): Promise<void> => {
      while (done < MUTATED) {
        const seed = SEED + done++;
        const reply = mutate(seededRandom(seed));
        const before = performance.now();
        const outcome = await outcomeOfReply(reply, '&ms=0', hasty).catch(String);
        // Either a status and a length, or a code: all else is a crash.
        const isClassed = /^(?:[1-9]\d\d \d+|[a-z]+(?:-[a-z]+)*)$/.test(outcome);
        const ms = performance.now() - before;
        if (isClassed && outcome !== 'internal' && ms < 5_000) continue;
        bad.push(
          `seed ${seed}: ${outcome} in ${ms} ms: ${JSON.stringify(reply.toString('latin1'))}`,
        );
      }
    };
    await Promise.all(Array.from({ length: 64 }, worker));
    hasty.close();
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    expect(bad).toEqual([]);
    expect(unhandled).toEqual([]);
  }, 120_000);
});

/** Whole replies of the usual kinds, which mutations start from. */
const GOOD = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 11\r\n\r\nhello world',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nhello\r\n6;a="b"\r\n world\r\n0\r\nX: y\r\n\r\n',
  'HTTP/1.1 301 Moved\r\nLocation: /there\r\nSet-Cookie: a=b; Path=/\r\nSet-Cookie: c=d\r\nContent-Length: 4\r\n\r\ngone',
  'HTTP/1.0 404 Not Found\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n<p>to the end</p>',
  'HTTP/1.1 103 Early\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nKeep-Alive: timeout=5\r\n\r\n',
].map((reply) => Buffer.from(reply, 'latin1'));
const PIECES = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ':',
  ' ',
  '\t',
  '0',
  '-1',
  'FFFFFFFFFFFFFFFFF',
  ';',
  ',',
  'HTTP/1.1 ',
  'HTTP/1.1 100 C\r\n\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: br\r\n',
  'Connection: upgrade\r\n',
  '\xff\xfe',
  '\x80',
];

function mutate(unit: () => number): Buffer {
  const random = (below: number): number => Math.floor(unit() * below);
  let reply = Buffer.from(GOOD[random(GOOD.length)]!);
  for (let rounds = 1 + random(3); rounds > 0; rounds--) {
    const at = random(reply.length);
    const to = at + random(reply.length - at);
    const piece = Buffer.from(PIECES[random(PIECES.length)]!, 'latin1');
    const [head, rest] = [reply.subarray(0, at), reply.subarray(at)];
    switch (random(6)) {
      case 0: // One byte becomes another.
        reply[at] = random(256);
        break;
      case 1:
        reply = Buffer.concat([head, piece, rest]);
        break;
      case 2: // The reply is cut.
        reply = Buffer.from(head);
        break;
      case 3: // A stretch is lost.
        reply = Buffer.concat([head, reply.subarray(to)]);
        break;
      case 4: // A stretch comes twice.
        reply = Buffer.concat([reply.subarray(0, to), rest]);
        break;
      default: // Another reply takes over.
        reply = Buffer.concat([head, GOOD[random(GOOD.length)]!]);
    }
    if (reply.length === 0) reply = Buffer.from('\n');
  }
  return reply;
}

/** Where the outcome is another than the case says, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly [outcome: string, why: string]>> = {
  'curl-418': ['protocol-error', 'a length beside a transfer coding is refused, RFC 9112 §6.3'],
  'curl-457': ['protocol-error', 'bare line feeds end it before there is a body to measure'],
  'curl-1618': ['200 102400', '100 KB are under the limit; curl was run with one of its own'],
  'llhttp-09': ['200 4', 'a bare CR may be read as a blank, RFC 9112 §2.2'],
};

interface RawCase {
  readonly id: string;
  readonly class?: string;
  readonly headers?: string;
  readonly bodyBytesSent?: number;
  readonly bodyLength?: number | null;
  readonly rawBase64?: string;
  readonly rawDeflateBase64?: string;
}

describeShared('http-raw/replies.json', (path) => {
  const groups = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const cases = Object.values(groups).flatMap((group) =>
    Array.isArray(group) ? (group as RawCase[]) : [],
  );

  it.each(cases.map((c) => [c.id, c] as const))('%s', async (id, c) => {
    const outcome = await outcomeOfReply(bytesOf(c));
    const exception = EXCEPTIONS[id];
    if (exception === undefined) expect(acceptable(c)).toContain(outcome.replace(/^200 15$/, 'ok'));
    else expect(outcome).toBe(exception[0]);
  });

  function bytesOf(c: RawCase): Uint8Array {
    if (c.rawDeflateBase64 !== undefined) {
      return inflateSync(Buffer.from(c.rawDeflateBase64, 'base64'));
    }
    if (c.headers === undefined) return Buffer.from(c.rawBase64 ?? '', 'base64');
    const body = 'x'.repeat(c.bodyBytesSent ?? 0);
    return Buffer.from(`HTTP/1.1 200 OK\r\n${c.headers}\r\n\r\n${body}`, 'latin1');
  }

  function acceptable(c: RawCase): string[] {
    switch (c.class) {
      case 'ok-or-protocol-error':
        return ['ok', 'protocol-error'];
      case 'redirect':
        return ['302 0'];
      case 'bad-redirect':
        return ['invalid-location'];
      case undefined: // Lengths: what browsers accept may be refused, what they refuse must be.
        return [
          'protocol-error',
          ...(typeof c.bodyLength === 'number' ? [`200 ${c.bodyLength}`] : []),
        ];
      default:
        return [c.class];
    }
  }
});
