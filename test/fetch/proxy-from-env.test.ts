import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { type Environment, proxyFromEnv } from '../../src/fetch/index.js';

const P = 'http://p.example:1';
const Q = 'http://q.example:2';

describe('proxyFromEnv', () => {
  it.each<[Environment, string, string | undefined]>([
    [{}, 'http://a.example/', undefined],
    [{ http_proxy: P }, 'http://a.example/', P],
    [{ http_proxy: P }, 'https://a.example/', undefined],
    [{ https_proxy: P }, 'https://a.example/', P],
    [{ HTTPS_PROXY: P }, 'https://a.example/', P],
    [{ https_proxy: Q, HTTPS_PROXY: P }, 'https://a.example/', Q],
    // A header `Proxy` of a request to a CGI script.
    [{ HTTP_PROXY: P }, 'http://a.example/', undefined],
    [{ all_proxy: P, https_proxy: Q }, 'http://a.example/', P],
    [{ all_proxy: P, https_proxy: Q }, 'https://a.example/', Q],
    [{ http_proxy: 'p.example:1' }, 'http://a.example/', P],
    [{ http_proxy: ' ' }, 'http://a.example/', undefined],
  ])('%j sends %s to %s', (env, url, proxy) => {
    expect(proxyFromEnv(env)(request(url))).toBe(proxy);
  });

  it.each<[string, string, boolean]>([
    ['a.example', 'http://a.example/', true],
    ['a.example', 'http://www.a.example/', true],
    ['.a.example', 'http://www.a.example/', true],
    ['*.a.example', 'http://www.a.example/', true],
    ['a.example', 'http://aa.example/', false],
    ['b.example, A.EXAMPLE', 'http://a.example/', true],
    ['b.example a.example', 'http://a.example./', true],
    ['a.example:81', 'http://a.example/', false],
    ['a.example:81', 'http://a.example:81/', true],
    ['a.example:80', 'http://a.example/', true],
    ['127.0.0.1', 'http://127.0.0.1:8080/', true],
    ['::1', 'http://[::1]/', true],
    ['[::1]:80', 'http://[::1]/', true],
    ['0:0::1', 'http://[::1]/', true],
    ['10.0.0.0/8', 'http://10.255.0.1/', true],
    ['10.0.0.0/8', 'http://0xa.1/', true],
    ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['10.0.0.0/8', 'http://10.a.example/', false],
    ['192.168.5.77/24,fd00::/8', 'http://192.168.5.1/', true],
    ['192.168.5.77/24,fd00::/8', 'http://[fdab::1]/', true],
    ['192.168.5.77/24,fd00::/8', 'http://[fe80::1]/', false],
    ['1.2.3.4/32', 'http://1.2.3.5/', false],
    ['0.0.0.0/0', 'http://1.2.3.5/', true],
    ['*', 'http://anything.example/', true],
    ['', 'http://a.example/', false],
  ])('no_proxy=%s asks for %s directly: %j', (noProxy, url, direct) => {
    const choose = proxyFromEnv({ http_proxy: P, no_proxy: noProxy });
    expect(choose(request(url))).toBe(direct ? undefined : P);
  });

  it('reads the environment of the process, once', () => {
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = P;
    const choose = proxyFromEnv();
    process.env['http_proxy'] = Q;
    expect(choose(request('http://a.example/'))).toBe(P);
    if (before === undefined) delete process.env['http_proxy'];
    else process.env['http_proxy'] = before;
  });

  it.each(['10.0.0.0/33', '10.0.0/8', '10.0.0.0/', '10.0.0.0/x', 'fd00::/129', '1:2::3::4/8'])(
    'refuses the network %s',
    (entry) => {
      expect(() => proxyFromEnv({ no_proxy: `a.example,${entry}` })).toThrow(
        `environment variable no_proxy: expected a network such as "10.0.0.0/8", got "${entry}"`,
      );
    },
  );

  it('names the variable that cannot be used', () => {
    expect(() => proxyFromEnv({ https_proxy: 'socks5://me:secret@p.example' })).toThrow(
      'environment variable https_proxy: expected a URL such as',
    );
  });
});
