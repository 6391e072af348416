import { readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filePathOf, safeFileName } from '../../src/download/index.js';
import { cpuTime } from '../helpers/cpu-time.js';
import { describeShared } from '../helpers/shared-cases.js';

/** What must hold for every segment of a path. */
function expectSafe(segment: string): void {
  expect(segment).not.toBe('');
  expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(255);
  expect(segment).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u3164/\\:<>|?*"%\u2215]/u);
  expect(segment).not.toMatch(/[. ]$/);
  expect(segment).not.toMatch(/^[. ~-]/);
  expect(segment).not.toMatch(/^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|con(in|out)\$)\s*(\.|$)/i);
  expect(segment).toBe(segment.normalize('NFC'));
  expect(resolve('/out', segment)).toBe(join('/out', segment));
  expect(join('/out', segment).split(sep)).toHaveLength(3);
}

function expectSafePath(path: string): void {
  path.split('/').forEach(expectSafe);
  expect(Buffer.byteLength(path)).toBeLessThan(1000);
}

const U = 'https://a.example/x';

describe('safeFileName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Jahresbericht Straße €.pdf', 'Jahresbericht Straße €.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['..%2f..%2fetc%2fpasswd', 'passwd'],
    ['%252e%252e%252fx', '_2e_2e_2fx'],
    ['C:\\boot.ini', 'boot.ini'],
    ['a:b', 'a_b'],
    ['file.txt::$DATA', 'file.txt_$DATA'],
    ['/', 'file'],
    ['..', 'file'],
    ['', 'file'],
    [' . . ', 'file'],
    ['a/', 'a'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['~root', 'root'],
    ['con', '_con'],
    ['CON.txt', '_CON.txt'],
    ['aux .h', '_aux.h'],
    ['com1', '_com1'],
    ['LPT².x', '_LPT².x'],
    ['console', 'console'],
    ['a.html. . ', 'a.html'],
    ['a\r\nb.html', 'a_b.html'],
    ['a\0.png', 'a_.png'],
    ['x\u202Egnp.exe', 'x_gnp.exe'],
    ['.\u200b.', '_'],
    ['a∕b／c', 'a_b_c'],
    ['e\u0301.txt', 'é.txt'],
    ['a\ud800b', 'a_b'],
    ['a  \t b', 'a _ b'],
    ['__proto__', '__proto__'],
  ])('%j is %s', (proposed, name) => {
    expect(safeFileName(proposed)).toBe(name);
    expectSafe(name);
  });

  // What other systems, other programs or other ways to write would make of a name.
  it.each([
    ...['COM¹', 'com²', 'LPT³.txt', 'COM0', 'lpt9.', 'CON  ', 'con .txt', 'Aux.tar.gz'],
    ...['nul\u00a0.txt', 'PRN\t', 'CONIN$', 'conout$.log', 'clock$', 'con%00', 'con%20', 'con:'],
    ...[
      'c:con',
      'x/nul',
      'x\\NUL.txt',
      '\u200bcon',
      'con\u200b',
      'co\u00adn',
      'con::$DATA',
      '.con',
    ],
    ...[
      '...',
      '. .',
      '\u3000',
      '\u00a0.',
      '-',
      '--',
      '-.',
      '~',
      '~/.ssh/id_rsa',
      '--output=x',
      '.-rf',
    ],
    ...['.htaccess', '..htaccess', '. htaccess', '%2ehtaccess', '.\u200bhtaccess', '.git/config'],
    ...[
      '..',
      '%2e%2e',
      '%2E%2E%2F%2E%2E%2Fx',
      '%252e%252e%252fx',
      '..%c0%afx',
      '..%5c..%5cx',
      '..;/x',
    ],
    ...[
      '..\u2215x',
      '．．／x',
      '\u2025\u2044x',
      '..⧵x',
      '..∖x',
      '..﹨x',
      'a／b',
      'a：b',
      'a꞉b',
      'a∶b',
    ],
    ...[
      'file.txt:evil.exe',
      'file.txt:',
      ':',
      '::',
      '\\\\?\\C:\\x',
      '\\\\.\\COM1',
      '//server/share',
    ],
    ...[
      'photo\u202egpj.exe',
      '\u2066a\u2069',
      '\u061ca',
      '\u200ea',
      'a\u200d',
      '\ufeffa',
      '\ufff9a\ufffb',
    ],
    ...[
      '\u3164',
      '\uffa0',
      '\u115f.txt',
      '\u2800',
      '\u034f',
      '\u{e0041}',
      '\ue000',
      '\uffff',
      '\u{10ffff}',
    ],
    ...[
      '\ud800',
      '\udc00a',
      'a\ud83d',
      'e\u0301',
      '\u212b.txt',
      '\uac00',
      '\u1112\u1161\u11ab',
      '\u0344',
    ],
    ...['a\u0301'.repeat(200), '€'.repeat(100), '😀'.repeat(100), '\u0301'.repeat(300)],
    ...[
      '.'.repeat(300),
      ' '.repeat(300),
      'x.'.repeat(200),
      `${'x'.repeat(239)}.`,
      `${'x'.repeat(240)} .a`,
    ],
    ...[
      `${'x'.repeat(300)}.lnk`,
      `a.${'b'.repeat(300)}`,
      'con'.repeat(100),
      `con.${'x'.repeat(300)}`,
    ],
    ...[
      'a<b>c',
      'a"b',
      'a|b',
      'a?b',
      'a*b',
      '%',
      '%%',
      '%41%',
      'a%',
      '\0',
      '\x1b[2J',
      'a\x7f',
      'a\x9b',
      'a\u0085b',
    ],
    ...[
      'a\r\nb',
      'a\u2028b',
      'a\tb',
      '`id`',
      '$(id)',
      'a;b',
      'a&b',
      '!!',
      '#',
      '@',
      '+a',
      "a'b",
      '{a,b}',
    ],
    ...[
      'Ã¤.txt',
      'â\u0082¬',
      'ä',
      'ı',
      'ß',
      'constructor',
      '__proto__',
      'undefined',
      'null',
      'NaN',
    ],
  ])('makes %j safe, also with a hash and a type', (proposed) => {
    expectSafe(safeFileName(proposed));
    expectSafe(safeFileName(proposed, { url: U, contentType: 'text/html' }));
    // What was made once stays.
    expect(safeFileName(safeFileName(proposed))).toBe(safeFileName(proposed));
  });

  it.each([
    ['desktop.ini', '_desktop.ini'],
    ['Thumbs.DB', '_Thumbs.DB'],
    ['autorun.inf', '_autorun.inf'],
    ['invoice.pdf.lnk', 'invoice.pdf.lnk.download'],
    ['a.URL', 'a.URL.download'],
    ['a.url. ', 'a.url.download'],
    ['@x.scf', '@x.scf.download'],
    ['a.library-ms', 'a.library-ms.download'],
    [
      'a.{21EC2020-3AEA-1069-A2DD-08002B30309D}',
      'a.{21EC2020-3AEA-1069-A2DD-08002B30309D}.download',
    ],
    ['my-desktop.ini', 'my-desktop.ini'],
    ['curl', 'curl'],
  ])('lets nothing be run by a look into the folder: %j is %s', (proposed, name) => {
    expect(safeFileName(proposed)).toBe(name);
    expectSafe(name);
  });

  it('keeps an extension when it cuts, between characters', () => {
    for (const letter of ['x', 'ä', '€', '😀']) {
      const name = safeFileName(`${letter.repeat(300)}.tar.GZ`, { url: U });
      expect(name).toMatch(/-[0-9a-f]{16}\.GZ$/);
      expect(Buffer.byteLength(name)).toBeGreaterThan(230);
      expectSafe(name);
    }
  });

  it('gives a name without an extension that of its type', () => {
    const contentType = 'Text/HTML; charset=utf-8';
    expect(safeFileName('page', { contentType })).toBe('page.html');
    expect(safeFileName('page.php', { contentType })).toBe('page.php');
    expect(safeFileName('v1.2 final', { contentType })).toBe('v1.2 final.html');
    expect(safeFileName('page', { contentType: 'constructor' })).toBe('page');
    expect(safeFileName('con', { contentType })).toBe('_con.html');
  });

  it('never gives two URLs one name, and one URL always the same', () => {
    const urls = ['/A', '/a', '/a?x', '/a?X', '/a/', '/b'].map(
      (path) => `https://a.example${path}`,
    );
    urls.push('http://a.example/a', 'https://a.example:81/a');
    const names = urls.map((url) => safeFileName('same.pdf', { url }).toLowerCase());
    expect(new Set(names).size).toBe(urls.length);
    expect(safeFileName('a', { url: `${U}#1` })).toBe(safeFileName('a', { url: `${U}#2` }));
    expect(safeFileName('a.pdf', { url: 'https://a.example/1' })).toBe('a-d817b80f9a5befb9.pdf');
  });

  it('is safe whatever it is given', () => {
    const part = fc.constantFrom(
      '..',
      '/',
      '\\',
      '%2f',
      '%',
      '.',
      ' ',
      'con',
      ':',
      '\0',
      '\u202e',
      'é',
      '😀',
      'a',
      '-',
      '~',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, fc.boolean(), fc.string(), (proposed, hasUrl, contentType) => {
        expectSafe(safeFileName(proposed, { contentType, ...(hasUrl ? { url: U } : {}) }));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes linear time', () => {
    for (const piece of ['.', ' ', 'a.', '%2f', '\u0301', '/ ']) {
      expect(cpuTime(() => safeFileName(piece.repeat(20_000)), 3)).toBeLessThan(100);
    }
  });
});

describe('filePathOf', () => {
  it.each([
    ['https://a.example/', 'a.example/index-HASH'],
    ['https://a.example/docs/a%20b.pdf?x=1', 'a.example/docs/a b-HASH.pdf'],
    ['http://[::1]:8080/a', '[_1]/a-HASH'],
    ['http://bücher.example/ä', 'xn--bcher-kva.example/ä-HASH'],
    ['http://h.example/a%2f..%2f..%2fb/..%2f..%2fc', 'h.example/a_.._.._b/c-HASH'],
    ['http://h.example/con/nul.txt', 'h.example/_con/_nul-HASH.txt'],
    ['http://h.example//x', 'h.example/x-HASH'],
  ])('%s is %s', (url, path) => {
    expect(filePathOf(url).replace(/[0-9a-f]{16}/, 'HASH')).toBe(path);
    expectSafePath(filePathOf(url));
  });

  it('ends a deep path', () => {
    const path = filePathOf(`https://a.example/${`${'d'.repeat(200)}/`.repeat(200)}x.png`);
    expect(path.split('/')).toHaveLength(10);
    expectSafePath(path);
  });

  it('never puts a file where another needs a folder', () => {
    const file = filePathOf('https://a.example/a');
    const below = filePathOf('https://a.example/a/b');
    expect(below.startsWith(`${file}/`)).toBe(false);
  });

  it.each([undefined, null, 5, [], {}])('refuses %j, which is no text', (value) => {
    expect(() => safeFileName(value as never)).toThrow('safeFileName: proposed: expected a string');
    expect(() => filePathOf(value as never)).toThrow('filePathOf: url: expected an absolute URL');
  });

  it('refuses wrong options', () => {
    expect(() => safeFileName('a', { uri: 'x' } as never)).toThrow('unknown option "uri"');
    expect(() => safeFileName('a', { url: 5 } as never)).toThrow('safeFileName: url: expected');
    expect(() => filePathOf('https://a.example/', { contentType: 5 } as never)).toThrow(
      'filePathOf: contentType: expected a string',
    );
  });

  it('refuses what is no URL', () => {
    expect(() => filePathOf('a.html')).toThrow(TypeError);
  });
});

describeShared('downloads', (folder) => {
  const names = JSON.parse(readFileSync(join(folder, 'file-names.json'), 'utf8')) as {
    names: { id: string; name: string }[];
    urls: { id: string; url: string }[];
  };
  const strings = JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8')) as string[];

  it.each(names.names)('$id: $name', ({ name }) => {
    expectSafe(safeFileName(name));
    expectSafe(safeFileName(name, { url: U, contentType: 'image/png' }));
  });

  it.each(names.urls)('$id: $url', ({ url }) => {
    expectSafePath(filePathOf(url));
    expect(filePathOf(url)).toBe(filePathOf(url));
  });

  it('no two URLs share a file', () => {
    const urls = [...new Set(names.urls.map(({ url }) => url.replace(/#.*/, '')))];
    const paths = urls.map((url) => filePathOf(url).toLowerCase());
    expect(new Set(paths).size).toBe(urls.length);
  });

  it('naughty strings', () => {
    for (const text of strings) {
      expectSafe(safeFileName(text));
      expectSafePath(
        filePathOf(`https://a.example/${encodeURIComponent(text.replace(/\p{Cs}/gu, ''))}/x`),
      );
    }
  });
});
