import { describe, expect, it } from 'vitest';
import { createTextDecoder, decodeAs } from '../../../src/page/index.js';
import { randomNumbers } from '../random-html.js';

/** The exact decoder. */
function expected(bytes: Uint8Array): string {
  const decoder = createTextDecoder('iso-2022-jp');
  return decoder.write(bytes) + decoder.end();
}

const decode = (bytes: Uint8Array) => decodeAs(bytes, 'ISO-2022-JP');
const ESCAPES = ['$@', '$B', '(B', '(J', '(I', '(', '$', '$A', '(C', ''];

describe('ISO-2022-JP', () => {
  it.each([
    ['\x1b$B$"\x1b(Ba', 'あa'],
    ['\x1b$@$"', 'あ'],
    ['\x1b(J\\~a', '¥‾a'],
    ['\x1b(I!_\x60', '｡ﾟ\ufffd'],
    ['\x1b$B\x1b(Ba', '\ufffda'],
    ['\x1b$B$', '\ufffd'],
    ['\x1b$B$\x1b(Ba', '\ufffda'],
    ['a\x0eb\x80', 'a\ufffdb\ufffd'],
    ['\x1b', '\ufffd'],
    ['\x1b$', '\ufffd$'],
    ['\x1b(Xa', '\ufffd(Xa'],
  ])('%j is %j', (bytes, text) => {
    expect(decode(Buffer.from(bytes, 'latin1'))).toBe(text);
  });

  it('is read as by the exact decoder: every pair behind every escape', () => {
    for (const escape of ESCAPES) {
      const pieces: string[] = [];
      for (let pair = 0; pair < 65_536; pair += 1) {
        pieces.push(`\x1b${escape}${String.fromCharCode(pair >> 8, pair & 0xff)}\x1b(B`);
      }
      const bytes = Buffer.from(pieces.join(''), 'latin1');
      expect(decode(bytes) === expected(bytes), escape).toBe(true);
    }
  });

  it('is read as by the exact decoder: random bytes, cut anywhere', () => {
    const random = randomNumbers(11);
    for (let run = 0; run < 10_000; run += 1) {
      const pieces = Array.from({ length: Math.floor(random() * 12) }, () =>
        random() < 0.4
          ? `\x1b${ESCAPES[Math.floor(random() * ESCAPES.length)] ?? ''}`
          : String.fromCharCode(Math.floor(random() * (random() < 0.2 ? 256 : 128))),
      );
      const bytes = Buffer.from(pieces.join(''), 'latin1');
      if (decode(bytes) !== expected(bytes)) {
        expect([bytes.toString('hex'), decode(bytes)]).toEqual([
          bytes.toString('hex'),
          expected(bytes),
        ]);
      }
    }
  });
});
