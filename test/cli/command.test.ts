import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BuiltCommand, buildCommand, watch } from './built-command.js';
import { sendPage, type TestPages, type TestSite, testSite } from './test-site.js';

let command: BuiltCommand;
let folder: string;
const sites: TestSite[] = [];

beforeAll(async () => {
  command = await buildCommand();
}, 60_000);
afterAll(() => command.remove());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-e2e-'));
});
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
  await rm(folder, { recursive: true });
});

async function serve(pages: TestPages, robots?: string): Promise<TestSite> {
  const site = await testSite(pages, robots);
  sites.push(site);
  return site;
}

/** `/` links to `/1` … `/9`, and one page that is missing. */
const NUMBERS = Array.from({ length: 9 }, (_, index) => `/${index + 1}`);
const tenPages: TestPages = (path, _request, response) => {
  if (path !== '/missing') return path === '/' ? [...NUMBERS, '/missing'] : ['/'];
  response.writeHead(404).end();
  return undefined;
};

/** Parses text that must be whole lines of JSON. */
function records(text: string): Record<string, unknown>[] {
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function pathsOf(text: string, type = 'page'): string[] {
  return records(text)
    .filter((record) => record['type'] === type)
    .map(({ url }) => new URL(String(url)).pathname)
    .sort();
}

describe('rxcrawl', () => {
  it.each([[[]], [['--strategy', 'simple']]])('crawls a site once: %j', async (argv) => {
    const site = await serve(tenPages);
    const { code, out, err } = await command.run(...argv, `${site.origin}/`);
    expect(code).toBe(0);
    expect(pathsOf(out)).toEqual(['/', ...NUMBERS]);
    expect(pathsOf(out, 'failure')).toEqual(['/missing']);
    expect([...site.log].sort()).toEqual(['/', ...NUMBERS, '/missing'].sort());
    expect(err).toMatch(/^failure http-status [^]*crawl ended after .*10 pages, 1 failed/);
  });

  it('also crawls what the sitemaps of the site name', async () => {
    const site = await serve((path, _request, response) => {
      if (path === '/sitemap.xml' || path === '/more.xml') {
        const name = path === '/more.xml' ? '/c' : '/b';
        response.writeHead(200, { 'content-type': 'text/xml' });
        response.end(`<urlset><url><loc>${name}</loc></url></urlset>`);
        return undefined;
      }
      return path === '/' ? ['/a'] : [];
    });
    const { code, out } = await command.run('--sitemap', `${site.origin}/`);
    expect(code).toBe(0);
    expect(pathsOf(out)).toEqual(['/', '/a', '/b']);
    const alone = await command.run(`--sitemap=${site.origin}/more.xml`);
    expect(alone.code).toBe(0);
    expect(pathsOf(alone.out)).toEqual(['/c']);
  });

  it('writes whole page records', async () => {
    const site = await serve((path, _request, response) => {
      if (path === '/old') {
        response.writeHead(301, { location: '/new' }).end();
        return undefined;
      }
      return path === '/' ? ['/old'] : [];
    });
    const { out } = await command.run(`${site.origin}/`);
    expect(records(out)[1]).toEqual({
      type: 'page',
      url: `${site.origin}/old`,
      finalUrl: `${site.origin}/new`,
      status: 200,
      depth: 1,
      referrer: `${site.origin}/`,
      contentType: 'text/html',
      bytes: 35,
      ms: expect.any(Number) as number,
      title: '/new',
      links: 0,
    });
  });

  it('crawls its own demo site, and stops serving it', async () => {
    const { code, out, err } = await command.run('--demo');
    expect(code).toBe(0);
    expect(pathsOf(out).length).toBeGreaterThanOrEqual(30);
    expect(pathsOf(out, 'failure')).toEqual(['/books/never-written']);
    expect(err).toMatch(/^serving a made-up site at http:\/\/127\.0\.0\.1:\d+\/ while/);
  });

  it('follows only what its options let it', async () => {
    const site = await serve((path) => (path === '/' ? ['/a/1', '/a/2.pdf', '/b/1'] : ['/a/3']));
    const limits = ['-d', '1', '--include', '/a/**', '--exclude', '/**.pdf'];
    const { out } = await command.run(...limits, `${site.origin}/`);
    expect(pathsOf(out)).toEqual(['/', '/a/1']);
  });

  it('obeys robots.txt, unless told not to', async () => {
    const site = await serve(tenPages, 'User-agent: *\nDisallow: /1\n');
    const obeying = await command.run('-v', `${site.origin}/`);
    expect(pathsOf(obeying.out, 'skip')).toEqual(['/1']);
    expect(site.log).not.toContain('/1');
    const { out } = await command.run('--no-robots', `${site.origin}/`);
    expect(pathsOf(out)).toContain('/1');
  });

  it('fails a body that is too long', async () => {
    const site = await serve((_path, _request, response) => {
      sendPage(response, 'x'.repeat(2_000));
      return undefined;
    });
    const { out } = await command.run('--max-body', '1kB', `${site.origin}/`);
    expect(records(out)).toMatchObject([{ type: 'failure', code: 'too-large' }]);
  });

  it('fetches exactly as many pages as it may', async () => {
    const site = await serve(tenPages);
    const { code, out } = await command.run('-n', '3', `${site.origin}/`);
    expect(code).toBe(0);
    expect(records(out)).toHaveLength(3);
    expect(site.log).toHaveLength(3);
  });

  it('sends the headers that it is given, and its name', async () => {
    const site = await serve(() => []);
    const argv = ['-H', 'Accept-Language: de', '--user-agent', 'shopbot/1.0 (+https://me.example)'];
    await command.run(...argv, `${site.origin}/`);
    expect(site.headers[0]).toMatchObject({
      'accept-language': 'de',
      'user-agent': 'shopbot/1.0 (+https://me.example)',
    });
  });

  it('sends credentials, and never shows them', async () => {
    const site = await serve((path) => (path === '/' ? ['/missing?token=tok3n'] : undefined));
    const seed = `http://me:hunter2@127.0.0.1:${site.port}/`;
    const summary = join(folder, 'summary.json');
    const argv = ['-vvv', '--timeout', '300ms', '--retries', '0', '-H', 'X-Api-Key: s3cret'];
    const { code, out, err } = await command.run(...argv, '--summary', summary, seed);
    expect(code).toBe(0);
    expect(site.headers[0]).toMatchObject({
      authorization: `Basic ${Buffer.from('me:hunter2').toString('base64')}`,
      'x-api-key': 's3cret',
    });
    expect(err).toContain('timeout');
    expect(err).not.toMatch(/hunter2|s3cret|tok3n/);
    expect(out + (await readFile(summary, 'utf8'))).not.toMatch(/hunter2|s3cret/);
  });
});

describe('exit codes of rxcrawl', () => {
  it.each([
    ['no seed', []],
    ['a wrong number', ['-c', '-1', 'SEED']],
    ['a file that cannot be read', ['-i', '/nowhere/list.txt', 'SEED']],
    ['an unknown option', ['--colour', 'SEED']],
  ])('2, and nothing is fetched, for %s', async (_, argv) => {
    const site = await serve(tenPages);
    const { code, out, err } = await command.run(
      ...argv.map((arg) => (arg === 'SEED' ? `${site.origin}/` : arg)),
    );
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(
      /^rxcrawl: (?:option|argument|error|unknown).*: expected .*\nrxcrawl --help/,
    );
    expect(site.log).toEqual([]);
  });

  it('2 for output that exists, which is left alone', async () => {
    const site = await serve(tenPages);
    const path = join(folder, 'out.jsonl');
    await writeFile(path, 'precious\n');
    const { code, err } = await command.run('-o', path, `${site.origin}/`);
    expect(code).toBe(2);
    expect(err).toContain(path);
    expect(await readFile(path, 'utf8')).toBe('precious\n');
    expect(site.log).toEqual([]);
  });

  it.each<[string, ...string[]]>([
    ['2', '--summary', '.', '--force'],
    ['2', '--summary', '.'],
    ['2', '-o', '.', '--force'],
    ['2', '-o', '.', '--force', '--format', 'json'],
    ['2', '-o', '.', '--append'],
    ['2', '--cookies', '.'],
    ['3', '--summary', 'none/a.json'],
    ['3', '-o', 'none/a.jsonl'],
    ['3', '--cookies', 'none/a.json'],
    ['3', '--cache', 'file/cache'],
    ['3', '--dir', 'file/dir', '--download', 'img'],
  ])('%s for %s %s %s, before anything is fetched', async (code, option, path, ...more) => {
    const site = await serve(tenPages);
    await writeFile(join(folder, 'file'), '');
    const ended = await command.run(option, join(folder, path), ...more, `${site.origin}/`);
    expect(ended).toMatchObject({ code: Number(code), out: '' });
    expect(site.log).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('3 for a full disk', async () => {
    const site = await serve(tenPages);
    const { code, err } = await command.run(
      ...['-d', '0', '-o', '/dev/full', '--append'],
      `${site.origin}/`,
    );
    expect(code).toBe(3);
    expect(err).toMatch(/rxcrawl: cannot write \/dev\/full: .*ENOSPC/);

    const script = `"$0" "$1" "$2" > /dev/full`;
    const toStdout = watch(
      spawn('sh', ['-c', script, process.execPath, command.main, `${site.origin}/`]),
    );
    expect(await toStdout.ended).toMatchObject({
      code: 3,
      err: expect.stringMatching(/cannot write standard output: .*ENOSPC/) as string,
    });
  });

  it('4 if no seed could be fetched', async () => {
    const site = await serve(tenPages);
    await site.close();
    const argv = ['--retries', '0', `${site.origin}/`, 'nonsense'];
    const unasked = await command.run(...argv);
    expect(unasked.code).toBe(4);
    expect(unasked.err).toMatch(/failure connection-refused http[^]*no seed could be fetched/);
    const { code, out, err } = await command.run('--no-robots', ...argv);
    expect(code).toBe(4);
    expect(records(out)).toMatchObject([{ type: 'failure', code: 'connection-refused' }]);
    expect(err).toMatch(/skip invalid-url nonsense[^]*no seed could be fetched/);
  });

  it('6 if its time is over with work left', async () => {
    const site = await serve((path) => [`${path}x`]);
    const argv = ['--delay', '20ms', '-d', '100', '--max-time', '300ms'];
    const { code, out } = await command.run(...argv, `${site.origin}/`);
    expect(code).toBe(6);
    expect(records(out).length).toBeGreaterThan(0);
  });
});

describe('signals to rxcrawl', () => {
  /** `/` is there at once; `/slow` takes its time, `/never` has no end; both lead on to more. */
  const slowPages: TestPages = (path, _request, response) => {
    if (path === '/slow') {
      setTimeout(() => sendPage(response, path, ['/more']), 700);
      return undefined;
    }
    if (path === '/never') return undefined;
    return ['/slow'];
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('one %s lets what runs end, and ends with %d', async (signal, expected) => {
    const site = await serve(slowPages);
    const path = join(folder, 'out.jsonl');
    const running = command.start(['-o', path, `${site.origin}/`]);
    await expect.poll(() => site.log, { timeout: 10_000 }).toContain('/slow');
    running.child.kill(signal);
    const { code, err } = await running.ended;
    expect(code).toBe(expected);
    expect(pathsOf(await readFile(path, 'utf8'))).toEqual(['/', '/slow']);
    expect(site.log).not.toContain('/more');
    expect(err).toMatch(/stopping: requests that run have up to 10s to end/);
  });

  it('a second one aborts at once, with whole lines written', async () => {
    const site = await serve((path) => (path === '/never' ? undefined : ['/never']));
    const running = command.start([`${site.origin}/`]);
    await expect.poll(() => site.log, { timeout: 10_000 }).toContain('/never');
    running.child.kill('SIGINT');
    await expect.poll(running.err, { timeout: 10_000 }).toContain('stopping');
    const before = Date.now();
    running.child.kill('SIGINT');
    const { code, out } = await running.ended;
    expect(code).toBe(130);
    expect(Date.now() - before).toBeLessThan(2_000);
    expect(pathsOf(out)).toEqual(['/']);
  });

  it('end it even while it waits for more seeds', async () => {
    const site = await serve(() => []);
    const running = command.start(['-']);
    running.child.stdin.write(`${site.origin}/\n`);
    await expect.poll(running.out, { timeout: 10_000 }).toContain('"page"');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  it('cost at most the last line when they cannot be caught', async () => {
    const site = await serve((path) => [`${path}x`]);
    const path = join(folder, 'out.jsonl');
    const running = command.start(['-d', '1000', '-o', path, `${site.origin}/`]);
    await expect.poll(() => site.log.length, { timeout: 10_000 }).toBeGreaterThan(20);
    running.child.kill('SIGKILL');
    await running.ended;
    const text = await readFile(path, 'utf8');
    expect(records(text.slice(0, text.lastIndexOf('\n') + 1)).length).toBeGreaterThan(5);
  });
});

describe('the output of rxcrawl', () => {
  it('may be cut off by its reader, quietly', async () => {
    const site = await serve((path) => [`${path}x`]);
    const script = `{ "$0" "$1" -d 1000 "$2"; echo "code $?" >&2; } | head -n 1`;
    const running = watch(
      spawn('sh', ['-c', script, process.execPath, command.main, `${site.origin}/`]),
    );
    const { out, err } = await running.ended;
    expect(pathsOf(out)).toEqual(['/']);
    expect(err).toBe('code 0\n');
  });

  it('holds the crawl while nobody reads it', async () => {
    // Each record has its URL twice: 12 kB.
    const links = Array.from({ length: 200 }, (_, index) => `/${index}/${'x'.repeat(6_000)}`);
    const site = await serve((path) => (path === '/' ? links : []));
    const running = command.start(['--no-traps', '--per-host', '4', `${site.origin}/`]);
    running.child.stdout.pause();
    let before = -1;
    await expect
      .poll(
        () => {
          const same = site.log.length === before && before > 0;
          before = site.log.length;
          return same;
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(true);
    // The pipe, and the streams at its ends, hold some 400 kB.
    expect(site.log.length).toBeLessThan(100);
    running.child.stdout.resume();
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    expect(records(out)).toHaveLength(201);
  });
});

describe('--handler with a module in TypeScript', () => {
  const CODE = `import type { Page } from 'rxcrawl';
    export default function* (page: Page): Generator<unknown> {
      yield page.follow();
      yield { path: new URL(page.url).pathname as string };
    }`;
  const readsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);

  async function run(name: string) {
    const site = await serve(tenPages);
    const path = join(folder, name);
    await writeFile(path, CODE);
    return { path, ...(await command.run('--handler', path, `${site.origin}/1`)) };
  }

  it.runIf(readsTypeScript)('runs it where Node reads TypeScript', async () => {
    for (const name of ['handler.ts', 'handler.mts']) {
      const { out } = await run(name);
      const items = records(out).filter(({ type }) => type === 'item');
      expect(items.map(({ path }) => path).sort()).toEqual(['/', ...NUMBERS]);
    }
  });

  it.skipIf(readsTypeScript)('says which Node would read it', async () => {
    for (const name of ['handler.ts', 'handler.mts']) {
      const { path, code, out, err } = await run(name);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(
        `option --handler: expected a module that can be loaded (Node ${process.versions.node} cannot read TypeScript, 22.18 and newer can), got ${JSON.stringify(path)}`,
      );
    }
  });
});
