import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Coding } from './content-codings.js';
import { decodeMembers } from './gzip-members.js';

// Synchronous zlib on the whole body: 38 µs for a gzip page of 23 KB against 160 µs of CPU for
// a zlib stream, and 4 to 25 ms for 10 MiB of output. Beyond SYNC_MAX of output the work moves
// to zlib's threads, so that the event loop never stands still for long.

/** Most output, bytes, that is decoded synchronously. */
const SYNC_MAX = 16 * 1024 * 1024;
const CHUNK = 32_768;

/** Why a body could not be decoded. */
export interface DecodeProblem {
  readonly code: 'too-large' | 'truncated' | 'bad-encoding';
  readonly cause: unknown;
}

/** A decoded body. */
export interface Decoded {
  readonly body: Uint8Array;
  /** The body was longer than the limit and its head was kept. */
  readonly cut: boolean;
}

/** What {@link decodeBody} is told about limits. */
export interface DecodeLimits {
  /** Most bytes of output, also of each step between two codings. */
  readonly maxBytes: number;
  /** Keep the head of a longer body, and of one that ends early, instead of failing. */
  readonly keepHead: boolean;
}

type Done = (result: Decoded | DecodeProblem) => void;

/** Whether decoding failed. */
export function isProblem(result: Decoded | DecodeProblem): result is DecodeProblem {
  return 'code' in result;
}

/**
 * Undoes content codings.
 *
 * @param bytes - the body as it came
 * @param codings - in the order in which they were applied
 * @param limits - see {@link DecodeLimits}
 * @param done - called once, synchronously unless the output is large or its head is wanted
 * @returns stops decoding; `done` is not called any more
 */
export function decodeBody(
  bytes: Uint8Array,
  codings: readonly Coding[],
  limits: DecodeLimits,
  done: Done,
): () => void {
  let stop: (() => void) | undefined;
  let stopped = false;

  const undo = (input: Uint8Array, left: number, cutBefore: boolean): void => {
    if (stopped) return;
    const coding = codings[left - 1];
    // Servers put a coding on empty bodies, too.
    if (coding === undefined || input.length === 0) {
      done({ body: input, cut: cutBefore });
      return;
    }
    const next = (result: Decoded | DecodeProblem): void => {
      if (isProblem(result)) done(result);
      else undo(result.body, left - 1, cutBefore || result.cut);
    };
    const maxBytes = Math.min(limits.maxBytes, SYNC_MAX);
    const result = decodeSync(input, coding, maxBytes);
    if (!isProblem(result) || result.code === 'bad-encoding') {
      next(result);
    } else if (limits.keepHead) {
      stop = decodeHead(input, coding, limits.maxBytes, next);
    } else if (result.code === 'too-large' && limits.maxBytes > SYNC_MAX) {
      decodeInThread(input, coding, limits.maxBytes, next);
    } else {
      next(result);
    }
  };
  undo(bytes, codings.length, false);

  return () => {
    stopped = true;
    stop?.();
  };
}

/**
 * Whether the beginning of a body contradicts its coding, so that not even the whole body could
 * be decoded.
 */
export function isBroken(head: Uint8Array, coding: Coding): boolean {
  const result = decodeSync(head, coding, SYNC_MAX);
  return isProblem(result) && result.code === 'bad-encoding';
}

type Options = zlib.ZlibOptions & zlib.BrotliOptions;

/** One coding's functions. zstd is newer than the types of the oldest Node that is supported. */
interface Codec {
  readonly sync: (bytes: Uint8Array, options: Options) => Buffer;
  readonly threaded: (
    bytes: Uint8Array,
    options: Options,
    done: (error: Error | null, body: Buffer) => void,
  ) => void;
  readonly stream: (options: Options) => Transform;
  readonly options: Options;
  /** Options under which input that ends early is no error. */
  readonly lenient: Options;
}

interface ZstdLike {
  readonly zstdDecompressSync: Codec['sync'];
  readonly zstdDecompress: Codec['threaded'];
  readonly createZstdDecompress: Codec['stream'];
  readonly constants: {
    readonly ZSTD_d_windowLogMax: number;
    readonly ZSTD_e_flush: number;
  };
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
const LENIENT: Options = { finishFlush: Z_SYNC_FLUSH };

function zlibCodec(
  sync: Codec['sync'],
  threaded: Codec['threaded'],
  stream: Codec['stream'],
): Codec {
  return { sync, threaded, stream, options: {}, lenient: LENIENT };
}

const GZIP = zlibCodec(zlib.gunzipSync, zlib.gunzip, zlib.createGunzip);
const ZLIB = zlibCodec(zlib.inflateSync, zlib.inflate, zlib.createInflate);
const RAW = zlibCodec(zlib.inflateRawSync, zlib.inflateRaw, zlib.createInflateRaw);
const BROTLI: Codec = {
  sync: zlib.brotliDecompressSync,
  threaded: zlib.brotliDecompress,
  stream: zlib.createBrotliDecompress,
  options: {},
  lenient: { finishFlush: BROTLI_OPERATION_FLUSH },
};

function zstdCodec(): Codec {
  const { zstdDecompressSync, zstdDecompress, createZstdDecompress, constants } =
    zlib as unknown as ZstdLike;
  // RFC 9659: windows of content codings have at most 8 MB.
  const options: Options = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };
  return {
    sync: zstdDecompressSync,
    threaded: zstdDecompress,
    stream: createZstdDecompress,
    options,
    lenient: { ...options, finishFlush: constants.ZSTD_e_flush },
  };
}

function codecOf(coding: Coding, bytes: Uint8Array): Codec {
  switch (coding) {
    case 'gzip':
      return GZIP;
    case 'br':
      return BROTLI;
    case 'zstd':
      return zstdCodec();
    case 'deflate':
      return hasZlibHead(bytes) ? ZLIB : RAW;
  }
}

/** RFC 1950 §2.2. Many servers send `deflate` without this head. */
function hasZlibHead(bytes: Uint8Array): boolean {
  const [cmf = 0, flags = 0] = bytes;
  return (cmf & 0x0f) === 8 && cmf >> 4 <= 7 && ((cmf << 8) | flags) % 31 === 0;
}

function decodeSync(bytes: Uint8Array, coding: Coding, maxBytes: number): Decoded | DecodeProblem {
  const codec = codecOf(coding, bytes);
  const result = runSync(codec, bytes, maxBytes, coding);
  if (codec === GZIP && isProblem(result) && isNoHeader(result.cause)) {
    return runMembers(bytes, maxBytes) ?? result;
  }
  // Two bytes of raw deflate can look like a zlib head.
  if (codec !== ZLIB || !isProblem(result) || result.code !== 'bad-encoding') return result;
  const raw = runSync(RAW, bytes, maxBytes, coding);
  return isProblem(raw) ? result : raw;
}

function runSync(
  codec: Codec,
  bytes: Uint8Array,
  maxBytes: number,
  coding: Coding,
): Decoded | DecodeProblem {
  try {
    const chunkSize = coding === 'gzip' ? chunkForGzip(bytes) : CHUNK;
    const body = codec.sync(bytes, { ...codec.options, maxOutputLength: maxBytes, chunkSize });
    return { body, cut: false };
  } catch (error) {
    return problem(error);
  }
}

/** What zlib says where a gzip member should begin, at the start or after another one. */
function isNoHeader(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'incorrect header check';
}

function runMembers(bytes: Uint8Array, maxBytes: number): Decoded | DecodeProblem | undefined {
  try {
    const body = decodeMembers(bytes, maxBytes);
    return body && { body, cut: false };
  } catch (error) {
    return problem(error);
  }
}

/** gzip ends with its size modulo 2^32 (RFC 1952 §2.3.1): one buffer of the right size will do. */
function chunkForGzip(bytes: Uint8Array): number {
  if (bytes.length < 18) return CHUNK;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(bytes.length - 4, true);
  // One byte more, or zlib would ask for another buffer to find out that it is done.
  return size > 0 && size < 256 * 1024 ? Math.max(64, size + 1) : CHUNK;
}

function decodeInThread(bytes: Uint8Array, coding: Coding, maxBytes: number, done: Done): void {
  const codec = codecOf(coding, bytes);
  const options = { ...codec.options, maxOutputLength: maxBytes, chunkSize: 65_536 };
  codec.threaded(bytes, options, (error, body) => {
    done(error === null ? { body, cut: false } : problem(error));
  });
}

/** The first `maxBytes` of a body that is longer, or that ends early. */
function decodeHead(
  bytes: Uint8Array,
  coding: Coding,
  maxBytes: number,
  done: Done,
  codec: Codec = codecOf(coding, bytes),
): () => void {
  const stream = codec.stream(codec.lenient);
  const parts: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    stream.destroy();
    done({ body: Buffer.concat(parts, Math.min(size, maxBytes)), cut: true });
  };
  let stop = (): void => void stream.destroy();
  stream.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size >= maxBytes) finish();
  });
  stream.on('end', finish);
  stream.on('error', (error: Error) => {
    stream.destroy();
    if (codec === ZLIB && size === 0) stop = decodeHead(bytes, coding, maxBytes, done, RAW);
    else done(problem(error));
  });
  stream.end(bytes);
  return () => stop();
}

function problem(error: unknown): DecodeProblem {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') return { code: 'too-large', cause: error };
  if (code === 'Z_BUF_ERROR') return { code: 'truncated', cause: error };
  return { code: 'bad-encoding', cause: error };
}
