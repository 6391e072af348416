import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { exampleUrl } from '../../src/core/example-url.js';
import { toRequest } from '../../src/core/to-request.js';

describe('exampleUrl', () => {
  it.each([
    ['shop.example', 'https://shop.example'],
    ['www.shop.example:8080/a?b#c', 'https://www.shop.example:8080/a?b#c'],
    ['192.0.2.7/x', 'https://192.0.2.7/x'],
    ['localhost', 'https://example.org/'],
    ['/a', 'https://example.org/'],
    ['user:secret@shop.example', 'https://example.org/'],
    ['a b.example', 'https://example.org/'],
    ['http://', 'https://example.org/'],
    [`${'a.'.repeat(200)}example`, 'https://example.org/'],
    [7, 'https://example.org/'],
  ])('of %j is %s', (given, example) => {
    expect(exampleUrl(given)).toBe(example);
  });

  it('stands in what a seed is told, and whoever makes a request', () => {
    expect(toRequest('shop.example')).toMatchObject({
      type: 'skip',
      detail: 'expected an absolute URL such as "https://shop.example"',
    });
    expect(() => request('shop.example')).toThrow('such as "https://shop.example"');
  });
});
