import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretMasker, withoutUserInfo } from '../../src/cli/mask-secrets.js';

describe('withoutUserInfo', () => {
  it.each([
    ['https://a.example/@user', 'https://a.example/@user'],
    ['https://me:secret@a.example/p?q=@', 'https://a.example/p?q=@'],
    ['https://me@a.example/', 'https://a.example/'],
    ['http://me:pa/ss@a.example/', 'http://***@a.example/'],
    ['me:secret@a.example', '***@a.example'],
  ])('%s', (url, shown) => {
    expect(withoutUserInfo(url)).toBe(shown);
  });
});

describe('secretMasker', () => {
  const mask = secretMasker(['Bearer abcdef', 'abcdef', 'abc']);

  it.each([
    ['GET https://me:secret@a.example/x', 'GET https://***@a.example/x'],
    ['http://a:b@c:d@e.example/ and ftp://f:g@h/', 'http://***@e.example/ and ftp://***@h/'],
    ['"http://a.example/" mail me@b.example', '"http://a.example/" mail me@b.example'],
    ['http://a.example/?token=abc&q=1&API_Key=2', 'http://a.example/?token=***&q=1&API_Key=***'],
    ['http://a.example/?monkey=1&keyboard=2', 'http://a.example/?monkey=1&keyboard=2'],
    ['sent Bearer abcdef', 'sent ***'],
    ['echo: abcdef!', 'echo: ***!'],
    ['the abc stays, it is too short to be masked', 'the abc stays, it is too short to be masked'],
  ])('%s', (text, shown) => {
    expect(mask(text)).toBe(shown);
  });

  it('never shows the password of a URL, whatever stands around it', () => {
    const part = fc.stringMatching(/^[a-z0-9 :/@.?&=-]{0,12}$/);
    fc.assert(
      fc.property(part, part, (before, after) => {
        const shown = mask(`${before} https://me:hunter2@a.example/${after}`);
        expect(shown).not.toContain('hunter2');
      }),
    );
  });

  it('takes linear time', () => {
    const start = performance.now();
    mask('://@'.repeat(100_000));
    mask('&a'.repeat(200_000));
    mask('://' + 'a'.repeat(400_000));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
