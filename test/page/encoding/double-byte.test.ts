import { describe, expect, it } from 'vitest';
import { createTextDecoder, decodeAs } from '../../../src/page/index.js';
import { randomNumbers } from '../random-html.js';

/** The exact decoder. */
function expected(bytes: Uint8Array, encoding: string): string {
  const decoder = createTextDecoder(encoding);
  return decoder.write(bytes) + decoder.end();
}

describe.each(['GBK', 'gb18030', 'Big5', 'EUC-KR', 'Shift_JIS', 'EUC-JP'])('%s', (encoding) => {
  it('is read as by the exact decoder: every pair', () => {
    const pairs = new Uint8Array(3 * 65_536);
    for (let pair = 0; pair < 65_536; pair += 1)
      pairs.set([pair >> 8, pair & 0xff, 0x0a], 3 * pair);
    expect(decodeAs(pairs, encoding) === expected(pairs, encoding)).toBe(true);
  });

  it('is read as by the exact decoder: random bytes, cut anywhere', () => {
    const random = randomNumbers(7);
    const choices: readonly (() => number)[] = [
      () => Math.floor(random() * 256),
      () => 0x80 + Math.floor(random() * 128),
      () => 0xa1 + Math.floor(random() * 94),
      () => 0x30 + Math.floor(random() * 10),
      () => 0x20 + Math.floor(random() * 96),
      () => [0x8e, 0x8f, 0x80, 0xa0, 0xff, 0x84, 0x90][Math.floor(random() * 7)] ?? 0,
    ];
    for (let run = 0; run < 4_000; run += 1) {
      const some = choices.filter(() => random() < 0.5);
      const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () =>
        (some[Math.floor(random() * some.length)] ?? (() => 0x41))(),
      );
      const text = decodeAs(bytes, encoding);
      if (text !== expected(bytes, encoding)) {
        expect([encoding, Buffer.from(bytes).toString('hex'), text]).toEqual([
          encoding,
          Buffer.from(bytes).toString('hex'),
          expected(bytes, encoding),
        ]);
      }
    }
  });
});

it('reads all that GB18030 has in four bytes', () => {
  const random = randomNumbers(3);
  for (let run = 0; run < 20_000; run += 1) {
    const bytes = Uint8Array.from([
      0x81 + Math.floor(random() * 126),
      0x30 + Math.floor(random() * 10),
      0x81 + Math.floor(random() * 126),
      0x30 + Math.floor(random() * 10),
    ]);
    expect(decodeAs(bytes, 'gb18030')).toBe(expected(bytes, 'gb18030'));
  }
});
