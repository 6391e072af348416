import { describe, expect, it } from 'vitest';
import { CrawlError, type CrawlErrorCode, request, retryPolicy } from '../../src/core/index.js';

const get = request('https://a.example/');
const failed = (code: CrawlErrorCode, status?: number, asked = get) => ({
  request: asked,
  error: new CrawlError(code, 'failed', status === undefined ? {} : { status }),
  response: undefined,
});

describe('retryPolicy', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 522, 524])('tries status %s again', (status) => {
    expect(retryPolicy()(1, failed('http-status', status))).not.toBeNull();
  });

  it.each([200, 301, 400, 401, 403, 404, 405, 410, 414, 451, 501, 505])(
    'takes status %s as it is',
    (status) => {
      expect(retryPolicy()(1, failed('http-status', status))).toBeNull();
    },
  );

  it.each<CrawlErrorCode>([
    'connection-refused',
    'connection-reset',
    'timeout-headers',
    'truncated',
  ])('tries again after %s', (code) => {
    expect(retryPolicy()(1, failed(code))).not.toBeNull();
  });

  it.each<CrawlErrorCode>([
    'dns-not-found',
    'tls-expired',
    'too-large',
    'headers-too-large',
    'protocol-error',
    'handler-failed',
    'redirect-loop',
  ])('gives up after %s', (code) => {
    expect(retryPolicy()(1, failed(code))).toBeNull();
  });

  it('makes two retries by default, and as many as it is told', () => {
    const attempts = (policy = retryPolicy()): boolean[] =>
      [1, 2, 3, 4].map((attempt) => policy(attempt, failed('connection-reset')) !== null);
    expect(attempts()).toEqual([true, true, false, false]);
    expect(attempts(retryPolicy({ retries: 0 }))).toEqual([false, false, false, false]);
    expect(attempts(retryPolicy({ retries: 3 }))).toEqual([true, true, true, false]);
  });

  it('waits between half and one and a half times the doubled base, up to the cap', () => {
    for (const [attempt, middle] of [
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
      [9, 30_000],
    ] as const) {
      const waitWith = (random: number): number | null =>
        retryPolicy({ retries: 10, random: () => random })(attempt, failed('truncated'));
      expect([waitWith(0), waitWith(0.5), waitWith(0.999_999)]).toEqual([
        middle * 0.5,
        middle,
        middle * 1.5,
      ]);
    }
  });

  it('sends a POST again only when told that it is safe', () => {
    const post = request('https://a.example/', { method: 'POST', body: 'x' });
    const outcome = failed('connection-reset', undefined, post);
    expect(retryPolicy()(1, outcome)).toBeNull();
    expect(retryPolicy({ methods: ['POST'] })(1, outcome)).not.toBeNull();
  });

  it('refuses options that make no sense, and names them', () => {
    expect(() => retryPolicy({ retries: -1 })).toThrow(/retries: expected a whole number.*got -1/);
    expect(() => retryPolicy({ base: NaN })).toThrow(/base: expected a time.*got NaN/);
  });
});
