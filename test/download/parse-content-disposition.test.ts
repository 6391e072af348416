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
});
