import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodingFromLabel, parseMediaType, sniffEncoding } from 'rxcrawl';
import { cpuTime } from '../../helpers/cpu-time.js';
import { describeShared } from '../../helpers/shared-cases.js';

const bytes = (value: string) => Buffer.from(value, 'latin1');
const sniff = (body: string, contentType = 'text/html') => sniffEncoding(bytes(body), contentType);
const FILLER = `<!-- ${'x'.repeat(1024)} -->`;

describe('sniffEncoding', () => {
  it('asks byte order mark, header, document and default in that order', () => {
    const meta = '<meta charset=koi8-r>';
    const header = 'text/html; charset=gbk';
    expect(sniff(`\xef\xbb\xbf${meta}`, header)).toStrictEqual({
      encoding: 'UTF-8',
      source: 'bom',
    });
    expect(sniff(`\xff\xfe`, header)).toStrictEqual({ encoding: 'UTF-16LE', source: 'bom' });
    expect(sniff(`\xfe\xff`, header)).toStrictEqual({ encoding: 'UTF-16BE', source: 'bom' });
    expect(sniff(meta, header)).toStrictEqual({ encoding: 'GBK', source: 'header' });
    expect(sniff(meta)).toStrictEqual({ encoding: 'KOI8-R', source: 'meta' });
    expect(sniff('')).toStrictEqual({ encoding: 'windows-1252', source: 'default' });
  });

  it('takes an unknown label for none, and tells it', () => {
    expect(sniff('<meta charset=koi8-r>', 'text/html; charset=foo')).toStrictEqual({
      encoding: 'KOI8-R',
      source: 'meta',
      unknownLabel: 'foo',
    });
    expect(sniff('<meta charset=utf-7>')).toStrictEqual({
      encoding: 'windows-1252',
      source: 'default',
      unknownLabel: 'utf-7',
    });
  });

  it.each([
    ['single quotes', "<meta charset='koi8-r'>", 'KOI8-R'],
    ['blanks', '<meta\n charset =\tkoi8-r\n>', 'KOI8-R'],
    ['upper case', '<META CHARSET="KOI8-R">', 'KOI8-R'],
    ['a slash before the attribute', '<meta/charset=koi8-r>', 'KOI8-R'],
    ['the pragma', '<meta http-equiv=content-type content="text/html;charset=koi8-r">', 'KOI8-R'],
    [
      'the pragma behind',
      '<meta content="a; charset = koi8-r" http-equiv="Content-Type">',
      'KOI8-R',
    ],
    [
      'quotes in the content',
      `<meta http-equiv=Content-Type content="charset='koi8-r'">`,
      'KOI8-R',
    ],
    [
      'charset twice in the content',
      '<meta http-equiv=Content-Type content="charset charset=koi8-r">',
      'KOI8-R',
    ],
    [
      'the attribute before the pragma',
      '<meta charset=koi8-r http-equiv=Content-Type content="charset=gbk">',
      'KOI8-R',
    ],
    ['the first of two attributes', '<meta charset=koi8-r charset=gbk>', 'KOI8-R'],
    ['the first of two elements', '<meta charset=koi8-r><meta charset=gbk>', 'KOI8-R'],
    ['the next where the first is unknown', '<meta charset=x><meta charset=koi8-r>', 'KOI8-R'],
    ['content without pragma', '<meta content="charset=gbk"><meta charset=koi8-r>', 'KOI8-R'],
    ['a comment', '<!--<meta charset=gbk>--><meta charset=koi8-r>', 'KOI8-R'],
    ['a comment that ends at once', '<!--><meta charset=koi8-r>-->', 'KOI8-R'],
    [
      'an attribute of another tag',
      '<a title="<meta charset=gbk>"><meta charset=koi8-r>',
      'KOI8-R',
    ],
    [
      'an end tag with attributes',
      '</a title="<meta charset=gbk>"><meta charset=koi8-r>',
      'KOI8-R',
    ],
    [
      'declarations and instructions',
      '<!x <meta charset=gbk><?y <meta charset=gbk><meta charset=koi8-r>',
      'KOI8-R',
    ],
    ['a name that only begins like meta', '<metadata charset=gbk>', 'windows-1252'],
    ['a value that never ends', '<meta charset="koi8-r>', 'windows-1252'],
    ['a tag that never ends', '<meta charset=koi8-r', 'windows-1252'],
    ['utf-16 that was read as ASCII', '<meta charset=utf-16>', 'UTF-8'],
    ['x-user-defined', '<meta charset=x-user-defined>', 'windows-1252'],
    ['an XML declaration', '<?xml version="1.0" encoding = "koi8-r"?><html>', 'KOI8-R'],
    ['meta before XML declaration', '<?xml encoding="gbk"?><meta charset=koi8-r>', 'KOI8-R'],
    ['UTF-16 without mark', '<\0?\0x\0m\0l\0', 'UTF-16LE'],
    ['UTF-16BE without mark', '\0<\0?\0x\0m\0l', 'UTF-16BE'],
  ])('reads HTML: %s', (_what, body, encoding) => {
    expect(sniff(body).encoding).toBe(encoding);
  });

  it.each([
    ['a late meta', `${FILLER}<meta charset=koi8-r>`, 'KOI8-R'],
    [
      'a late meta behind scripts',
      `<script>${'x'.repeat(1024)}</SCRIPT ><meta charset=koi8-r>`,
      'KOI8-R',
    ],
    ['a late meta in a script', `${FILLER}<script><meta charset=gbk></script>`, 'windows-1252'],
    [
      'a late meta in a title',
      `${FILLER}<title><meta charset=gbk></title><meta charset=koi8-r>`,
      'KOI8-R',
    ],
    ['a late meta in the body', `${FILLER}<body><meta charset=gbk>`, 'windows-1252'],
    ['a late meta behind the head', `${FILLER}</head><meta charset=gbk>`, 'windows-1252'],
    ['a meta across the border', `<!-- ${'x'.repeat(1000)} --><meta charset=koi8-r>`, 'KOI8-R'],
  ])('reads on to the end of the head: %s', (_what, body, encoding) => {
    expect(sniff(body).encoding).toBe(encoding);
  });

  it.each([
    ['application/xml', '<?xml version="1.0" encoding="koi8-r"?><r/>', 'KOI8-R'],
    ['application/xml', '<?xml version="1.0"?><meta charset=koi8-r/>', 'UTF-8'],
    ['image/svg+xml', '<svg/>', 'UTF-8'],
    ['application/xml', '<?xml version="1.0" encoding=" koi8-r"?><r/>', 'UTF-8'],
    ['text/css', '@charset "koi8-r";', 'KOI8-R'],
    ['text/css', "@charset 'koi8-r';", 'UTF-8'],
    ['text/css', '@charset "koi8-r" ;', 'UTF-8'],
    ['application/json', '{"a":"<meta charset=koi8-r>"}', 'UTF-8'],
    ['text/javascript', '"<meta charset=koi8-r>"', 'UTF-8'],
    ['text/plain', '<meta charset=koi8-r>', 'windows-1252'],
    ['application/octet-stream', '<meta charset=koi8-r>', 'KOI8-R'],
  ])('knows the ways of %s: %s', (contentType, body, encoding) => {
    expect(sniff(body, contentType).encoding).toBe(encoding);
  });

  it('takes bytes without a type for HTML, or for XML by its declaration', () => {
    expect(sniffEncoding(bytes('<meta charset=koi8-r>')).encoding).toBe('KOI8-R');
    expect(sniffEncoding(bytes('<?xml version="1.0"?><r/>')).encoding).toBe('UTF-8');
    expect(sniffEncoding(bytes('<meta charset=koi8-r>'), 'nonsense').encoding).toBe('KOI8-R');
  });

  it('has a default that can be set', () => {
    const of = (value: Uint8Array, fallback: string) =>
      sniffEncoding(value, 'text/html', { default: fallback }).encoding;
    expect(of(bytes('\xe9'), 'latin2')).toBe('ISO-8859-2');
    expect(of(bytes('\xe9'), 'auto')).toBe('windows-1252');
    expect(of(Buffer.from('é'), 'auto')).toBe('UTF-8');
    expect(of(Buffer.from('é€').subarray(0, 4), 'auto')).toBe('UTF-8');
    expect(of(bytes('ab\xe9'), 'auto')).toBe('windows-1252');
    expect(() => of(bytes(''), 'nonsense')).toThrow(RangeError);
    expect(() => of(bytes(''), 'nonsense')).toThrow(/default: .*"nonsense"/);
  });

  it.each([
    ['unclosed tags', '<meta '.repeat(200_000)],
    ['attributes', `<meta${' http-equiv refresh'.repeat(100_000)}>`],
    ['comments', '<!--'.repeat(200_000)],
    ['tags', '<a'.repeat(200_000)],
    ['whole metas', '<meta charset=x>'.repeat(60_000)],
    ['scripts', '<script></script'.repeat(60_000)],
    ['quotes', '<meta a="'.repeat(100_000)],
    ['charset words', `<meta http-equiv=content-type content="${'charset'.repeat(100_000)}">`],
    ['one long value', `<meta charset="${'x'.repeat(1_000_000)}">`],
  ])('is quick on many %s', (_name, body) => {
    const data = bytes(body);
    expect(cpuTime(() => sniffEncoding(data))).toBeLessThan(100);
  });

  it('names a known encoding for any bytes under any type', () => {
    const piece = fc.constantFrom(
      '<meta ',
      'charset=',
      '"',
      "'",
      'utf-8',
      '>',
      '<!--',
      '-->',
      'x',
      '=',
    );
    const soup = fc.array(piece).map((pieces) => bytes(pieces.join('')));
    const type = fc.constantFrom('text/html', 'text/xml', 'text/css', 'text/plain', undefined);
    fc.assert(
      fc.property(fc.oneof(soup, fc.uint8Array()), type, (body, contentType) => {
        const { encoding } = sniffEncoding(body, contentType);
        expect(encodingFromLabel(encoding)).toBe(encoding);
      }),
    );
  });
});

describe('encodingFromLabel', () => {
  it.each([
    ['latin1', 'windows-1252'],
    [' UTF8\n', 'UTF-8'],
    ['hz-gb-2312', 'replacement'],
    ['x-user-defined', 'x-user-defined'],
    ['unicode', 'UTF-16LE'],
    ['utf-7', undefined],
    ['utf-32', undefined],
    ['', undefined],
    ['\u00a0utf-8', undefined],
    ['ut\u017f-8', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%j', (label, encoding) => {
    expect(encodingFromLabel(label)).toBe(encoding);
  });
});

describeShared('encoding', (folder) => {
  for (const file of ['tests1.dat', 'tests2.dat', 'test-yahoo-jp.dat']) {
    const data = readFileSync(join(folder, 'html5lib', file), 'latin1');
    data
      .split(/^#data\n/m)
      .slice(1)
      .forEach((block, index) => {
        const [body = '', rest = ''] = block.split('\n#encoding\n');
        const expected = rest.split('\n')[0]?.toLowerCase();
        it(`html5lib ${file} ${index + 1}`, () => {
          expect(sniff(body).encoding.toLowerCase()).toBe(expected);
        });
      });
  }

  interface Labels {
    readonly encodings: readonly { readonly name: string; readonly labels: readonly string[] }[];
  }
  it('knows all labels', () => {
    const groups = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as Labels[];
    for (const { name, labels } of groups.flatMap((group) => group.encodings)) {
      for (const label of labels) expect(encodingFromLabel(label), label).toBe(name);
    }
  });

  interface ContentTypeCase {
    readonly id: string;
    readonly header: string;
    readonly encoding: string | null;
    readonly note?: string;
  }
  interface BodyCase {
    readonly id: string;
    readonly bodyBase64: string;
    readonly encoding: string | null;
  }
  const w3lib = JSON.parse(readFileSync(join(folder, 'w3lib.json'), 'utf8')) as {
    readonly contentType: readonly ContentTypeCase[];
    readonly bodyDeclared: readonly BodyCase[];
  };
  /** Where w3lib and the standards part, we follow the standards. */
  const apart = new Map([
    ['w3lib-ct15', 'foo=bar is no media type, so it has no parameters'],
    ['w3lib-ct25', 'an empty charset is one, and the first counts'],
    ['w3lib-body12', 'the prescan does not stop at the body'],
    ['w3lib-body13', 'http-equiv has to be content-type'],
  ]);
  for (const { id, header, encoding, note } of w3lib.contentType) {
    it.skipIf(apart.has(id) || note !== undefined)(id, () => {
      const label = parseMediaType(header)?.parameters.get('charset') ?? '';
      expect(encodingFromLabel(label) ?? null).toBe(encoding);
    });
  }
  for (const { id, bodyBase64, encoding } of w3lib.bodyDeclared) {
    it.skipIf(apart.has(id))(id, () => {
      const sniffed = sniffEncoding(Buffer.from(bodyBase64, 'base64'));
      expect(sniffed.source === 'meta' ? sniffed.encoding : null).toBe(encoding);
    });
  }
});
