import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../src/core/bounded-map.js';

describe('BoundedMap', () => {
  it('keeps what is used and forgets the rest', () => {
    const map = new BoundedMap<number, string>(10);
    map.set(0, 'zero');
    for (let key = 1; key <= 100; key += 1) {
      map.set(key, String(key));
      expect(map.get(0)).toBe('zero');
      expect(map.size).toBeLessThanOrEqual(10);
    }
    expect(map.get(100)).toBe('100');
    expect(map.get(1)).toBeUndefined();
  });

  it('replaces values', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    expect(map.get('a')).toBe(3);
  });

  it('deletes, whenever an entry was used', () => {
    const map = new BoundedMap<number, string>(4);
    for (let key = 0; key < 4; key += 1) map.set(key, 'x');
    map.delete(0);
    map.delete(3);
    expect([0, 1, 2, 3].map((key) => map.get(key))).toEqual([undefined, 'x', 'x', undefined]);
  });
});
