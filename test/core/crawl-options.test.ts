import { describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlOptions,
  fingerprintSet,
  followRedirects,
  queued,
  retryPolicy,
  simple,
} from '../../src/core/index.js';
import { virtualSite } from '../../src/testing/index.js';

const { fetcher } = virtualSite('https://a.example', { '/': {} });
const wrong = (options: object) => () => crawl({ fetcher, ...options });

describe('a wrong option is refused when crawl() is called', () => {
  it.each<[option: string, values: readonly unknown[], expected: string]>([
    ['fetcher', [null, 'undici', {}], 'a function'],
    ['strategy', ['queued', 5, {}], 'a function'],
    ['parse', ['html', 1], 'a function'],
    ['handle', [5, []], 'a function'],
    ['sink', [5, 'stdout'], 'a function'],
    ['acceptStatus', [200], 'a function'],
    ['scope', ['host', ['a.example']], 'a function'],
    ['guards', ['x', {}], 'a list'],
    ['decorators', ['x', {}], 'a list'],
    ['key', ['url'], 'a function'],
    ['seen', [new Set()], 'a function'],
    ['hostKey', ['host'], 'a function'],
    ['retry', [3], 'a function'],
    ['random', [0.5], 'a function'],
    ['maxDepth', [-1, 1.5, NaN, '5'], 'a whole number of at least 0'],
    ['maxPages', [0, -1, 1.5, NaN, '5'], 'a whole number of at least 1'],
    ['maxLinksPerPage', [-1, NaN, '5'], 'a whole number of at least 0'],
    ['maxUrlLength', [0, NaN, '5'], 'a whole number of at least 1'],
    ['maxRedirects', [-1, NaN, '5'], 'a whole number of at least 0'],
    ['perHost', [0, -1, NaN, '2'], 'a whole number of at least 1'],
    ['seedLookahead', [0, NaN, '2'], 'a whole number of at least 1'],
    ['delay', [-1, NaN, 2 ** 31, Infinity, '500ms'], 'a time in milliseconds'],
    ['handlerTimeout', [-1, NaN, 2 ** 31, '60s'], 'a time in milliseconds'],
    ['drain', [-1, NaN, 2 ** 31, '10s'], 'a time in milliseconds'],
    ['jitter', [-0.1, 1.1, NaN, '0.5'], 'a number from 0 to 1'],
    ['pause$', [true, {}], 'an Observable'],
    ['stop$', [5, {}], 'an Observable'],
    ['scheduler', [5, {}], 'a scheduler'],
  ])('%s', (option, values, expected) => {
    for (const value of [...values, null]) {
      const make = wrong({ [option]: value });
      expect(make).toThrow(
        new RegExp(`^crawl: ${option.replace('$', '\\$')}: expected ${expected}.*, got `),
      );
    }
  });

  it('that is a number out of range is a RangeError, and one of another type a TypeError', () => {
    expect(wrong({ maxDepth: -1 })).toThrow(RangeError);
    expect(wrong({ maxDepth: '1' })).toThrow(TypeError);
    expect(wrong({ delay: -1 })).toThrow(RangeError);
    expect(wrong({ delay: '1' })).toThrow(TypeError);
    expect(wrong({ jitter: 2 })).toThrow(RangeError);
    expect(wrong({ jitter: '1' })).toThrow(TypeError);
  });

  it('names what was given', () => {
    expect(wrong({ maxPages: 'ten' })).toThrow(/got "ten"$/);
    expect(wrong({ handle: [] })).toThrow(/got an array$/);
    expect(wrong({ scope: {} })).toThrow(/got an object$/);
    expect(wrong({ maxDepth: crawl })).toThrow(/got function crawl$/);
  });

  it('whose name is unknown', () => {
    expect(wrong({ concurrency: 5 })).toThrow(
      /^crawl: unknown option "concurrency"; known are .*strategy/,
    );
    expect(wrong({ toString: 5 })).toThrow(/unknown option "toString"/);
  });

  it('and what is no object of options', () => {
    for (const options of [undefined, null, 5, 'https://a.example/']) {
      expect(() => crawl(options as unknown as CrawlOptions<never>)).toThrow(
        /^crawl: expected an object of options, got /,
      );
    }
  });

  it('but undefined stands for the default', () => {
    const names = ['strategy', 'handle', 'maxDepth', 'delay', 'pause$', 'stop$', 'scheduler'];
    expect(wrong(Object.fromEntries(names.map((name) => [name, undefined])))).not.toThrow();
  });
});

describe('a wrong argument is refused by the parts', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['simple(0)', () => simple(0), /^simple: concurrency: expected a whole number .* got 0$/],
    ['simple(-1)', () => simple(-1), /^simple: concurrency: expected .* got -1$/],
    ['simple(Infinity)', () => simple(Infinity), /^simple: concurrency: expected .* got Infinity$/],
    [
      "simple('4')",
      () => simple('4' as unknown as number),
      /expected a whole number or an Observable of them, got "4"$/,
    ],
    ['queued(0)', () => queued(0), /^queued: workers: expected a whole number .* got 0$/],
    ['queued(1.5)', () => queued(1.5), /^queued: workers: expected .* got 1.5$/],
    ['queued(Infinity)', () => queued(Infinity), /^queued: workers: expected .* got Infinity$/],
    [
      'queued({})',
      () => queued({} as unknown as number),
      /expected a whole number or an Observable of them, got an object$/,
    ],
    ['fingerprintSet(0)', () => fingerprintSet(0), /^fingerprintSet: expected .* got 0$/],
    ['fingerprintSet(NaN)', () => fingerprintSet(NaN), /^fingerprintSet: expected .* got NaN$/],
    [
      'retryPolicy retries',
      () => retryPolicy({ retries: -1 }),
      /^retryPolicy: retries: .* got -1$/,
    ],
    ['retryPolicy base', () => retryPolicy({ base: NaN }), /^retryPolicy: base: .* got NaN$/],
    [
      'followRedirects',
      () => followRedirects({ maxRedirects: 0.5 }),
      /^followRedirects: maxRedirects: .* got 0.5$/,
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(message);
  });

  it('by queued(), also in its options', () => {
    const wrongQueued = (options: object) => () => queued(4, options);
    expect(wrongQueued({ order: 'fifo' })).toThrow(
      /^queued: order: expected an order.*got "fifo"$/,
    );
    expect(wrongQueued({ frontier: 'memory' })).toThrow(/^queued: frontier: expected a function/);
    expect(wrongQueued({ ordr: 1 })).toThrow(/^queued: unknown option "ordr"/);
  });
});
