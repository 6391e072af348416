import { describe, expect, it } from 'vitest';
import { memoryCache } from '../../../src/fetch/index.js';

const response = (bytes: number) => ({
  status: 200,
  headers: {},
  body: new Uint8Array(bytes),
  at: 0,
  vary: {},
});

describe('memoryCache', () => {
  it('keeps within its bytes, and forgets first what was used longest ago', () => {
    const store = memoryCache({ maxBytes: 10_000 });
    for (const key of ['a', 'b', 'c']) store.set(key, response(2_500));
    store.get('a');
    store.set('d', response(2_500));
    const kept = ['a', 'b', 'c', 'd'].filter((key) => store.get(key) !== undefined);
    expect(kept).toEqual(['a', 'c', 'd']);
  });

  it('counts what takes the place of another once, and frees what is deleted', () => {
    const store = memoryCache({ maxBytes: 10_000 });
    store.set('a', response(2_500));
    for (let round = 0; round < 20; round++) store.set('b', response(4_000));
    expect(store.get('a')).toBeDefined();
    store.delete('b');
    store.delete('b');
    store.set('c', response(4_000));
    expect(store.get('a')).toBeDefined();
  });

  it('does not keep what is larger than all its room', () => {
    const store = memoryCache({ maxBytes: 1_000 });
    store.set('a', response(10));
    store.set('b', response(1_000));
    expect(store.get('a')).toBeDefined();
    expect(store.get('b')).toBeUndefined();
    store.set('a', response(1_000));
    expect(store.get('a')).toBeUndefined();
  });

  it('refuses a size that is none', () => {
    expect(() => memoryCache({ maxBytes: 0 })).toThrow('memoryCache: maxBytes');
  });
});
