import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseContentDisposition } from '../../src/download/index.js';
import { cpuTime } from '../helpers/cpu-time.js';
import { describeShared } from '../helpers/shared-cases.js';

const fileName = (value: string) => parseContentDisposition(value).parameters['filename'];

describe('parseContentDisposition', () => {
  it('reads type and parameters, names without case', () => {
    expect(parseContentDisposition('ATTACHMENT ; FileName = "a \\"b\\".pdf"; size=5')).toEqual({
      type: 'attachment',
      parameters: { filename: 'a "b".pdf', size: '5' },
    });
    expect(parseContentDisposition('').type).toBe('');
  });

  it.each([
    ["attachment; filename*=UTF-8''%e2%82%ac.pdf", '€.pdf'],
    ["attachment; filename=a.pdf; filename*=UTF-8'en'%e2%82%ac.pdf", '€.pdf'],
    ["attachment; filename*=iso-8859-1''%A3.pdf", '£.pdf'],
    ["attachment; filename*=koi8-r''%A3.pdf; filename=a.pdf", 'a.pdf'],
    ["attachment; filename*=UTF-8''a%2; filename=b", 'b'],
    ["attachment; filename*=UTF-8''a%", undefined],
    ["attachment; filename*=iso-8859-1''a%zz; filename=b", 'b'],
    ['attachment; filename=a; filename=b', 'a'],
    ['attachment; filename=a b.pdf ; x', 'a b.pdf'],
    ['attachment; filename="a', undefined],
    ['attachment;; filename=', ''],
  ])('%s names %s', (value, name) => {
    expect(fileName(value)).toBe(name);
  });

  it('leaves encoded values alone if asked', () => {
    expect(
      parseContentDisposition("attachment; filename*=UTF-8''a%2", { extended: false }).parameters,
    ).toEqual({ 'filename*': "UTF-8''a%2" });
  });

  it('refuses wrong options, and what is no text', () => {
    expect(() => parseContentDisposition('a', { lenien: true } as never)).toThrow('"lenien"');
    expect(() => parseContentDisposition('a', { lenient: 1 as never })).toThrow(
      'parseContentDisposition: lenient: expected true or false, got 1',
    );
    expect(() => parseContentDisposition(undefined as never)).toThrow('value: expected a string');
  });

  it('cannot be made to change a prototype', () => {
    const { parameters } = parseContentDisposition('a; __proto__=x; constructor=y; polluted=1');
    expect(Object.entries(parameters).sort()).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['polluted', '1'],
    ]);
    expect('polluted' in {}).toBe(false);
  });

  it('never throws, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typeof parseContentDisposition(`attachment; filename*=${text}`).type).toBe('string');
      }),
    );
    for (const piece of [';', ';a=', '\\', '"', " ;a*=x''%", '= ', ' ']) {
      expect(cpuTime(() => parseContentDisposition(piece.repeat(16_000)), 3)).toBeLessThan(100);
    }
  });
});

describe('parseContentDisposition, lenient', () => {
  const lenient = (value: string) => parseContentDisposition(value, { lenient: true });

  it.each([
    // What is right stays so.
    ['attachment; filename=plans.pdf', 'plans.pdf'],
    ['attachment; filename="the \\"plans\\".pdf"', 'the "plans".pdf'],
    ['attachment; filename="a;b=c.pdf"; x=y', 'a;b=c.pdf'],
    ['attachment; filename="EURO.pdf"; filename*=UTF-8\'\'%e2%82%ac.pdf', '€.pdf'],
    ["attachment; filename*=UTF-8'en'%e2%82%ac.pdf; filename=EURO.pdf", '€.pdf'],
    ['inline', undefined],
    ['', undefined],
    ['attachment; filename=', ''],
    // Quotes that are missing, too many, or in the wrong place.
    ['attachment; filename=annual report 2024.pdf', 'annual report 2024.pdf'],
    ['attachment; filename="cut.pdf', 'cut.pdf'],
    ["attachment; filename=\"cut.pdf; filename*=UTF-8''whole.pdf", 'whole.pdf'],
    ['attachment; filename="', ''],
    ['attachment; filename="\\"', '"'],
    ['attachment; filename="say "hi" twice.pdf"', 'say "hi" twice.pdf'],
    ['attachment; filename="foo.html".txt', 'foo.html'],
    ['attachment; filename=foo"bar;baz"qux', 'foo"bar;baz"qux'],
    ["attachment; filename='foo.bar'", "'foo.bar'"],
    ['attachment; filename*="UTF-8\'\'%e2%82%ac.pdf"', '€.pdf'],
    // A type that is missing, quoted, or followed by something else.
    ['filename=foo.html', 'foo.html'],
    ['filename="foo;bar.html"; size=5', 'foo;bar.html'],
    ['x=y; filename=foo.html', 'foo.html'],
    ['"foo; filename=bar;baz"; filename=qux', 'qux'],
    ['"attachment"; filename=a', 'a'],
    [': inline; attachment; filename=foo.html', 'foo.html'],
    ['attachment filename=bar', 'bar'],
    ['attachment, filename=bar', 'bar'],
    ['; filename=bar', 'bar'],
    [';;; attachment ;; ; FileName = bar ;', 'bar'],
    ['attachment;\r\n filename=folded.txt', 'folded.txt'],
    // The first one counts.
    ['attachment; filename=a; filename=b', 'a'],
    ["attachment; filename*=UTF-8''a; filename*=UTF-8''b", 'a'],
    // UTF-8 that was read as Latin-1, and Latin-1 that is.
    ['attachment; filename="foo-Ã¤.html"', 'foo-ä.html'],
    ['attachment; filename="foo-ä.html"', 'foo-ä.html'],
    ['attachment; filename="â\u0082¬.pdf"', '€.pdf'],
    ['attachment; filename=€.pdf', '€.pdf'],
    // Percent signs that stand for bytes, and such that do not.
    ['attachment; filename="foo-%c3%a4-%e2%82%ac.html"', 'foo-ä-€.html'],
    ['attachment; filename="foo-%41.html"', 'foo-A.html'],
    ['attachment; filename=ä%20b', 'ä b'],
    ['attachment; filename="100%.txt"', '100%.txt'],
    ['attachment; filename="%e4.txt"', '%e4.txt'],
    ['attachment; filename="%2e%2e%2fx"', '../x'],
    // Words of mails.
    ['attachment; filename==?ISO-8859-1?Q?foo-=E4.html?=', 'foo-ä.html'],
    ['attachment; filename="=?utf-8?B?4oKs?= =?UTF-8?Q?_x=2Epdf?="', '€ x.pdf'],
    ['attachment; filename="=?utf-8*en?q?a%41?=.pdf"', 'a%41.pdf'],
    ['attachment; filename="=?koi8-r?B?8NLJ18XU?="', 'Привет'],
    ['attachment; filename="=?shift_jis?B?g2WDWINn?="', 'テスト'],
    ['attachment; filename="=?none?Q?a?="', '=?none?Q?a?='],
    ['attachment; filename="=?utf-8?Q?=ff?="', '=?utf-8?Q?=ff?='],
    ['attachment; filename="a =?utf-8"', 'a =?utf-8'],
    // Values with an encoding of their own.
    ["attachment; filename*=iso-8859-1''foo-%c3%a4.html", 'foo-Ã¤.html'],
    ["attachment; filename*=ISO-8859-2''%A4.pdf", '¤.pdf'],
    ["attachment; filename*=windows-1251''%CF.pdf; filename=b", 'П.pdf'],
    ["attachment; filename*=utf8''a b", 'a b'],
    ["attachment; filename*=UTF-8''foo%; filename=b", 'b'],
    ["attachment; filename*=UTF-8''%ff; filename=b", 'b'],
    ["attachment; filename*=none''a; filename=b", 'b'],
    ["attachment; filename*=''a; filename=b", 'b'],
    ["attachment; filename*=UTF-8'a; filename=b", 'b'],
    ["attachment; filename*=UTF-8''", ''],
    // Values in parts.
    ['attachment; filename*0="foo."; filename*1="html"', 'foo.html'],
    ['attachment; filename*1="\\b\\a\\r.html"; filename*0="foo"', 'foobar.html'],
    ['attachment; filename*0*=UTF-8\'\'foo-%c3; filename*1*=%a4; filename*2=".html"', 'foo-ä.html'],
    ['attachment; filename*0*=UTF-8\'\'%c3%a4; filename*1="%41"', 'ä%41'],
    ['attachment; filename*0="foo"; filename*01="bar"', 'foo'],
    ['attachment; filename*0="foo"; filename*2="bar"', 'foo'],
    ['attachment; filename*1="foo"; filename*2="bar"', undefined],
    ['attachment; filename=plain; filename*0=a; filename*1=b', 'ab'],
    ["attachment; filename*0=a; filename*=UTF-8''b", 'b'],
    ["attachment; filename*0*=none''a; filename=b", 'b'],
  ])('%s names %s', (value, name) => {
    expect(lenient(value).parameters['filename']).toBe(name);
  });

  it('gives the type, and the other parameters as they were sent', () => {
    expect(lenient('INLINE; size = 5; Name="=?utf-8?Q?=c3=a4?="; filename*0=a')).toEqual({
      type: 'inline',
      parameters: { size: '5', name: 'ä', filename: 'a', 'filename*0': 'a' },
    });
    expect(lenient('filename=a').type).toBe('attachment');
    expect(
      parseContentDisposition("a; filename*=UTF-8''b; filename*0=c", {
        lenient: true,
        extended: false,
      }).parameters,
    ).toEqual({ 'filename*': "UTF-8''b", 'filename*0': 'c' });
  });

  it('cannot be made to change a prototype', () => {
    const { parameters } = lenient("__proto__=x; __proto__*=UTF-8''y; constructor*0=z");
    expect(Object.getPrototypeOf(parameters)).toBeNull();
    expect(parameters).toMatchObject({ constructor: 'z', 'constructor*0': 'z' });
    expect(parameters['__proto__']).toBe('y');
  });

  it('never throws, in linear time', () => {
    const piece = fc.constantFrom(
      ...[';', '=', '"', '\\', '*', '*0', '*1*', "UTF-8''", '%', '%41', '=?', '?q?', '?=', ' '],
      ...['filename', '\ud800', 'ä', '€', ':', ','],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          for (const value of [text, `a; filename=${text}`, `a; filename*=${text}`]) {
            for (const each of Object.values(lenient(value).parameters)) {
              expect(each).toBeTypeOf('string');
            }
          }
        },
      ),
      { numRuns: 500 },
    );
    for (const part of [
      ';',
      ';a=',
      '\\',
      '"',
      '"\\";',
      ";a*=x''%",
      '= ',
      ' ',
      '=?',
      '=?a?q?',
      '?= =?',
    ]) {
      const value = `a; filename=${part.repeat(16_000)}`;
      expect(cpuTime(() => lenient(value), 3)).toBeLessThan(200);
      expect(cpuTime(() => lenient(part.repeat(16_000)), 3)).toBeLessThan(200);
    }
    let count = 0;
    const many = Array.from({ length: 16_000 }, () => `filename*${count++}=x`).join(';');
    expect(cpuTime(() => lenient(many), 3)).toBeLessThan(300);
  });
});

describe('parseContentDisposition, strictly and leniently', () => {
  // The name by RFC 6266, and, where it is another one, that which browsers find.
  it.each<[header: string, name: string | undefined, lenient?: string | undefined]>([
    ['inline; filename="foo.html"', 'foo.html'],
    ['inline; filename="Not an attachment!"', 'Not an attachment!'],
    ['inline; filename="foo.pdf"', 'foo.pdf'],
    ['attachment; filename="f\\oo.html"', 'foo.html'],
    ['attachment; filename="\\"quoting\\" tested.html"', '"quoting" tested.html'],
    ['attachment; filename="Here\'s a semicolon;.html"', "Here's a semicolon;.html"],
    ['attachment; foo="bar"; filename="foo.html"', 'foo.html'],
    ['attachment; foo="\\"\\\\";filename="foo.html"', 'foo.html'],
    ['attachment; FILENAME="foo.html"', 'foo.html'],
    ['attachment; filename=foo.html', 'foo.html'],
    ['attachment; filename="foo-\xe4.html"', 'foo-ä.html'],
    ['attachment; filename="foo-%41.html"', 'foo-%41.html', 'foo-A.html'],
    ['attachment; filename="50%.html"', '50%.html'],
    ['attachment; filename="foo-%\\41.html"', 'foo-%41.html', 'foo-A.html'],
    ['attachment; name="foo-%41.html"', undefined],
    ['attachment; filename="\xe4-%41.html"', 'ä-%41.html', 'ä-A.html'],
    [
      'attachment; filename="foo-%c3%a4-%e2%82%ac.html"',
      'foo-%c3%a4-%e2%82%ac.html',
      'foo-ä-€.html',
    ],
    ['attachment; filename ="foo.html"', 'foo.html'],
    ['attachment; xfilename=foo.html', undefined],
    ['attachment; filename="/foo.html"', '/foo.html'],
    ['attachment; filename="\\\\foo.html"', '\\foo.html'],
    ["attachment; filename*=iso-8859-1''foo-%E4.html", 'foo-ä.html'],
    ["attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", 'foo-ä-€.html'],
    ["attachment; filename*=UTF-8''foo-a%cc%88.html", 'foo-a\u0308.html'],
    ["attachment; filename*= UTF-8''foo-%c3%a4.html", 'foo-ä.html'],
    ["attachment; filename* =UTF-8''foo-%c3%a4.html", 'foo-ä.html'],
    ["attachment; filename*=UTF-8''A-%2541.html", 'A-%41.html'],
    ["attachment; filename*=UTF-8''%5cfoo.html", '\\foo.html'],
    ['attachment; filename="foo-ae.html"; filename*=UTF-8\'\'foo-%c3%a4.html', 'foo-ä.html'],
    ['attachment; filename*=UTF-8\'\'foo-%c3%a4.html; filename="foo-ae.html"', 'foo-ä.html'],
    [
      "attachment; filename*0*=ISO-8859-15''euro-sign%3d%a4; filename*=ISO-8859-1''currency-sign%3d%a4",
      'currency-sign=¤',
    ],
    ['attachment; foobar=x; filename="foo.html"', 'foo.html'],
    ['attachment; filename*0="foo."; filename*1="html"', undefined, 'foo.html'],
    ['attachment; filename*0="foo"; filename*1="\\b\\a\\r.html"', undefined, 'foobar.html'],
    ['attachment; filename*0*=UTF-8\'\'foo-%c3%a4; filename*1=".html"', undefined, 'foo-ä.html'],
    ['attachment; filename*0="foo"; filename*01="bar"', undefined, 'foo'],
    ['attachment; filename*0="foo"; filename*2="bar"', undefined, 'foo'],
    ['attachment; filename*1="foo."; filename*2="html"', undefined, undefined],
    ['attachment; filename*1="bar"; filename*0="foo"', undefined, 'foobar'],
    [
      'attachment; filename="=?ISO-8859-1?Q?foo-=E4.html?="',
      '=?ISO-8859-1?Q?foo-=E4.html?=',
      'foo-ä.html',
    ],
    ["attachment; filename*=UTF-8''%F0%9F%98%80.txt", '😀.txt'],
    ["attachment; filename*=utf-8''na%C3%AFve%20file.txt", 'naïve file.txt'],
    ["attachment; filename*=UTF-8'de'stra%C3%9Fe.txt", 'straße.txt'],
    ["attachment; filename*=UTF-8''", ''],
    ['attachment;filename=a.txt', 'a.txt'],
    ['attachment; filename="a\\\\b.txt"', 'a\\b.txt'],
    ['attachment; filename="a;b;c.txt"; size=1', 'a;b;c.txt'],
    ['attachment; filename="a\'b.txt"', "a'b.txt"],
    ["attachment; filename='a b.txt'", "'a b.txt'"],
    ['attachment; filename=a%20b.txt', 'a%20b.txt', 'a b.txt'],
    ['attachment; size=5; filename=x; filename=y', 'x'],
    ["attachment; filename*=gb18030''%d6%d0.txt", undefined, '中.txt'],
    ["attachment; filename*=Shift_JIS''%83e.txt; filename=b", 'b', 'テ.txt'],
    ['attachment; filename="\u4e2d.txt"', '中.txt'],
    [
      'attachment; filename="=?UTF-8?B?5Lit?= =?UTF-8?B?5paH?=.txt"',
      '=?UTF-8?B?5Lit?= =?UTF-8?B?5paH?=.txt',
      '中文.txt',
    ],
    ['attachment; filename="a=?UTF-8?Q?b?="', 'a=?UTF-8?Q?b?=', 'ab'],
    ['Attachment; Filename="x.y"', 'x.y'],
    ['form-data; name="f"; filename="a.txt"', 'a.txt'],
  ])('%s names %s', (header, name, ...lenient) => {
    expect(fileName(header)).toBe(name);
    const found = parseContentDisposition(header, { lenient: true }).parameters['filename'];
    expect(found).toBe(lenient.length === 0 ? name : lenient[0]);
  });
});

describeShared('downloads/content-disposition.json', (path) => {
  interface Case {
    id: string;
    group: string;
    header: string;
    type: string;
    parameters: Record<string, string>;
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] };
  // Cases without a header are about writing one.
  const parsed = cases.filter(({ header }) => header !== '');

  it.each(parsed)('$id: $header', ({ group, header, type, parameters }) => {
    const result = parseContentDisposition(header, {
      extended: !group.includes('"extended" option is false'),
      multipart: group.includes('"multipart" option'),
    });
    expect({ ...result, parameters: { ...result.parameters } }).toEqual({ type, parameters });
  });

  it.each(parsed)('$id, leniently, has at least that name', ({ header, parameters }) => {
    const { filename } = parseContentDisposition(header, { lenient: true }).parameters;
    if (parameters['filename'] !== undefined) expect(filename).toBeDefined();
  });
});
