import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { firstValueFrom, lastValueFrom, map, of, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  crawl,
  type CrawlRequest,
  download,
  type DownloadOptions,
  type DownloadProgress,
  type FetchedResponse,
  type Fetcher,
  followRedirects,
  isCrawlError,
  memoryCache,
  pipeFetcher,
  request,
  type SavedFile,
  undiciFetcher,
} from '../../src/index.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const scratch = scratchFolder();
let folders = 0;
const newDir = () => join(scratch, String(folders++));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sha256 = (body: string | Uint8Array) => createHash('sha256').update(body).digest('hex');
/** All files below a folder, relative; also hidden and temporary ones. */
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort();

/** Fetches one file, with redirects, as a crawl does. */
function get(
  url: string,
  options: DownloadOptions,
  fetcher: Fetcher = undiciFetcher(),
): Promise<FetchedResponse> {
  const fetch = pipeFetcher(fetcher, download(options), followRedirects());
  return lastValueFrom(fetch(request(url, { label: 'file' }), { attempt: 1 }));
}
const failure = async (answer: Promise<unknown>): Promise<string> => {
  const error = await answer.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  return isCrawlError(error) ? `${error.code}: ${error.message}` : String(error);
};
/** What is still being removed gets time for it. */
const settled = async (dir: string, files: readonly string[]): Promise<void> => {
  await expect.poll(() => filesIn(dir)).toEqual(files);
};

describe('download', () => {
  it('saves the files that pages name, as part of the crawl', async () => {
    const asked: string[] = [];
    const origin = await serve((req, res) => {
      const path = req.url ?? '/';
      asked.push(path);
      if (path === '/robots.txt') res.end('User-agent: *\nDisallow: /secret');
      else if (path === '/') {
        res.setHeader('content-type', 'text/html');
        res.end('<img src=/a.png><img src=/moved><img src=/secret.png><img src=/gone.png>');
      } else if (path === '/moved') res.writeHead(302, { location: '/b.png' }).end();
      else if (path === '/gone.png') res.writeHead(404).end('<a href="/never">');
      else res.writeHead(200, { 'content-type': 'image/png' }).end(`body of ${path}`);
    });
    const dir = newDir();
    const files = download({ dir });
    const progress: DownloadProgress[] = [];
    files.progress$.subscribe((each) => progress.push(each));
    const events = await lastValueFrom(
      crawl({
        decorators: [files],
        delay: 0,
        cache: { store: memoryCache() },
        *handle(page): Generator<SavedFile | CrawlRequest[]> {
          if (page.file) yield page.file;
          yield page.follow('img', { label: 'file' });
        },
      })(`${origin}/`).pipe(toArray()),
    );
    const saved = events
      .filter((event) => event.type === 'item')
      .map((event): SavedFile => event.item)
      .sort((a, b) => (a.url < b.url ? -1 : 1));
    expect(saved).toEqual(
      ['/a.png', '/b.png'].map((path) => ({
        url: origin + path,
        path: expect.stringContaining(dir) as string,
        bytes: 14,
        contentType: 'image/png',
        sha256: sha256(`body of ${path}`),
      })),
    );
    expect(saved.map(({ path }) => readFileSync(path, 'utf8'))).toEqual([
      'body of /a.png',
      'body of /b.png',
    ]);
    expect(filesIn(dir)).toHaveLength(2);
    expect(filesIn(dir)[1]).toMatch(/moved-\w{16}\.png$/);
    expect(asked).not.toContain('/secret.png');
    expect(events.filter(({ type }) => type === 'failure')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'skip')).toMatchObject([{ reason: 'robots' }]);
    const done = events.filter((event) => event.type === 'done');
    expect(done.map(({ bytes }) => bytes).sort()).toEqual([14, 14, expect.any(Number)]);
    expect(progress.map(({ bytes }) => bytes)).toEqual([14, 14]);
  });

  it('leaves other requests alone', async () => {
    const origin = await serve((_req, res) => res.end('page'));
    const fetch = download({ dir: newDir() })(undiciFetcher());
    const response = await lastValueFrom(fetch(request(`${origin}/`)));
    expect(Buffer.from(response.body).toString()).toBe('page');
    expect(response.file).toBeUndefined();
  });

  it('saves what a fetcher gives whole, and what came with a coding', async () => {
    const fetcher: Fetcher = ({ url }) =>
      of({
        url,
        status: 200,
        headers: {},
        body: Buffer.from('whole'),
        redirects: [],
        wireBytes: 5,
      });
    const whole = await get('http://a.example/x', { dir: newDir() }, fetcher);
    expect(whole.file).toMatchObject({ bytes: 5, sha256: sha256('whole') });
    expect(whole.body).toHaveLength(0);
    const cut = fetcher(request('http://a.example/x')).pipe(
      map((r) => ({ ...r, truncated: true })),
    );
    expect(await failure(get('http://a.example/x', { dir: newDir() }, () => cut))).toMatch(
      /^truncated/,
    );

    const { gzipSync } = await import('node:zlib');
    const origin = await serve((req, res) => {
      expect(req.headers['accept-encoding']).toBe('identity');
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
    });
    const { file } = await get(`${origin}/x.txt`, { dir: newDir() });
    expect(file).toMatchObject({ bytes: 8, sha256: sha256('unpacked') });
  });

  it('refuses other media types and sizes, and leaves nothing', async () => {
    const origin = await serve((req, res) => {
      const chunked = req.url === '/chunked';
      res.setHeader('content-type', 'Image/PNG; q=1');
      if (!chunked) res.setHeader('content-length', 100_000);
      res.write(Buffer.alloc(50_000));
      setImmediate(() => res.end(Buffer.alloc(50_000)));
    });
    const dir = newDir();
    mkdirSync(dir);
    const big = { dir, maxBytes: 99_999 };
    expect(await failure(get(`${origin}/`, big))).toMatch(/^too-large: .*99999/);
    expect(await failure(get(`${origin}/chunked`, big))).toMatch(/^too-large/);
    const pdf = { dir, types: ['application/pdf', 'video/*'] };
    expect(await failure(get(`${origin}/`, pdf))).toBe(
      'item-invalid: expected application/pdf or video/*, got "image/png"',
    );
    await settled(dir, []);
    const { file } = await get(`${origin}/chunked`, { dir, maxBytes: 100_000, types: ['image/*'] });
    expect(file?.bytes).toBe(100_000);
  });

  it('takes all media types for */*', async () => {
    const origin = await serve((_req, res) => res.setHeader('content-type', 'a/b').end('x'));
    const dir = newDir();
    await get(`${origin}/`, { dir, types: ['*/*'] });
    expect(filesIn(dir)).toHaveLength(1);
  });

  it('makes a second name of a file for the same content, or a copy', async () => {
    const origin = await serve((_req, res) => res.end('same'));
    const inodes = async (linkDuplicates?: boolean): Promise<number> => {
      const files = download({
        dir: newDir(),
        ...(linkDuplicates === undefined ? {} : { linkDuplicates }),
      });
      const fetch = files(undiciFetcher());
      const found = new Set<number>();
      for (const path of ['/1', '/2', '/3']) {
        const { file } = await lastValueFrom(fetch(request(origin + path, { label: 'file' })));
        expect(readFileSync(file!.path, 'utf8')).toBe('same');
        found.add(statSync(file!.path).ino);
      }
      return found.size;
    };
    expect(await inodes()).toBe(1);
    expect(await inodes(false)).toBe(3);
  });

  it('links no file that is another one meanwhile', async () => {
    const origin = await serve((req, res) =>
      res.end(req.url?.startsWith('/other') ? 'other' : 'same'),
    );
    const dir = newDir();
    mkdirSync(dir);
    const saves = (exists: 'keep' | 'overwrite') => {
      const fetch = download({ dir, exists, name: ({ url }) => new URL(url).search.slice(1) })(
        undiciFetcher(),
      );
      return (path: string) => lastValueFrom(fetch(request(origin + path, { label: 'file' })));
    };
    const read = (name: string) => readFileSync(join(dir, name), 'utf8');

    // What was there before has other content than what came.
    writeFileSync(join(dir, 'a'), 'old');
    const keep = saves('keep');
    await keep('/1?a');
    await keep('/2?b');
    expect([read('a'), read('b')]).toEqual(['old', 'same']);

    const overwrite = saves('overwrite');
    await overwrite('/1?c');
    await overwrite('/other?c');
    await overwrite('/2?d');
    expect([read('c'), read('d')]).toEqual(['other', 'same']);

    // Written to by somebody else, with as many bytes.
    writeFileSync(join(dir, 'd'), 'SAME');
    await overwrite('/3?e');
    expect([read('d'), read('e')]).toEqual(['SAME', 'same']);
  });

  it.skipIf(process.platform === 'win32').each(['keep', 'overwrite'] as const)(
    'lets no folder or pipe pass for a file: %s',
    async (exists) => {
      const origin = await serve((_req, res) => res.end('x'));
      const dir = newDir();
      mkdirSync(join(dir, 'folder'), { recursive: true });
      execFileSync('mkfifo', [join(dir, 'pipe')]);
      for (const name of ['folder', 'pipe']) {
        const answer = get(`${origin}/`, { dir, name: () => name, exists });
        expect(await failure(answer)).toContain('expected a file, something else is there');
      }
      expect(filesIn(dir)).toEqual(['pipe']);
      expect(statSync(join(dir, 'pipe')).isFIFO()).toBe(true);
    },
  );

  it('treats files that exist as it is told', async () => {
    const origin = await serve((_req, res) => res.end('new'));
    const dir = newDir();
    mkdirSync(dir);
    const name = () => 'x.txt';
    writeFileSync(join(dir, 'x.txt'), 'old');
    const content = () => readFileSync(join(dir, 'x.txt'), 'utf8');
    expect(await failure(get(`${origin}/`, { dir, name }))).toMatch(
      /^sink-failed: .*x\.txt.*exists/,
    );
    await get(`${origin}/`, { dir, name, exists: 'keep' });
    expect(content()).toBe('old');
    await get(`${origin}/`, { dir, name, exists: 'overwrite' });
    expect(content()).toBe('new');
    await settled(dir, ['x.txt']);
  });

  it.each([
    [
      'the name leads out',
      (dir: string) => ({ dir, name: () => '../x' }),
      'leads out of the folder',
    ],
    [
      'the name cannot be made',
      (dir: string) => ({
        dir,
        name: () => {
          throw new Error('no name');
        },
      }),
      'the body was not taken',
    ],
    ['the folder is a file', (dir: string) => ({ dir: join(dir, 'file') }), 'EEXIST'],
    ['a folder on the way is a file', (dir: string) => ({ dir, name: () => 'file/x' }), 'ENOTDIR'],
    [
      'the name is too long',
      (dir: string) => ({ dir, name: () => 'x'.repeat(300) }),
      'ENAMETOOLONG',
    ],
  ])('fails one file when %s, and leaves nothing', async (_what, options, message) => {
    const origin = await serve((_req, res) => res.end(Buffer.alloc(3_000_000)));
    const dir = newDir();
    mkdirSync(dir);
    writeFileSync(join(dir, 'file'), '');
    const text = await failure(get(`${origin}/`, options(dir)));
    expect(text).toMatch(/^sink-failed/);
    expect(text).toContain(message);
    await settled(dir, ['file']);
  });

  it('leaves nothing when it is unsubscribed', async () => {
    const origin = await serve((_req, res) => {
      res.write(Buffer.alloc(100_000));
    });
    const dir = newDir();
    const files = download({ dir });
    const running = files(undiciFetcher())(request(origin, { label: 'file' })).subscribe();
    await firstValueFrom(files.progress$);
    await expect.poll(() => filesIn(dir)).toHaveLength(1);
    running.unsubscribe();
    // At once: the process may end here.
    expect(filesIn(dir)).toEqual([]);
    await settled(dir, []);
  });

  it('leaves nothing when the crawl is stopped in the middle', async () => {
    const origin = await serve((req, res) => {
      if (req.url === '/robots.txt') res.end();
      else res.write(Buffer.alloc(100_000));
    });
    const dir = newDir();
    const files = download({ dir, match: () => true });
    const stop$ = files.progress$.pipe(map(() => undefined));
    const events = await lastValueFrom(
      crawl({ decorators: [files], delay: 0, stop$, drain: 50 })(`${origin}/x`).pipe(toArray()),
    );
    expect(filesIn(dir)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'failure', error: { code: 'aborted' } });
  });

  it('leaves nothing, whenever it is unsubscribed', async () => {
    const origin = await serve((_req, res) => res.end(Buffer.alloc(300_000)));
    const dir = newDir();
    const fetch = download({ dir, exists: 'overwrite', name: () => 'x' })(undiciFetcher());
    for (let turns = 0; turns < 60; turns++) {
      const running = fetch(request(origin, { label: 'file' })).subscribe();
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      running.unsubscribe();
    }
    // A file that was whole by then is whole.
    await expect.poll(() => filesIn(dir).filter((name) => name !== 'x')).toEqual([]);
    for (const name of filesIn(dir)) expect(statSync(join(dir, name)).size).toBe(300_000);
  });

  it('removes what a process that was killed has left, and nothing else', async () => {
    const origin = await serve((_req, res) => res.end('x'));
    const dir = newDir();
    mkdirSync(dir);
    const old = new Date(Date.now() - 7_200_000);
    const names = [`.${'0'.repeat(18)}.part`, `.${'1'.repeat(18)}.part`, '.mine.part', 'a.part'];
    for (const name of names) writeFileSync(join(dir, name), 'x');
    for (const name of names.filter((each) => !each.startsWith('.1')))
      utimesSync(join(dir, name), old, old);
    await get(origin, { dir, name: () => 'x' });
    expect(filesIn(dir)).toEqual([`.${'1'.repeat(18)}.part`, '.mine.part', 'a.part', 'x'].sort());
  });

  it('downloads as many at once as it may', async () => {
    let now = 0;
    let most = 0;
    const origin = await serve((_req, res) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now -= 1;
        res.end('x');
      }, 5);
    });
    const fetch = download({ dir: newDir(), concurrency: 2 })(undiciFetcher());
    await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        lastValueFrom(fetch(request(`${origin}/${n}`, { label: 'file' }))),
      ),
    );
    expect(most).toBe(2);
  });

  it.each([
    [{ dir: '' }, 'download: dir: expected a path, got ""'],
    [{ dir: 'x', maxBytes: 0 }, 'download: maxBytes'],
    [{ dir: 'x', concurrency: 0 }, 'download: concurrency'],
    [{ dir: 'x', resumes: -1 }, 'download: resumes'],
    [{ dir: 'x', types: ['png'] }, 'download: types[0]: expected media types'],
    [{ dir: 'x', exists: 'append' as never }, 'download: exists: expected "refuse"'],
    [{ dir: 'x', match: 1 as never }, 'download: match'],
    [{ dir: 'x', folder: 'y' } as never, 'folder'],
    [{ dir: 'x', types: [] }, 'download: types: expected at least one media type, got none'],
  ])('refuses %j', (options: DownloadOptions, message) => {
    expect(() => download(options)).toThrow(message);
  });
});

describe('download, when the connection breaks', () => {
  const BODY = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));

  interface Behaviour {
    readonly headers?: Readonly<Record<string, string>>;
    /** The answer to a request for a part. */
    readonly part?: (res: Parameters<RequestListener>[1], first: number, asked: number) => void;
  }

  /** Sends 100,000 bytes, then breaks; parts as they are asked for, broken in the same way. */
  async function breaking({
    headers = {},
    part,
  }: Behaviour): Promise<{ url: string; ranges: string[] }> {
    const ranges: string[] = [];
    const origin = await serve((req, res) => {
      const { range, 'if-range': validator } = req.headers;
      ranges.push(`${range ?? 'all'} ${String(validator ?? '')}`.trim());
      const first = range === undefined ? 0 : Number(/\d+/.exec(range)?.[0]);
      if (first > 0 && part) return part(res, first, ranges.length);
      const rest = BODY.subarray(first);
      res.writeHead(first === 0 ? 200 : 206, {
        'content-length': rest.length,
        ...(first > 0 && { 'content-range': `bytes ${first}-${BODY.length - 1}/${BODY.length}` }),
        ...headers,
      });
      res.write(rest.subarray(0, 100_000), () => {
        if (rest.length > 100_000) setTimeout(() => res.destroy(), 20);
        else res.end();
      });
      return undefined;
    });
    return { url: `${origin}/x`, ranges };
  }

  it('asks for the rest, as often as it takes', async () => {
    const { url, ranges } = await breaking({ headers: { etag: '"v1"' } });
    const { file, status } = await get(url, { dir: newDir() });
    expect(status).toBe(200);
    expect(file).toMatchObject({ bytes: BODY.length, sha256: sha256(BODY) });
    expect(readFileSync(file!.path).equals(BODY)).toBe(true);
    expect(ranges).toEqual(['all', 'bytes=100000- "v1"', 'bytes=200000- "v1"']);
  });

  it('takes a Last-Modified that is older than the answer', async () => {
    const modified = new Date(Date.now() - 60_000).toUTCString();
    const { url, ranges } = await breaking({ headers: { 'last-modified': modified } });
    expect((await get(url, { dir: newDir() })).file?.sha256).toBe(sha256(BODY));
    expect(ranges[1]).toBe(`bytes=100000- ${modified}`);
  });

  it.each([
    ['no validator', {}],
    ['a weak one', { etag: 'W/"v1"' }],
    ['a weak one beside a date', { etag: 'W/"1"', 'last-modified': new Date(0).toUTCString() }],
    ['a date of just now', { 'last-modified': new Date(Date.now() + 60_000).toUTCString() }],
    ['no ranges', { etag: '"v1"', 'accept-ranges': 'none' }],
  ])('gives up with %s, and leaves nothing', async (_what, headers) => {
    const { url, ranges } = await breaking({ headers });
    const dir = newDir();
    expect(await failure(get(url, { dir }))).toMatch(/^(truncated|connection-reset)/);
    expect(ranges).toEqual(['all']);
    await settled(dir, []);
  });

  it('gives up after so many times', async () => {
    const { url, ranges } = await breaking({ headers: { etag: '"v1"' } });
    expect(await failure(get(url, { dir: newDir(), resumes: 1 }))).toMatch(
      /^(truncated|connection-reset)/,
    );
    expect(ranges).toHaveLength(2);
  });

  it('begins anew if the file has changed', async () => {
    const { url } = await breaking({
      headers: { etag: '"v1"' },
      part: (res) => res.writeHead(200, { etag: '"v2"' }).end('another'),
    });
    const { file } = await get(url, { dir: newDir() });
    expect(readFileSync(file!.path, 'utf8')).toBe('another');
    expect(file).toMatchObject({ bytes: 7, sha256: sha256('another') });
  });

  it.each([
    ['another part', { 'content-range': 'bytes 5-299999/300000' }],
    ['a part of another file', { 'content-range': 'bytes 100000-299999/300000', etag: '"v2"' }],
    ['a part of a longer file', { 'content-range': 'bytes 100000-299999/300001' }],
    ['several parts', { 'content-type': 'multipart/byteranges; boundary=x' }],
  ])('does not take %s', async (_what, headers) => {
    const { url } = await breaking({
      headers: { etag: '"v1"' },
      part: (res, first) => res.writeHead(206, headers).end(BODY.subarray(first)),
    });
    const dir = newDir();
    expect(await failure(get(url, { dir }))).toMatch(/^protocol-error/);
    await settled(dir, []);
  });

  it('takes no part that it has not asked for', async () => {
    const origin = await serve((_req, res) => {
      res.writeHead(206, { 'content-range': 'bytes 0-1/9' }).end('ab');
    });
    expect(await failure(get(origin, { dir: newDir() }))).toMatch(/^protocol-error/);
  });
});
