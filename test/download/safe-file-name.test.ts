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
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  expect(segment).not.toMatch(/[\0-\x1f\x7f-\x9f/\\:<>|?*"%\u200b-\u200f\u202a-\u202e\u2215]/);
  expect(segment).not.toMatch(/[. ]$/);
  expect(segment).not.toMatch(/^[. ~-]/);
  expect(segment).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
  expect(segment).toBe(segment.normalize('NFC'));
  expect(segment).not.toMatch(/\p{Cs}/u);
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
