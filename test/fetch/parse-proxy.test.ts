import { describe, expect, it } from 'vitest';
import { parseProxy } from '../../src/fetch/parse-proxy.js';

describe('parseProxy', () => {
  it('reads scheme, host, port and credentials', () => {
    expect(parseProxy('proxy', 'http://us%40er:p%3Aw@proxy.example:3128/')).toEqual({
      origin: 'http://proxy.example:3128',
      protocol: 'http:',
      hostname: 'proxy.example',
      host: 'proxy.example:3128',
      port: '3128',
      authorization: `Basic ${Buffer.from('us@er:p:w').toString('base64')}`,
    });
    expect(parseProxy('proxy', 'https://[::1]:8443')).toMatchObject({
      hostname: '::1',
      authorization: undefined,
    });
  });

  it.each<[unknown, string]>([
    ...['socks', 'socks4', 'socks5', 'socks5h'].map((scheme): [string, string] => [
      `${scheme}://me:secret@proxy.example`,
      `one with the scheme "${scheme}:"; SOCKS proxies are not supported`,
    ]),
    ['ftp://proxy.example', 'one with the scheme "ftp:"'],
    ['me:secret@proxy.example:3128', 'one with the scheme "me:"'],
    ['//me:secret@proxy.example', 'got "proxy.example"'],
    ['http://me:secret@proxy.example/path', 'one with a path for "proxy.example"'],
    ['http://', 'got "http://"'],
    ['', 'got ""'],
    [undefined, 'got undefined'],
    [null, 'got null'],
    [8080, 'got number'],
  ])('refuses %j without showing a secret', (text, message) => {
    const refuse = (): unknown => parseProxy('option --proxy', text);
    expect(refuse).toThrow(TypeError);
    expect(refuse).toThrow('option --proxy: expected a URL such as "http://proxy.example:3128"');
    expect(refuse).toThrow(message);
    expect(refuse).not.toThrow('secret');
  });
});
