import { Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';

/** Layers of gzip that are undone: `.xml.gz` under `Content-Encoding: gzip` makes two. */
const MAX_LAYERS = 2;

/** Gives what there is of data that end early. */
const SYNC = constants.Z_SYNC_FLUSH;

/** What was unpacked. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** The compressed data were broken, cut, or larger than the limit. */
  readonly problem?: 'gzip' | 'cut' | 'too-large';
}

/** Whether bytes are gzip, by their first three. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/**
 * Undoes up to two layers of gzip. Of broken, cut or too large data it gives what can be had.
 *
 * @param maxBytes - how many bytes a layer may unpack to
 */
export function unpack(bytes: Uint8Array, maxBytes: number): Unpacked {
  let unpacked: Unpacked = { bytes };
  for (let layer = 0; layer < MAX_LAYERS && isGzip(unpacked.bytes); layer++) {
    const { problem } = unpacked;
    const inner = unpackLayer(unpacked.bytes, maxBytes);
    unpacked = problem === undefined ? inner : { bytes: inner.bytes, problem };
  }
  return unpacked;
}

function unpackLayer(bytes: Uint8Array, maxBytes: number): Unpacked {
  const whole = tryGunzip(bytes, maxBytes, constants.Z_FINISH);
  if (whole instanceof Uint8Array) return { bytes: whole };
  const problem =
    whole === 'Z_BUF_ERROR' ? 'cut' : whole === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'gzip';
  return { bytes: longestPrefix(bytes, maxBytes, problem), problem };
}

/**
 * What a long prefix unpacks to. Cut data do at once; else a prefix without error is searched
 * for by halves, since zlib gives nothing of a call that fails. Where the data are too large,
 * each try costs the limit, so there the steps are few and wide.
 */
function longestPrefix(bytes: Uint8Array, maxBytes: number, problem: string): Uint8Array {
  if (problem === 'too-large') {
    for (let divisor = 4; divisor <= 64; divisor *= 4) {
      const part = tryGunzip(bytes.subarray(0, bytes.length / divisor), maxBytes, SYNC);
      if (part instanceof Uint8Array) return part;
    }
    return new Uint8Array(0);
  }
  let best: Uint8Array = new Uint8Array(0);
  let low = 0;
  let high = bytes.length;
  for (let round = 0; round < 12 && low < high; round++) {
    const middle = round === 0 ? high : Math.ceil((low + high) / 2);
    const part = tryGunzip(bytes.subarray(0, middle), maxBytes, SYNC);
    if (part instanceof Uint8Array) {
      best = part;
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

/** The unpacked bytes, or the code of the error. */
function tryGunzip(
  bytes: Uint8Array,
  maxOutputLength: number,
  finishFlush: number,
): Uint8Array | string {
  try {
    return gunzipSync(bytes, { maxOutputLength, finishFlush });
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}

/** Told when a stream of gzip did not end as it should. */
export type OnProblem = (problem: 'gzip' | 'cut') => void;

/**
 * Undoes up to two layers of gzip of bytes that come in chunks; bytes that are not gzip pass.
 * The data are unpacked as they come, and only as fast as they are read.
 */
export async function* unpackChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onProblem: OnProblem,
  layers: number = MAX_LAYERS,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = Readable.from(chunks, { objectMode: true })[Symbol.asyncIterator]();
  const source: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => iterator };
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 3) {
    const next = (await iterator.next()) as IteratorResult<Uint8Array>;
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = withHead(head, source);
  if (layers > 0 && isGzip(head)) {
    yield* unpackChunks(inflate(whole, onProblem), onProblem, layers - 1);
  } else {
    yield* whole;
  }
}

async function* withHead(
  head: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  onProblem: OnProblem,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(chunks);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    onProblem(code === 'Z_BUF_ERROR' ? 'cut' : 'gzip');
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
