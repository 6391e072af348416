import { describe, expect, it } from 'vitest';
import { requestKey } from 'rxcrawl';
import { bodyHash } from '../../src/url/body-hash.js';

const url = 'http://h.test/p#top';

describe('requestKey', () => {
  it('is the canonical URL for a GET', () => {
    expect(requestKey({ url })).toBe('http://h.test/p');
    expect(requestKey({ url, method: 'GET' })).toBe('http://h.test/p');
    expect(requestKey({ url, method: 'get' })).toBe('http://h.test/p');
    expect(requestKey({ url: 'http://u:p@h.test/%7E' })).toBe('http://h.test/~');
  });

  it('tells methods and bodies apart', () => {
    const requests = [
      { url },
      { url, method: 'HEAD' },
      { url, method: 'POST' },
      { url, method: 'POST', body: '' },
      { url, method: 'POST', body: 'body=1' },
      { url, method: 'POST', body: 'body=2' },
      { url, body: 'body=1' },
    ];
    expect(new Set(requests.map((one) => requestKey(one))).size).toBe(requests.length);
  });

  it('is the same for text and for its bytes, and holds neither', () => {
    const text = requestKey({ url, method: 'post', body: 'pässword=1' });
    const body = new TextEncoder().encode('pässword=1');
    expect(requestKey({ url, method: 'POST', body })).toBe(text);
    expect(text).toMatch(/^POST http:\/\/h\.test\/p [0-9a-f]{32}$/);
  });

  it('follows the policy', () => {
    const policy = { sortQuery: true } as const;
    expect(requestKey({ url: 'http://h.test/?b&a' }, policy)).toBe('http://h.test/?a&b');
  });
});

describe('bodyHash', () => {
  it('is MurmurHash3 (published values)', () => {
    expect(bodyHash('')).toBe('00000000000000000000000000000000');
    expect(bodyHash('The quick brown fox jumps over the lazy dog')).toBe(
      '2f1583c3ecee2c675d7bf66ce5e91d2c',
    );
  });

  it('depends on each byte and on the length', () => {
    const hashes = new Set<string>();
    for (let length = 0; length < 40; length += 1) {
      for (let at = 0; at <= length; at += 1) {
        const bytes = new Uint8Array(length);
        if (at < length) bytes[at] = 1;
        hashes.add(bodyHash(bytes));
      }
    }
    expect(hashes.size).toBe((40 * 41) / 2);
  });

  it('reads only its own part of a larger buffer', () => {
    const buffer = new TextEncoder().encode('xxxa body of some length beyond a block');
    expect(bodyHash(buffer.subarray(3))).toBe(bodyHash('a body of some length beyond a block'));
  });
});
