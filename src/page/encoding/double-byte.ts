/*
 * Decoders of the encodings with two bytes for a character, by tables that the exact decoders of
 * `@exodus/bytes` fill when an encoding is first met.
 *
 * Own code for the sake of the event loop: the exact decoders take up to 160 ns a byte (GB18030
 * beyond the basic plane), so that one page of 10 MiB holds it for 1.6 s. These take 4 ns. Tests
 * hold both to give the same text for random bytes. The rules are those of WHATWG Encoding §10 to
 * §13: of a pair that is none, an ASCII byte is read again by itself.
 */

import { TextDecoder as ExactTextDecoder } from '@exodus/bytes/encoding.js';

interface Table {
  /** What a byte is by itself: a UTF-16 unit, `LEAD` or `ERROR`. */
  readonly single: Int32Array;
  /** By pair, the first unit, and in the upper half the second, if there is one; 0 is none. */
  readonly pairs: Uint32Array;
  /** By the second and third byte: EUC-JP behind 0x8F. By number: GB18030's of four bytes. */
  readonly more: Uint16Array;
}

const LEAD = -1;
const ERROR = -2;
const REPLACEMENT = 0xfffd;

/** The first and last bytes that begin a pair. */
const LEADS: ReadonlyMap<string, readonly (readonly [number, number])[]> = new Map([
  ['GBK', [[0x81, 0xfe]]],
  ['gb18030', [[0x81, 0xfe]]],
  ['Big5', [[0x81, 0xfe]]],
  ['EUC-KR', [[0x81, 0xfe]]],
  [
    'Shift_JIS',
    [
      [0x81, 0x9f],
      [0xe0, 0xfc],
    ],
  ],
  [
    'EUC-JP',
    [
      [0x8e, 0x8f],
      [0xa1, 0xfe],
    ],
  ],
]);

const tables = new Map<string, Table>();

/** Whether {@link decodeDoubleByte} knows an encoding, by the standard's name. */
export function isDoubleByte(encoding: string): boolean {
  return LEADS.has(encoding);
}

/** The text of bytes in an encoding that {@link isDoubleByte}. */
export function decodeDoubleByte(bytes: Uint8Array, encoding: string): string {
  const table = tableOf(encoding);
  const units = new Uint16Array(bytes.length);
  const length = write(bytes, table, encoding, units);
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

/** By pair of bytes, its UTF-16 unit, and in the upper half a second one; 0 is none. */
export function doubleBytePairs(encoding: string): Uint32Array {
  return tableOf(encoding).pairs;
}

function tableOf(encoding: string): Table {
  let table = tables.get(encoding);
  if (table === undefined) tables.set(encoding, (table = makeTable(encoding)));
  return table;
}

function write(bytes: Uint8Array, table: Table, encoding: string, units: Uint16Array): number {
  const { single, pairs, more } = table;
  // GBK's decoder is that of GB18030.
  const isGb = encoding === 'gb18030' || encoding === 'GBK';
  const isEucJp = encoding === 'EUC-JP';
  const end = bytes.length;
  let length = 0;
  let at = 0;
  while (at < end) {
    const first = bytes[at] as number;
    at += 1;
    const alone = single[first] as number;
    if (alone !== LEAD) {
      units[length++] = alone === ERROR ? REPLACEMENT : alone;
      continue;
    }
    if (at === end) {
      units[length++] = REPLACEMENT;
      break;
    }
    const second = bytes[at] as number;
    const pair = pairs[(first << 8) | second] as number;
    if (pair !== 0) {
      at += 1;
      units[length++] = pair & 0xffff;
      if (pair > 0xffff) units[length++] = pair >>> 16;
    } else if (isGb && second >= 0x30 && second <= 0x39) {
      if (at + 1 === end) {
        units[length++] = REPLACEMENT;
        break;
      }
      const third = bytes[at + 1] as number;
      const fourth = bytes[at + 2];
      if (third < 0x81 || third > 0xfe) {
        units[length++] = REPLACEMENT;
      } else if (fourth === undefined) {
        units[length++] = REPLACEMENT;
        break;
      } else if (fourth < 0x30 || fourth > 0x39) {
        units[length++] = REPLACEMENT;
      } else {
        at += 3;
        const number = pointer(first, second, third, fourth);
        if (number < BASIC) {
          units[length++] = more[number] as number;
        } else if (number >= BEYOND && number <= LAST) {
          const point = number - BEYOND;
          units[length++] = 0xd800 + (point >> 10);
          units[length++] = 0xdc00 + (point & 0x3ff);
        } else {
          units[length++] = REPLACEMENT;
        }
      }
    } else if (isEucJp && first === 0x8f && second >= 0xa1 && second <= 0xfe) {
      at += 1;
      const third = bytes[at];
      if (third === undefined) {
        units[length++] = REPLACEMENT;
        break;
      }
      const unit = more[(second << 8) | third] as number;
      units[length++] = unit === 0 ? REPLACEMENT : unit;
      if (unit !== 0 || third > 0x7f) at += 1;
    } else {
      units[length++] = REPLACEMENT;
      if (second > 0x7f) at += 1;
    }
  }
  return length;
}

/** WHATWG Encoding §10.2.1: the number of four bytes, those in the basic plane, those beyond. */
function pointer(first: number, second: number, third: number, fourth: number): number {
  return ((first - 0x81) * 10 + second - 0x30) * 1260 + (third - 0x81) * 10 + fourth - 0x30;
}
const BASIC = 39_420;
const BEYOND = 189_000;
const LAST = 1_237_575;

function makeTable(encoding: string): Table {
  const leads = LEADS.get(encoding) ?? [];
  const decoder = new ExactTextDecoder(encoding);
  const single = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    const code = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
    single[byte] = code === REPLACEMENT ? ERROR : code;
  }
  for (const [from, to] of leads) single.fill(LEAD, from, to + 1);

  const pairs = new Uint32Array(65_536);
  readAll(encoding, 0x7e00, 2, putPair, (n, text) => {
    const pair = 0x8100 + n;
    // What is wrong begins with U+FFFD, and has the second byte behind it if that is ASCII.
    if (single[pair >> 8] !== LEAD || text.charCodeAt(0) === REPLACEMENT) return;
    if ((pair & 0xff) >= 0x40) {
      pairs[pair] = text.charCodeAt(0) | ((text.charCodeAt(1) || 0) << 16);
    }
  });
  return { single, pairs, more: makeMore(encoding) };
}

function makeMore(encoding: string): Uint16Array {
  if (encoding === 'EUC-JP') {
    const table = new Uint16Array(65_536);
    readAll(encoding, 0x7e00, 3, putThree, (n, text) => {
      const code = text.charCodeAt(0);
      if (code !== REPLACEMENT && (n & 0xff) >= 0xa1) table[0x8100 + n] = code;
    });
    return table;
  }
  if (encoding !== 'GBK' && encoding !== 'gb18030') return new Uint16Array(0);
  const table = new Uint16Array(BASIC);
  readAll('gb18030', BASIC, 4, putFour, (n, text) => (table[n] = text.charCodeAt(0)));
  return table;
}

type Put = (n: number, into: Uint8Array, at: number) => void;

const putPair: Put = (n, into, at) => {
  into[at] = 0x81 + (n >> 8);
  // No line feed, see below.
  into[at + 1] = Math.max(n & 0xff, 0x20);
};

const putThree: Put = (n, into, at) => {
  into[at] = 0x8f;
  putPair(n, into, at + 1);
};

const putFour: Put = (n, into, at) => {
  into[at] = 0x81 + Math.floor(n / 12_600);
  into[at + 1] = 0x30 + (Math.floor(n / 1260) % 10);
  into[at + 2] = 0x81 + (Math.floor(n / 10) % 126);
  into[at + 3] = 0x30 + (n % 10);
};

/** Decodes sequences of bytes, each by itself: a line feed ends whatever they have begun. */
function readAll(
  encoding: string,
  count: number,
  size: number,
  put: Put,
  take: (n: number, text: string) => void,
): void {
  const bytes = new Uint8Array(count * (size + 1)).fill(0x0a);
  for (let n = 0; n < count; n += 1) put(n, bytes, n * (size + 1));
  const lines = new ExactTextDecoder(encoding).decode(bytes).split('\n');
  for (let n = 0; n < count; n += 1) take(n, lines[n] ?? '');
}
