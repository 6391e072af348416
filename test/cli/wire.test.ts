import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run-cli.js';
import { startHttp2Server } from '../servers/http2-server.js';
import { startProxy } from '../servers/proxy-server.js';
import { type SitePages, startSite, type SiteServer } from '../servers/site-server.js';
import { startTlsServer } from '../servers/tls-server.js';
import { fakeSystem } from './fake-system.js';

const open: { close(): unknown }[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-wire-'));
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(folder, { recursive: true });
});
const kept = <T extends { close(): unknown }>(value: T): T => {
  open.push(value);
  return value;
};
const site = async (pages: SitePages): Promise<SiteServer> => kept(await startSite(pages));
const file = (name: string): string => join(folder, name);

/** Runs the command in this process, over HTTP. */
async function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; pages: string[]; err: string }> {
  const system = fakeSystem({ env });
  const code = await runCli(['--retries', '0', ...argv], system);
  const pages = system
    .out()
    .split('\n')
    .filter((line) => line.startsWith('{"type":"page"'))
    .map((line) => new URL((JSON.parse(line) as { url: string }).url).pathname);
  return { code, pages, err: system.err() };
}

describe('--cookies', () => {
  const pages: SitePages = (path) =>
    path === '/' ? { headers: { 'set-cookie': 'sid=secret1; Max-Age=9999' } } : undefined;

  it('keeps cookies in a file for its owner alone, and sends them the next time', async () => {
    const { url, log } = await site(pages);
    const argv = ['--no-robots', '--cookies', file('jar.json'), url('/')];
    for (let round = 0; round < 2; round++) expect((await run(argv)).code).toBe(0);
    expect(log.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, 'sid=secret1']);
    if (process.platform !== 'win32') {
      expect((await stat(file('jar.json'))).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(folder)).toEqual(['jar.json']);
  });

  it.each([
    ['no JSON {secret1}', 'the text is not JSON'],
    ['{"format":"other"}', '"format" is not "rxcrawl-cookies-1"'],
    ['{"format":"rxcrawl-cookies-1","cookies":[{"name":"secret1"}]}', 'cookie 1 lacks a field'],
  ])('refuses a file that holds %s, and leaves it alone', async (text, message) => {
    await writeFile(file('jar.json'), text);
    const { code, err } = await run(['--cookies', file('jar.json'), 'http://127.0.0.1:9/']);
    expect(code).toBe(2);
    expect(err).toContain('option --cookies: expected a file that this command has written');
    expect(err).toContain(message);
    expect(err).not.toContain('secret1');
    expect(await readFile(file('jar.json'), 'utf8')).toBe(text);
  });

  it('ends with 3 before anything is fetched if there is no such folder', async () => {
    const { url, log } = await site(pages);
    const { code, err } = await run(['--cookies', file('none/jar.json'), url('/')]);
    expect(code).toBe(3);
    expect(err).toMatch(/cannot write .*jar\.json: .*ENOENT/);
    expect(log.requests).toHaveLength(0);
  });
});

describe('--cache', () => {
  it('asks only whether pages have changed, and finds their links again', async () => {
    const { url, log } = await site((path, { headers }) => {
      if (path === '/robots.txt') return undefined;
      if (headers['if-none-match'] !== undefined) return { status: 304 };
      return { headers: { etag: '"1"' }, body: path === '/' ? '<a href="/a">a</a>' : 'leaf' };
    });
    const argv = ['--cache', file('pages/of/mine'), url('/')];
    expect((await run(argv)).pages).toEqual(['/', '/a']);
    expect((await run(argv)).pages).toEqual(['/', '/a']);
    const asked = log.requests.filter(({ path }) => path !== '/robots.txt');
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([
      ...[undefined, undefined],
      ...['"1"', '"1"'],
    ]);
  });

  it('ends with 3 before anything is fetched if it can be no folder', async () => {
    await writeFile(file('taken'), '');
    const { code, err } = await run(['--cache', file('taken'), 'http://127.0.0.1:9/']);
    expect(code).toBe(3);
    expect(err).toMatch(/cannot write .*taken: .*EEXIST/);
  });
});

describe('--proxy', () => {
  it('sends everything through a proxy, whose password is never shown', async () => {
    const proxy = kept(await startProxy({ credentials: 'me:s3cret' }));
    const { url } = await site(() => 'x');
    const right = await run(['-vv', '--proxy', proxy.withCredentials('me:s3cret'), url('/')]);
    expect(right.pages).toEqual(['/']);
    expect(proxy.requests.map(({ target }) => target)).toEqual([url('/robots.txt'), url('/')]);
    const wrong = await run(['-vv', '--proxy', proxy.withCredentials('me:wr0ng'), url('/')]);
    expect(wrong.code).toBe(4);
    expect(wrong.err).toContain('proxy-failed');
    expect(right.err + wrong.err).not.toMatch(/s3cret|wr0ng/);
  });

  it('takes that of the environment only if told to', async () => {
    const proxy = kept(await startProxy());
    const { url } = await site(() => 'x');
    const env = { http_proxy: proxy.origin };
    expect((await run([url('/')], env)).code).toBe(0);
    expect(proxy.requests).toHaveLength(0);
    expect((await run(['--proxy', 'env', url('/')], env)).code).toBe(0);
    expect(proxy.requests).toHaveLength(2);
    const broken = await run(['--proxy', 'env', url('/')], { http_proxy: 'socks5://a:b@c' });
    expect(broken.code).toBe(2);
    expect(broken.err).toContain('environment variable http_proxy: expected a URL');
  });
});

describe('--insecure', () => {
  it('checks no certificate of that host, and says so at every verbosity', async () => {
    const server = kept(await startTlsServer('self-signed'));
    const argv = ['--no-robots', '-q', server.url('localhost')];
    expect((await run(argv)).code).toBe(4);
    const { code, err } = await run(['--insecure', 'LOCALHOST', ...argv]);
    expect(code).toBe(0);
    expect(err).toBe('warning the certificate of localhost is not checked (--insecure)\n');
  });
});

describe('--allow-private', () => {
  it('is passed on', async () => {
    const { url } = await site(() => 'x');
    expect((await run(['--allow-private', url('/')])).pages).toEqual(['/']);
  });
});

describe('--http2', () => {
  it('speaks it with a server that chooses it', async () => {
    const server = kept(await startHttp2Server());
    const argv = ['--no-robots', '--insecure', '127.0.0.1', `${server.origin}/ok`];
    await run(argv);
    expect(server.requests).toHaveLength(0);
    expect((await run(['--http2', ...argv])).code).toBe(0);
    expect(server.requests).toHaveLength(1);
  });
});

describe('--rate and --retry-after-cap', () => {
  it('spread requests evenly', async () => {
    const { url, log } = await site((path) => (path === '/' ? '<a href="/a">a</a>' : 'x'));
    expect((await run(['--no-robots', '--rate', '10/s', url('/')])).pages).toEqual(['/', '/a']);
    const [first, second] = log.requests.map(({ startedAt }) => startedAt);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(95);
  });

  it('give a host up that asks to wait too long', async () => {
    const { url } = await site(() => ({ status: 503, headers: { 'retry-after': '60' } }));
    const { code } = await run(['--no-robots', '--retry-after-cap', '1s', url('/')]);
    expect(code).toBe(4);
  });
});

describe('bad input', () => {
  it.each([
    [['--proxy', 'socks5://me:s3cret@p.example'], 'option --proxy: expected an http or https URL'],
    [['--proxy', 'me:s3cret@p.example:3128'], 'option --proxy: expected an http or https URL'],
    [['--proxy', ''], 'option --proxy: expected an http or https URL'],
    [['--insecure', 'https://a.example'], 'option --insecure: expected a host name'],
    [['--insecure', 'a.example:443'], 'option --insecure: expected a host name'],
    [['--insecure', ''], 'option --insecure: expected a host name'],
    [['--cookies', ''], 'option --cookies: expected the path of a file'],
    [['--cookies', '-'], 'option --cookies: expected the path of a file'],
    [['--cache', 'a\0b'], 'option --cache: expected the path of a folder'],
    [['--rate', '60'], 'option --rate: expected a number per s, m or h, such as 60/m, got "60"'],
    [['--rate', '0/m'], 'option --rate'],
    [['--rate', '1/d'], 'option --rate'],
    [['--retry-after-cap', '5'], 'option --retry-after-cap: expected a duration'],
    [['--http2=yes'], "unknown option '--http2=yes'"],
    [['-H', 'X-A: a\rb'], 'option -H, --header x-a: expected a value without control'],
    [['--user-agent', '123'], 'option --user-agent: expected a product name first'],
  ])('%j is refused with exit code 2', async (argv, message) => {
    const { code, err } = await run([...argv, 'http://127.0.0.1:9/']);
    expect(code).toBe(2);
    expect(err.toLowerCase()).toContain(message.toLowerCase());
    expect(err).not.toContain('s3cret');
  });
});
