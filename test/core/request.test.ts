import { describe, expect, it } from 'vitest';
import { isRequest, request, withRequest } from '../../src/core/index.js';

describe('request', () => {
  it('drops the fragment and keeps everything else of the URL', () => {
    expect(request('HTTP://Example.org:80/a/../b?x=1#frag').url).toBe('http://example.org/b?x=1');
  });

  it('has defaults for everything but the URL', () => {
    expect({ ...request('https://a.example/') }).toStrictEqual({
      url: 'https://a.example/',
      key: 'https://a.example/',
      depth: 0,
      referrer: undefined,
      label: undefined,
      priority: 0,
      method: 'GET',
      headers: undefined,
      body: undefined,
      context: undefined,
    });
  });

  it('upper-cases the method and lower-cases header names', () => {
    const made = request('https://a.example/', { method: 'post', headers: { 'X-One': 'A' } });
    expect(made.method).toBe('POST');
    expect(made.headers).toEqual({ 'x-one': 'A' });
  });

  it('gives other methods and bodies a key of their own', () => {
    const keys = [
      request('https://a.example/'),
      request('https://a.example/', { method: 'HEAD' }),
      request('https://a.example/', { method: 'POST', body: '1' }),
      request('https://a.example/', { method: 'POST', body: '2' }),
      request('https://a.example/', { method: 'POST', body: Uint8Array.of(1, 2) }),
    ].map((made) => made.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('refuses what is no absolute URL, and says what it got', () => {
    expect(() => request('/relative')).toThrow(/expected an absolute URL.*got "\/relative"/);
  });

  it('is told from items by its brand', () => {
    expect(isRequest(request('https://a.example/'))).toBe(true);
    expect(isRequest({ ...request('https://a.example/') })).toBe(false);
    expect(isRequest(null)).toBe(false);
    expect(isRequest('https://a.example/')).toBe(false);
  });

  it('can be copied with changes', () => {
    const copy = withRequest(request('https://a.example/', { depth: 2 }), { label: 'again' });
    expect(copy).toMatchObject({ url: 'https://a.example/', depth: 2, label: 'again' });
    expect(isRequest(copy)).toBe(true);
  });
});
