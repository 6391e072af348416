import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextDecoder, decodeAs, decodeText } from 'rxcrawl';
import { describeShared } from '../../helpers/shared-cases.js';

const bytes = (value: string) => Buffer.from(value, 'latin1');

describe('decodeText', () => {
  it('decodes what the header says', () => {
    expect(decodeText(bytes('\xa4'), 'text/html; charset=iso-8859-15')).toStrictEqual({
      text: '€',
      encoding: 'ISO-8859-15',
      source: 'header',
    });
  });

  it('drops a byte order mark, and only the first', () => {
    expect(decodeText(Buffer.from('\ufeff\ufeffä')).text).toBe('\ufeffä');
    expect(decodeText(Buffer.from('\ufeffä', 'utf16le')).text).toBe('ä');
    expect(decodeText(bytes('\xfe\xff\0\xe4')).text).toBe('ä');
  });

  it('keeps ASCII as it is in every encoding that has it, in texts of any length', () => {
    const all = Buffer.from(Array.from({ length: 128 }, (_, byte) => byte));
    const long = Buffer.alloc(1_000_001, '<a href="x?y=1&z=~\\">\t1\n</a>');
    const labels =
      'utf-8 ibm866 iso-8859-2 iso-8859-6 iso-8859-8-i iso-8859-16 koi8-r koi8-u macintosh ' +
      'windows-874 windows-1251 windows-1252 x-mac-cyrillic gbk gb18030 big5 euc-jp shift_jis ' +
      'euc-kr x-user-defined';
    for (const label of labels.split(' ')) {
      const decoder = createTextDecoder(label);
      expect(decodeAs(all, label), label).toBe(decoder.write(all) + decoder.end());
      expect(decodeAs(all, label), label).toBe(all.toString('latin1'));
      expect(decodeAs(long, label), label).toBe(long.toString('latin1'));
    }
    for (const label of ['utf-16le', 'utf-16be', 'iso-2022-jp', 'replacement']) {
      const decoder = createTextDecoder(label);
      expect(decodeAs(all, label), label).toBe(decoder.write(all) + decoder.end());
      expect(decodeAs(all, label), label).not.toBe(all.toString('latin1'));
    }
  });

  it.each([
    ['windows-1252', '\x80\x92\x81', '€’\x81'],
    ['koi8-u', '\xae\xbe', 'ўЎ'],
    ['iso-8859-16', '\xa4', '€'],
    ['x-user-defined', 'a\x80\xff', 'a\uf780\uf7ff'],
    ['gbk', '\x80\xc4\xe3', '€你'],
    ['gb18030', '\x81\x30\x81\x30', '\x80'],
    ['big5', '\x88\x62\xa7\x41', 'Ê̄你'],
    ['shift_jis', '\x83\x5c\xb1', 'ソｱ'],
    ['euc-jp', '\xa4\xa2\x8e\xb1', 'あｱ'],
    ['iso-2022-jp', '\x1b$B$"\x1b(B<', 'あ<'],
    ['euc-kr', '\xb0\xa1', '가'],
    ['utf-16le', '<\0\x3d\xd8\x00\xde', '<😀'],
    ['replacement', 'abc', '\ufffd'],
    ['replacement', '', ''],
  ])('decodes %s: %j', (label, body, text) => {
    expect(decodeAs(bytes(body), label)).toBe(text);
  });

  it.each(['utf-8', 'gbk', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'iso-2022-jp'])(
    'does not let a bad byte of %s eat the markup behind it',
    (label) => {
      for (let lead = 0x80; lead < 0x100; lead++) {
        const text = decodeAs(bytes(`${String.fromCharCode(lead)}<b>"x"</b>`), label);
        expect(text.endsWith('<b>"x"</b>')).toBe(true);
      }
    },
  );

  it('never decodes UTF-7', () => {
    const { text } = decodeText(bytes('+ADw-script+AD4-'), 'text/html; charset=utf-7');
    expect(text).toBe('+ADw-script+AD4-');
  });

  it('never throws', () => {
    const label = fc.constantFrom('utf-8', 'utf-16be', 'gb18030', 'iso-2022-jp', 'big5', 'koi8-u');
    fc.assert(
      fc.property(fc.uint8Array(), label, (body, charset) => {
        expect(typeof decodeText(body, `text/html; charset=${charset}`).text).toBe('string');
      }),
    );
  });

  it('refuses an encoding that nobody knows', () => {
    expect(() => decodeAs(bytes('x'), 'utf-7')).toThrow(RangeError);
  });
});

describe('createTextDecoder', () => {
  const samples: readonly (readonly [string, string, string])[] = [
    [
      'utf-8',
      Buffer.from('aé€😀<b>').toString('latin1') + '\xe2\x82<\xff',
      'aé€😀<b>\ufffd<\ufffd',
    ],
    ['utf-8', `\xef\xbb\xbf${Buffer.from('é').toString('latin1')}`, 'é'],
    ['utf-16le', Buffer.from('\ufeffaé😀<b>', 'utf16le').toString('latin1'), 'aé😀<b>'],
    ['utf-16be', '\xfe\xff\0a\0\xe9\xd8\x3d\xde\x00\0<', 'aé😀<'],
    ['shift_jis', '\x83\x5ca\xb1\x82\xa0<', 'ソaｱあ<'],
    ['gbk', '\xc4\xe3<\x81<b>', '你<\ufffd<b>'],
    ['gb18030', '\xc4\xe3\x81\x30\x81\x30<\x94\x39\xfc\x36', '你\x80<😀'],
    ['big5', '\xa7\x41<\x88\x62', '你<Ê̄'],
    ['euc-kr', '\xb0\xa1<\x81<', '가<\ufffd<'],
    ['euc-jp', '\xa4\xa2\x8f\xb0\xa1<', 'あ丂<'],
    ['iso-2022-jp', 'a\x1b$B$"$$\x1b(B<', 'aあい<'],
    ['windows-1252', 'a\x80\x92', 'a€’'],
    ['replacement', 'abc', '\ufffd'],
  ];

  it.each(samples)('decodes %s the same wherever the bytes are cut', (label, body, text) => {
    const data = bytes(body);
    expect(decodeAs(data, label)).toBe(text);
    for (let first = 0; first <= data.length; first++) {
      for (let second = first; second <= data.length; second++) {
        const decoder = createTextDecoder(label);
        const pieces = [
          decoder.write(data.subarray(0, first)),
          decoder.write(data.subarray(first, second)),
          decoder.write(data.subarray(second)),
          decoder.end(),
        ];
        expect(pieces.join('')).toBe(text);
      }
    }
  });

  it('turns what is left at the end into U+FFFD', () => {
    const decoder = createTextDecoder('utf-8');
    expect(decoder.write(bytes('\xe2\x82'))).toBe('');
    expect(decoder.end()).toBe('\ufffd');
  });

  it('refuses an encoding that nobody knows', () => {
    expect(() => createTextDecoder('utf-7')).toThrow(RangeError);
    expect(() => createTextDecoder('utf-7')).toThrow(/"utf-7"/);
  });
});

describeShared('encoding/precedence.json', (path) => {
  interface Case {
    readonly id: string;
    readonly contentType: string;
    readonly bodyBase64: string;
    readonly encoding: string;
    readonly classOfBox: string | null;
    readonly why: string;
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { readonly cases: readonly Case[] };
  /** A policy case: we read on to the end of the head, and html5lib's cases agree. */
  const apart = 'own-meta-after-1024';
  for (const { id, contentType, bodyBase64, encoding, classOfBox, why } of cases) {
    it.skipIf(id === apart)(`${id}: ${why}`, () => {
      const decoded = decodeText(Buffer.from(bodyBase64, 'base64'), contentType);
      expect(decoded.encoding).toBe(encoding);
      if (classOfBox === null) return;
      expect(/id="box" class="([^"]*)"/.exec(decoded.text)?.[1]).toBe(classOfBox);
    });
  }
});
