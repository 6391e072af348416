import { describe, expect, it } from 'vitest';
import { assertEqual } from '../../src/testing/assert-equal.js';

class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}
const cycle = (): object => {
  const made: Record<string, unknown> = { a: 1 };
  made['self'] = made;
  return made;
};

describe('assertEqual', () => {
  it.each([
    ['key order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['bytes', Uint8Array.of(1, 2), Uint8Array.of(1, 2)],
    ['maps and sets', new Map([['a', new Set([1])]]), new Map([['a', new Set([1])]])],
    ['cycles', cycle(), cycle()],
    ['NaN', NaN, NaN],
    ['instances', new Point(1), new Point(1)],
    ['big numbers', 1n, 1n],
    ['URLs', new URL('https://a.example'), new URL('https://a.example')],
  ])('passes for equal %s', (_kind, a, b) => {
    expect(() => assertEqual(a, b)).not.toThrow();
  });

  it.each([
    ['text and number', '1', 1],
    ['undefined and absent', { a: undefined }, {}],
    ['classes', new Point(1), { x: 1 }],
    ['bytes', Uint8Array.of(1), Uint8Array.of(2)],
    ['lengths', [1], [1, undefined]],
    ['zeros', 0, -0],
    ['dates', new Date(0), new Date(1)],
    ['errors', new Error('a'), new TypeError('a')],
    ['nested', [{ a: [1, { b: 2 }] }], [{ a: [1, { b: 3 }] }]],
  ])('throws for different %s', (_kind, a, b) => {
    expect(() => assertEqual(a, b)).toThrow(/expected, \+ actual/);
  });
});
