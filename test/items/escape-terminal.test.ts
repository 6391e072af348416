import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeLogLine, escapeTerminal } from '../../src/items/index.js';
import { describeShared } from '../helpers/shared-cases.js';

/** Whether a terminal would read any of this as an order. Written apart from the code it checks. */
function commandsTerminal(text: string): boolean {
  return Array.from(text, (character) => character.codePointAt(0)!).some(
    (code) =>
      code < 0x20 ||
      (code >= 0x7f && code <= 0x9f) ||
      code === 0x061c ||
      code === 0x200e ||
      code === 0x200f ||
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x206f),
  );
}

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\u0007', '\r', '\n', '\b', '\u202e', '\u2066', '\u2028'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('escapeTerminal', () => {
  it.each([
    ['colour', '\u001b[31mred', '\\u001b[31mred'],
    ['one-byte sequence start', '\u009b31m', '\\u009b31m'],
    ['window title', '\u001b]0;pwned\u0007', '\\u001b]0;pwned\\u0007'],
    ['backspaces', 'abc\b\b', 'abc\\b\\b'],
    ['carriage return', 'good\rbad', 'good\\rbad'],
    ['line feed and tab', 'a\n\tb', 'a\\n\\tb'],
    ['delete', 'a\u007f', 'a\\u007f'],
    ['right-to-left override', '\u202egpj.exe', '\\u202egpj.exe'],
    ['isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
  ])('shows %s', (_, text, shown) => {
    expect(escapeTerminal(text)).toBe(shown);
  });

  // Every way into an order that terminals know, in seven and in eight bits.
  it.each([
    ...['\x1b[', '\x1b]', '\x1bP', '\x1bX', '\x1b^', '\x1b_', '\x1bN', '\x1bO', '\x1bc', '\x1b#8'],
    ...[
      '\x9b',
      '\x9d',
      '\x90',
      '\x98',
      '\x9e',
      '\x9f',
      '\x8e',
      '\x8f',
      '\x84',
      '\x85',
      '\x8d',
      '\x9c',
    ],
    ...['\x1b]0;t\x07', '\x1b]8;;http://x\x1b\\', '\x1b]52;c;aGk=\x07', '\x1b]4;1;?\x07'],
    ...[
      '\x1b[6n',
      '\x1b[c',
      '\x1b[21t',
      '\x1b[?1049h',
      '\x1b[2J',
      '\x1b[200~',
      '\x1b[5i',
      '\x1b[!p',
    ],
    ...['\x1bP$q"p\x1b\\', '\x1bP+q544e\x1b\\', '\x1b_Gi=1;AAAA\x1b\\', '\x1b%G', '\x1b(0', '\x0e'],
    ...[
      '\0',
      '\x05',
      '\x07',
      '\b',
      '\v',
      '\f',
      '\r',
      '\x0f',
      '\x11',
      '\x13',
      '\x18',
      '\x1a',
      '\x7f',
    ],
    ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
    ...['\u2066', '\u2067', '\u2068', '\u2069', '\u206a', '\u206f'],
  ])('shows %j', (order) => {
    const shown = escapeTerminal(`a${order}b`);
    expect(commandsTerminal(shown)).toBe(false);
    expect(JSON.parse(escapeTerminal(JSON.stringify(order)))).toBe(order);
    expect(escapeLogLine(`a${order}b`)).toBe(shown);
  });

  it('leaves other scripts, emoji and backslashes alone', () => {
    const text = 'Grüße 你好 שלום 👩‍🚀 C:\\temp';
    expect(escapeTerminal(text)).toBe(text);
  });

  it('never lets a terminal order through', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(commandsTerminal(escapeTerminal(text))).toBe(false);
      }),
    );
  });

  it('keeps JSON valid and its value the same', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(JSON.parse(escapeTerminal(JSON.stringify({ text })))).toEqual({ text });
      }),
    );
  });
});

describe('escapeLogLine', () => {
  it('escapes every kind of line break', () => {
    expect(escapeLogLine('a\nb\rc\u0085d\u2028e\u2029f')).toBe('a\\nb\\rc\\u0085d\\u2028e\\u2029f');
  });

  it('always gives one line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(escapeLogLine(text)).not.toMatch(/[\n\v\f\r\u0085\u2028\u2029]/);
      }),
    );
  });
});

describeShared('security/output.json', (path) => {
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as {
    cases: { id: string; value: string; expect: Record<string, string> }[];
  };
  it.each(cases.filter((one) => one.expect['terminal'] !== undefined))('$id', ({ value }) => {
    expect(commandsTerminal(escapeTerminal(value))).toBe(false);
    expect(escapeLogLine(value)).not.toMatch(/[\n\r]/);
  });
});
