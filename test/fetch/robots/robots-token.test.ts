import { describe, expect, it } from 'vitest';
import { isProductToken, robotsToken } from '../../../src/fetch/robots/index.js';

describe('robotsToken', () => {
  it.each([
    ['ExampleBot', 'ExampleBot'],
    ['ExampleBot/1.0 (+https://bot.example/)', 'ExampleBot'],
    ['example_bot-news 2', 'example_bot-news'],
    ['Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/)', 'ExampleBot'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla'],
  ])('%s is known as %s', (userAgent, token) => {
    expect(robotsToken(userAgent)).toBe(token);
  });

  it.each(['', ' ExampleBot', '1bot', '/1.0', 'ツ'])('refuses %j', (userAgent) => {
    expect(() => robotsToken(userAgent)).toThrow(TypeError);
    expect(() => robotsToken(userAgent)).toThrow(/userAgent: expected .* got /);
  });
});

it('refuses what is no text', () => {
  expect(() => robotsToken(undefined as unknown as string)).toThrow('expected a string');
});

describe('isProductToken', () => {
  it('takes letters, _ and - only', () => {
    expect(['Foobot', 'Foo_Bot-news'].filter(isProductToken)).toHaveLength(2);
    expect(
      ['', 'ツ', 'Foobot*', ' Foobot ', 'Foobot/2.1', 'Foo bot', 'bot1'].filter(isProductToken),
    ).toEqual([]);
  });
});
