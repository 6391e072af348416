import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { strategyOf, type BuildCrawl } from '../../src/cli/build-crawl.js';
import type { CliPage } from '../../src/cli/records.js';
import { runCli } from '../../src/cli/run-cli.js';
import { barePage, crawl, type CrawlRequest } from '../../src/core/index.js';
import { virtualPage, virtualSite, type SiteSpec } from '../../src/testing/index.js';
import { fakeSystem } from './fake-system.js';

type FakePage = CliPage & { readonly follow: () => readonly CrawlRequest[] };

const SITE: SiteSpec = {
  'https://a.example/': { links: ['/1', '/2', '/gone', 'https://b.example/'] },
  'https://a.example/1': { links: ['/2', '/3'] },
  'https://a.example/2': [],
  'https://a.example/3': [],
};

/** A crawl of a web in memory. */
function crawlOf(spec: SiteSpec, latency = 1): BuildCrawl {
  const { fetcher } = virtualSite(spec, { latency });
  return (options, { pause$, stop$, drain, scheduler }) =>
    crawl<never, FakePage>({
      fetcher,
      parse: (response, request) => {
        const page = virtualPage(response, request);
        return {
          ...barePage(response, request),
          contentType: 'text/html',
          title: 'A page',
          links: page.links,
          follow: () => page.follow(),
        };
      },
      handle: (page) => page.follow(),
      strategy: strategyOf(options),
      maxDepth: options.maxDepth,
      delay: 0,
      pause$,
      stop$,
      drain,
      scheduler,
      ...(options.maxPages === undefined ? {} : { maxPages: options.maxPages }),
    });
}

function records(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

let folder: string;
beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  folder = await mkdtemp(join(tmpdir(), 'rxcrawl-cli-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Lets time go by, 10 ms a step, and streams do their work, for as long as `busy` says. */
async function passTime(busy: () => boolean): Promise<void> {
  while (busy()) {
    await vi.advanceTimersByTimeAsync(10);
    await new Promise(setImmediate);
  }
}

/** Runs the command to its end in time that does not pass by itself. */
async function run(...args: Parameters<typeof runCli>): Promise<number> {
  let code: number | undefined;
  const running = runCli(...args).then((ended) => {
    code = ended;
    return ended;
  });
  await passTime(() => code === undefined);
  return running;
}

describe('runCli', () => {
  it('writes data to standard output, and all else to standard error', async () => {
    const system = fakeSystem();
    expect(await run(['https://a.example/'], system, crawlOf(SITE))).toBe(0);
    const written = records(system.out());
    expect(written.filter(({ type }) => type === 'page').map(({ url }) => url)).toEqual([
      'https://a.example/',
      'https://a.example/1',
      'https://a.example/2',
      'https://a.example/3',
    ]);
    expect(written.filter(({ type }) => type !== 'page')).toEqual([
      expect.objectContaining({
        type: 'failure',
        url: 'https://a.example/gone',
        code: 'http-status',
        attempts: 1,
        referrer: 'https://a.example/',
      }),
    ]);
    expect(system.err()).toMatch(
      /^failure http-status https:\/\/a\.example\/gone: .* \(linked from https:\/\/a\.example\/\)\ncrawl ended after /,
    );
    expect(system.err()).toMatch(
      /4 pages, 1 failed, 1 skipped, 1 duplicate[^]*1 × http-status 404, such as https:\/\/a\.example\/gone[^]*1 × scope[^]*slowest hosts:\n {2}a\.example: /,
    );
    expect(system.listeners()).toBe(0);
  });

  it('gives the same pages by every strategy and order', async () => {
    const sets = [];
    for (const order of ['fifo', 'lifo', 'best-first', 'round-robin']) {
      const system = fakeSystem();
      await run(['--order', order, 'https://a.example/'], system, crawlOf(SITE));
      sets.push(records(system.out()).map(({ url }) => url));
    }
    const system = fakeSystem();
    await run(['--strategy', 'simple', 'https://a.example/'], system, crawlOf(SITE));
    sets.push(records(system.out()).map(({ url }) => url));
    for (const set of sets) expect(set.sort()).toEqual([...sets[0]!].sort());
  });

  it('says nothing when it is to be quiet, and keeps its data the same', async () => {
    const loud = fakeSystem();
    const quiet = fakeSystem();
    await run(['-vv', '--fields', 'url', 'https://a.example/'], loud, crawlOf(SITE));
    await run(['-vv', '-q', '--fields', 'url', 'https://a.example/'], quiet, crawlOf(SITE));
    expect(quiet.err()).toBe('');
    expect(quiet.out()).toBe(loud.out());
    expect(records(loud.out()).filter(({ type }) => type === 'skip')).toEqual([
      {
        type: 'skip',
        url: 'https://b.example/',
        reason: 'scope',
        detail: null,
        referrer: 'https://a.example/',
      },
    ]);
    expect(loud.err()).toContain('get https://a.example/1\n');
    expect(loud.err()).toContain('skip scope https://b.example/ (linked from https://a.example/)');
    expect(loud.err()).toMatch(/done 200 https:\/\/a\.example\/1 \(\d/);
  });

  it('lists URLs on a terminal, with the progress line out of the way', async () => {
    const system = fakeSystem({ terminal: true });
    await run(['https://a.example/'], system, crawlOf(SITE, 300));
    expect(system.out().split('\n')).toEqual([
      'https://a.example/',
      'https://a.example/1',
      'https://a.example/2',
      'https://a.example/3',
      '',
    ]);
    const [first = ''] = system.err().split('\u001b[2K');
    expect(first).toMatch(/^0 done, 0 queued, 1 in flight, .* pages\/s, .*0s\r$/);
    expect(system.err()).toContain('\u001b[31mfailure\u001b[0m http-status');
  });

  it('prints a plain line every 10 s where there is no terminal', async () => {
    const system = fakeSystem();
    const argv = ['-c', '1', '--fields', 'url', 'https://a.example/'];
    expect(await run(argv, system, crawlOf(SITE, 8_000))).toBe(0);
    const lines = system.err().split('\n');
    const standings = lines.filter((line) => line.includes('in flight'));
    expect(standings.map((line) => line.replace(/\d+ B\/s/, 'n B/s'))).toEqual([
      '1 done, 2 queued, 1 in flight, 0 failed, 1 skipped, 0.1 pages/s, n B/s, 10s',
      '2 done, 2 queued, 1 in flight, 0 failed, 1 skipped, 0.1 pages/s, n B/s, 20s',
      '3 done, 1 queued, 1 in flight, 0 failed, 1 skipped, 0.1 pages/s, n B/s, 30s',
      '3 done, 0 queued, 1 in flight, 1 failed, 1 skipped, 0.0 pages/s, n B/s, 40s',
    ]);
    expect(system.err()).not.toContain('\u001b');
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }, [], '\u001b[2K', '\u001b[31m'],
    ['TERM=dumb', { TERM: 'dumb' }, [], 'crawl ended', '\u001b'],
    ['--no-progress', {}, ['--no-progress'], '\u001b[31m', 'in flight'],
  ] as const)('honours %s', async (_, env, argv, shown, hidden) => {
    const system = fakeSystem({ terminal: true, env });
    await run([...argv, 'https://a.example/'], system, crawlOf(SITE, 300));
    expect(system.err()).toContain(shown);
    expect(system.err()).not.toContain(hidden);
  });

  it('reports seeds that cannot be crawled, and ends with 4 if there is no other', async () => {
    const seeds = ['not a url', 'ftp://a.example/', 'https://a.example/gone'];
    const system = fakeSystem();
    expect(await run(['-v', ...seeds], system, crawlOf(SITE))).toBe(4);
    expect(records(system.out())).toEqual([
      {
        type: 'skip',
        url: 'not a url',
        reason: 'invalid-url',
        detail: expect.stringContaining('absolute URL') as string,
        referrer: null,
      },
      { type: 'skip', url: 'ftp://a.example/', reason: 'scheme', detail: 'ftp', referrer: null },
      expect.objectContaining({ type: 'failure', url: 'https://a.example/gone' }),
    ]);
    expect(system.err()).toContain('no seed could be fetched after');

    const mixed = fakeSystem();
    expect(await run([...seeds, 'https://a.example/2'], mixed, crawlOf(SITE))).toBe(0);
    expect(mixed.err()).toContain('skip invalid-url not a url: expected an absolute URL');
    expect(records(mixed.out()).filter(({ type }) => type === 'page')).toHaveLength(1);
  });

  it('reads seeds from files and standard input', async () => {
    const list = join(folder, 'list.txt');
    await writeFile(list, '# list\nhttps://a.example/2\n');
    const system = fakeSystem({ stdin: 'https://a.example/3 # three\n\n' });
    expect(await run(['-d', '0', '-i', list, '-'], system, crawlOf(SITE))).toBe(0);
    expect(records(system.out()).map(({ url }) => url)).toEqual([
      'https://a.example/3',
      'https://a.example/2',
    ]);
  });

  it('needs no end of standard input once the page limit is used up', async () => {
    const stdin = new PassThrough();
    stdin.write('https://a.example/\n');
    const system = { ...fakeSystem(), stdin };
    expect(await run(['-n', '2', '-'], system, crawlOf(SITE))).toBe(0);
    expect(stdin.destroyed).toBe(true);
    expect(records(system.out()).map(({ url }) => url)).toEqual([
      'https://a.example/',
      'https://a.example/1',
    ]);
  });

  it('needs no end of standard input to be interrupted', async () => {
    const stdin = new PassThrough();
    stdin.write('https://a.example/\n');
    const system = { ...fakeSystem(), stdin };
    const running = run(['-'], system, crawlOf(SITE));
    await expect.poll(() => system.out()).toContain('a.example/3');
    system.emit('SIGINT');
    expect(await running).toBe(130);
  });

  it('writes a summary as one record', async () => {
    const path = join(folder, 'summary.json');
    const system = fakeSystem();
    await run(['--summary', path, 'https://a.example/'], system, crawlOf(SITE));
    const [summary, ...more] = records(await readFile(path, 'utf8'));
    expect(more).toEqual([]);
    expect(summary).toMatchObject({
      type: 'summary',
      outcome: 'done',
      exitCode: 0,
      done: 4,
      failed: 1,
      skipped: 1,
      waiting: 0,
      inFlight: 0,
      byStatus: { 200: 4 },
      byError: { 'http-status': 1 },
      byReason: { scope: 1 },
      errors: [{ code: 'http-status', status: 404, count: 1 }],
      slowestHosts: [{ host: 'a.example', pages: 4 }],
      seedsFetched: 1,
      left: 0,
    });
  });

  it('writes its data to a file, and refuses one that exists', async () => {
    const path = join(folder, 'out.jsonl');
    const argv = ['-d', '0', '-o', path, 'https://a.example/'];
    const system = fakeSystem();
    expect(await run(argv, system, crawlOf(SITE))).toBe(0);
    expect(system.out()).toBe('');
    const before = await readFile(path, 'utf8');
    expect(records(before)).toHaveLength(1);

    const again = fakeSystem();
    expect(await run(argv, again, crawlOf(SITE))).toBe(2);
    expect(again.err()).toMatch(/option -o, --output: expected a file that does not exist yet/);
    expect(await readFile(path, 'utf8')).toBe(before);

    expect(await run(['--append', ...argv], fakeSystem(), crawlOf(SITE))).toBe(0);
    expect(records(await readFile(path, 'utf8'))).toHaveLength(2);
    expect(await run(['--force', ...argv], fakeSystem(), crawlOf(SITE))).toBe(0);
    expect(records(await readFile(path, 'utf8'))).toHaveLength(1);
  });

  it('makes no output file when a seed file or the summary is refused', async () => {
    const output = join(folder, 'out.jsonl');
    const summary = join(folder, 'summary.json');
    await writeFile(summary, '');
    const argv = ['-o', output, '--summary', summary, 'https://a.example/'];
    expect(await run(argv, fakeSystem(), crawlOf(SITE))).toBe(2);
    expect(await run(['-o', output, '-i', folder], fakeSystem(), crawlOf(SITE))).toBe(2);
    await expect(readFile(output)).rejects.toThrow('ENOENT');
  });

  it('ends with 3 when output cannot be written', async () => {
    const path = join(folder, 'missing', 'out.jsonl');
    for (const flag of ['-o', '--summary']) {
      const system = fakeSystem();
      expect(await run([flag, path, 'https://a.example/'], system, crawlOf(SITE))).toBe(3);
      expect(system.out()).toBe('');
      expect(system.err()).toMatch(/rxcrawl: cannot write .*ENOENT/);
    }
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) });
    const system = fakeSystem({ stdout });
    expect(await run(['https://a.example/'], system, crawlOf(SITE))).toBe(3);
    expect(system.err()).toContain('rxcrawl: cannot write standard output: ENOSPC');
  });

  it('ends with 3 even if only the very last write fails', async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) =>
        setImmediate(() => setImmediate(done, new Error('ENOSPC'))),
    });
    const summary = join(folder, 'summary.json');
    const argv = ['-d', '0', '--summary', summary, 'https://a.example/'];
    const system = fakeSystem({ stdout });
    expect(await run(argv, system, crawlOf(SITE, 0))).toBe(3);
    const [record] = records(await readFile(summary, 'utf8'));
    expect(record).toMatchObject({ outcome: 'output-failed', exitCode: 3, done: 1 });
  });

  it('ends quietly when the reader of its output has gone', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'EPIPE' });
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(gone) });
    const system = fakeSystem({ stdout });
    expect(await run(['https://a.example/'], system, crawlOf(SITE))).toBe(0);
    expect(system.err()).toBe('');
    expect(system.listeners()).toBe(0);
  });

  it('ends with 1 and the stack when it is at fault itself', async () => {
    const system = fakeSystem();
    const code = await run(['https://a.example/'], system, () => {
      throw new Error('bug');
    });
    expect(code).toBe(1);
    expect(system.err()).toMatch(/ended by a mistake in the program:\nError: bug\n {4}at /);
    expect(system.listeners()).toBe(0);
  });

  it('stops with 6 when its time is over and work is left', async () => {
    const chain = (url: string) => ({ links: [`${url}x`] });
    const system = fakeSystem();
    const argv = ['-d', '1000', '--max-time', '100ms', 'https://a.example/'];
    expect(await run(argv, system, crawlOf(chain, 5))).toBe(6);
    expect(system.err()).toMatch(/stopping: --max-time is over; [^]*with work left after/);
    expect(records(system.out()).length).toBeGreaterThan(2);
  });

  it('ends with 0 when its time is over but everything was done', async () => {
    const system = fakeSystem();
    const argv = ['-d', '0', '--max-time', '50ms', 'https://a.example/'];
    expect(await run(argv, system, crawlOf(SITE, 100))).toBe(0);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('lets running requests end after one %s, with exit code %d', async (signal, code) => {
    const system = fakeSystem();
    const build = crawlOf(SITE, 50);
    const running = run(['-c', '1', 'https://a.example/'], system, (options, controls) => {
      const run = build(options, controls);
      let sent = false;
      return (seeds) =>
        run(seeds).pipe(
          tap((event) => {
            if (sent || event.type !== 'start' || event.request.depth === 0) return;
            sent = true;
            setImmediate(() => system.emit(signal));
          }),
        );
    });
    expect(await running).toBe(code);
    const written = records(system.out());
    expect(written.map(({ type, url }) => [type, url])).toEqual([
      ['page', 'https://a.example/'],
      ['page', 'https://a.example/1'],
    ]);
    expect(system.err()).toMatch(
      /stopping: requests that run have up to 10s to end; .* again aborts/,
    );
    expect(system.listeners()).toBe(0);
  });

  it('aborts at once after a second signal, with a record of all that ran', async () => {
    const system = fakeSystem();
    const build = crawlOf(SITE, Infinity);
    let started = false;
    const running = run(['https://a.example/'], system, (options, controls) => {
      const crawling = build(options, controls);
      return (seeds) => crawling(seeds).pipe(tap(({ type }) => (started ||= type === 'start')));
    });
    await expect.poll(() => started).toBe(true);
    system.emit('SIGINT');
    await expect.poll(() => system.err()).toContain('stopping');
    system.emit('SIGINT');
    expect(await running).toBe(130);
    expect(system.listeners()).toBe(0);
    expect(system.err()).toMatch(/interrupted after/);
    expect(records(system.out())).toMatchObject([
      { type: 'failure', url: 'https://a.example/', code: 'aborted' },
    ]);
  });

  it.each(['stdout', 'stderr'] as const)('holds the crawl while its %s is behind', async (name) => {
    let taken = 0;
    const slow = new Writable({
      highWaterMark: 500,
      write: (chunk, _encoding, done) => {
        taken += String(chunk).split('\n').length - 1;
        setTimeout(done, 50);
      },
    });
    const links = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const wide: SiteSpec = (url) => (url.endsWith('e/') ? { links } : []);
    let done = 0;
    let most = 0;
    const build = crawlOf(wide, 0);
    const argv = ['-c', '4', '-vv', '--no-progress', 'https://a.example/'];
    const code = await run(argv, fakeSystem({ [name]: slow }), (options, controls) => {
      const crawling = build(options, controls);
      return (seeds) =>
        crawling(seeds).pipe(
          tap((event) => {
            if (event.type !== 'done') return;
            done++;
            most = Math.max(most, done - taken);
          }),
        );
    });
    expect(code).toBe(0);
    expect(done).toBe(101);
    // 500 bytes wait in the stream, and what runs may end: 4 pages of 200 bytes each.
    expect(most).toBeLessThan(12);
  });

  it('goes on when nobody can read its messages any more', async () => {
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const system = fakeSystem({ stderr });
    expect(await run(['-vv', 'https://a.example/'], system, crawlOf(SITE))).toBe(0);
    expect(records(system.out()).filter(({ type }) => type === 'page')).toHaveLength(4);
    const wrong = fakeSystem({
      stderr: new Writable({ write: (_c, _e, done) => done(new Error()) }),
    });
    expect(await run(['--delay', '5'], wrong, crawlOf(SITE))).toBe(2);
  });

  it('never shows a secret, at any level', async () => {
    const spec: SiteSpec = {
      'https://me:hunter2@a.example/': { links: ['/gone?token=tok3n'] },
    };
    const argv = ['-vvv', '-H', 'Authorization: Bearer s3cret', 'https://me:hunter2@a.example/'];
    const system = fakeSystem();
    await run(argv, system, crawlOf(spec));
    expect(system.err()).toContain('get https://a.example/');
    expect(system.err()).not.toMatch(/hunter2|s3cret|tok3n/);
    expect(system.out()).not.toMatch(/hunter2|s3cret/);
  });

  it('prints help, version and fields', async () => {
    for (const [flag, text] of [
      ['--help', /^Usage: rxcrawl \[options\] <url…>/],
      ['-h', /--no-progress/],
      ['--version', /^\d+\.\d+\.\d+\n$/],
      ['--list-fields', /^url +URL as it was requested\n[^]*links +number of links on the page\n$/],
    ] as const) {
      const system = fakeSystem();
      expect(await run([flag], system, crawlOf(SITE))).toBe(0);
      expect(system.out()).toMatch(text);
      expect(system.err()).toBe('');
    }
  });

  it('refuses a wrong command line before anything else', async () => {
    const system = fakeSystem();
    expect(await run(['--delay', '5', 'https://a.example/'], system, crawlOf(SITE))).toBe(2);
    expect(system.err()).toMatch(
      /^rxcrawl: option --delay: expected a duration.*got "5"\nrxcrawl --help/,
    );
    expect(system.out()).toBe('');
  });
});
