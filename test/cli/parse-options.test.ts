import { describe, expect, it } from 'vitest';
import { parseOptions, type CliOptions } from '../../src/cli/parse-options.js';
import { UsageError } from '../../src/cli/usage-error.js';

const URL_ARG = 'https://a.example/';

function crawlOptions(...argv: string[]): CliOptions {
  const parsed = parseOptions(argv);
  if (parsed.action !== 'crawl') throw new Error(`expected a crawl, got ${parsed.action}`);
  return parsed.options;
}

function refusal(...argv: string[]): string {
  try {
    parseOptions(argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('expected the arguments to be refused');
}

describe('parseOptions', () => {
  it('has defaults for everything but the seeds', () => {
    expect(crawlOptions(URL_ARG)).toEqual({
      sources: [{ from: 'argument', url: URL_ARG }],
      sitemaps: false,
      maxDepth: 5,
      maxPages: undefined,
      maxTime: undefined,
      scope: 'host',
      include: [],
      exclude: [],
      strategy: 'queued',
      order: 'fifo',
      concurrency: 16,
      perHost: 2,
      delay: undefined,
      rate: undefined,
      retryAfterCap: undefined,
      timeout: undefined,
      retries: 2,
      maxBody: undefined,
      robots: true,
      traps: true,
      headers: {},
      userAgent: undefined,
      cookies: undefined,
      cache: undefined,
      proxy: undefined,
      http2: false,
      insecure: [],
      allowPrivate: false,
      extract: [],
      download: undefined,
      dir: undefined,
      replaceFiles: false,
      handler: undefined,
      output: undefined,
      format: undefined,
      csvSafe: false,
      fields: undefined,
      summary: undefined,
      quiet: false,
      verbose: 0,
      progress: true,
      secrets: [],
    });
  });

  it('reads every option', () => {
    const options = crawlOptions(
      ...['-d', '2', '-n', '100', '-c', '4', '--per-host', '1', '--delay', '1.5s'],
      ...['--strategy', 'queued', '--order', 'best-first', '--scope', 'domain'],
      ...['--include', '/docs/**', '--include', '/blog/**', '--exclude', '/**.pdf'],
      ...['-o', 'out.jsonl', '--append', '--format', 'jsonl', '--fields', 'title, url'],
      ...['--max-body', '512KiB', '--no-robots', '--no-traps'],
      ...['--rate', '60/m', '--retry-after-cap', '1h', '--cookies', 'jar.json', '--cache', 'pages'],
      ...['--proxy', 'env', '--http2', '--insecure', 'A.example', '--insecure', '[::1]'],
      '--allow-private',
      ...['--timeout', '10s', '--retries', '0', '-H', 'Accept-Language: de'],
      ...['--user-agent', 'shopbot/1.0 (+https://me.example/)', '--summary', 'sum.json'],
      ...['--max-time', '10m', '-q', '-vv', '-v', '--no-progress', URL_ARG],
    );
    expect(options).toMatchObject({
      maxDepth: 2,
      maxPages: 100,
      maxTime: 600_000,
      scope: 'domain',
      include: ['/docs/**', '/blog/**'],
      exclude: ['/**.pdf'],
      order: 'best-first',
      concurrency: 4,
      perHost: 1,
      delay: 1500,
      timeout: 10_000,
      retries: 0,
      maxBody: 524_288,
      robots: false,
      traps: false,
      rate: '60/m',
      retryAfterCap: 3_600_000,
      cookies: 'jar.json',
      cache: 'pages',
      proxy: 'env',
      http2: true,
      insecure: ['a.example', '[::1]'],
      allowPrivate: true,
      headers: { 'accept-language': 'de' },
      userAgent: 'shopbot/1.0 (+https://me.example/)',
      output: { path: 'out.jsonl', existing: 'append' },
      format: 'jsonl',
      fields: ['title', 'url'],
      summary: { path: 'sum.json', existing: 'append' },
      quiet: true,
      verbose: 3,
      progress: false,
    });
  });

  it('takes seeds from arguments, files and standard input, in that order', () => {
    expect(crawlOptions('-i', 'list.txt', URL_ARG, '-', 'b.example').sources).toEqual([
      { from: 'argument', url: URL_ARG },
      { from: 'stdin' },
      { from: 'argument', url: 'b.example' },
      { from: 'file', path: 'list.txt' },
    ]);
    expect(crawlOptions('-i', '-').sources).toEqual([{ from: 'stdin' }]);
    expect(crawlOptions('--demo').sources).toEqual([{ from: 'demo' }]);
  });

  it('takes --fields as a wish for JSON Lines', () => {
    expect(crawlOptions('--fields', 'type,url,url', URL_ARG)).toMatchObject({
      format: 'jsonl',
      fields: ['url'],
    });
  });

  it('adds to the file of --summary, whatever the form of the data on standard output', () => {
    const options = crawlOptions('--append', '--summary', 's', '--format', 'csv', URL_ARG);
    expect(options.summary).toEqual({ path: 's', existing: 'append' });
  });

  it('joins headers of one name', () => {
    const { headers } = crawlOptions(
      ...['-H', 'Accept: text/html', '-H', 'accept:text/plain'],
      ...['-H', 'Cookie: a=1', '-H', 'Cookie: b=2', URL_ARG],
    );
    expect(headers).toEqual({ accept: 'text/html, text/plain', cookie: 'a=1; b=2' });
  });

  it('knows what is secret', () => {
    const { secrets } = crawlOptions(
      ...['-H', 'Authorization: Bearer abcdef', '-H', 'Accept: text/html'],
      'https://me:p%40ss@a.example/',
    );
    expect(secrets).toEqual(['Bearer abcdef', 'abcdef', 'p%40ss', 'p@ss']);
  });

  it('lets names of the prototype be header names', () => {
    const { headers } = crawlOptions('-H', '__proto__: x', '-H', 'constructor: y', URL_ARG);
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('shows help, version and fields without any seed', () => {
    expect(parseOptions(['--version'])).toEqual({ action: 'version' });
    expect(parseOptions(['--list-fields'])).toEqual({ action: 'list-fields' });
    const narrow = parseOptions(['--help'], 80);
    const lines = narrow.action === 'help' ? narrow.text.split('\n') : [];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const help = parseOptions(['--help']);
    expect(help).toMatchObject({ action: 'help' });
    expect(help.action === 'help' && help.text).toMatch(
      /Seeds:[^]*What to crawl:[^]*how fast:[^]*Requests:[^]*Output:[^]*Messages:[^]*Exit codes:/,
    );
  });
});

/** What is given, and what the message must say: the option, what it takes, what it got. */
const REFUSED: readonly (readonly [argv: string, message: RegExp])[] = [
  ['-c -5', /^option -c, --concurrency: expected a whole number from 1 to 10000, got "-5"$/],
  ['-c 0', /--concurrency: .* from 1 to 10000, got "0"/],
  ['-c 10001', /--concurrency: .* from 1 to 10000, got "10001"/],
  ['-c 1.5', /--concurrency: .* got "1.5"/],
  ['-c 1e3', /--concurrency: .* got "1e3"/],
  ['-c many', /--concurrency: .* got "many"/],
  ['-d -1', /--depth: .* at least 0, got "-1"/],
  ['-n 0', /--max-pages: .* at least 1, got "0"/],
  ['--per-host 0', /--per-host: .* at least 1, got "0"/],
  ['--max-body 10', /--max-body: expected a size with its unit, .* got "10"/],
  ['--max-body 0B', /--max-body: .* more than 0, got "0B"/],
  ['--retries x', /--retries: .* at least 0, got "x"/],
  ['--delay 5', /^option --delay: expected a duration with its unit, .*or 0, got "5"$/],
  ['--delay -1s', /--delay: .* got "-1s"/],
  ['--delay 1000h', /--delay: .* at most 596h.* got "1000h"/],
  ['--timeout 0', /--timeout: .* more than 0, got "0"/],
  ['--max-time 10', /--max-time: .* got "10"/],
  ['--strategy magic', /--strategy: expected one of simple, queued, got "magic"/],
  ['--order random', /--order: expected one of fifo, lifo, best-first, round-robin, got "random"/],
  ['--strategy simple --order lifo', /--order: expected --strategy queued beside it/],
  ['--scope planet', /--scope: expected one of host, domain, all, got "planet"/],
  ['--format xml', /--format: expected one of jsonl, json, csv, urls, got "xml"/],
  ['--fields url,colour', /--fields: expected names out of url, .*, got "colour"/],
  ['--fields constructor', /--fields: .* got "constructor"/],
  ['--fields url --format urls', /--fields: expected another --format beside it, got "urls"/],
  ['-o -', /--output: expected the path of a file, got "-"/],
  ['--force', /--force: expected a file to write/],
  ['--append', /--append: expected a file to write/],
  ['-o a --force --append', /--force and --append: expected only one/],
  ['-o a --summary ./a', /--summary: expected another file than that of -o, got "\.\/a"/],
  ['--demo', /--demo: expected no seeds beside it/],
  ['- -i -', /argument -: expected standard input to be read only once/],
  ['-H Nothing', /--header: expected "Name: value"/],
  ['-H Host:x', /--header: .* got "Host"/],
  ['-H User-Agent:x', /set by --user-agent, got "User-Agent"/],
  ['-H :x', /--header: expected a header name/],
  ['--user-agent (nobody)', /--user-agent: expected a product name first.* got "\(nobody\)"/],
  [
    '--exclude *.pdf',
    /--exclude: expected a pattern that can match, such as "\/\*\*\.pdf".* got "\*\.pdf"/,
  ],
  ['--colour', /unknown option '--colour'/],
  ['--dept 3', /unknown option '--dept'.*Did you mean --depth/],
];

describe('--sitemap', () => {
  const MAP = 'https://a.example/map.xml';

  it('takes no seed for its URL', () => {
    expect(crawlOptions('--sitemap', URL_ARG)).toMatchObject({
      sitemaps: true,
      sources: [{ from: 'argument', url: URL_ARG }],
    });
  });

  it('takes a URL behind =, several times and without any seed', () => {
    expect(crawlOptions(`--sitemap=${MAP}`, '--sitemap=http://b.example/', URL_ARG)).toMatchObject({
      sitemaps: [MAP, 'http://b.example/'],
    });
    expect(crawlOptions(`--sitemap=${MAP}`)).toMatchObject({ sitemaps: [MAP], sources: [] });
  });

  it('refuses what is no URL', () => {
    expect(refusal('--sitemap=map.xml', URL_ARG)).toMatch(/--sitemap: .*http.* got "map.xml"/);
    expect(refusal('--sitemap')).toMatch(/at least one URL/);
  });
});

describe('parseOptions refuses', () => {
  it.each(REFUSED)('%s', (argv, message) => {
    expect(refusal(...argv.split(' '), URL_ARG)).toMatch(message);
  });

  it.each([
    ['no seed at all', [], /at least one URL/],
    ['an empty pattern', ['--include', '', URL_ARG], /--include: expected a pattern/],
    ['an empty number', ['-c', '', URL_ARG], /--concurrency: .* got ""/],
    [
      'an option without its value',
      [URL_ARG, '--delay'],
      /^option --delay <time>: expected a value$/,
    ],
    ['a user agent with a line break', ['--user-agent', 'a\r\nHost: b', URL_ARG], /--user-agent/],
    ['an empty user agent', ['--user-agent', '', URL_ARG], /--user-agent: .* got ""/],
    ['a header value with a line break', ['-H', 'X: a\r\nY: b', URL_ARG], /control characters/],
    ['a header value beyond Latin-1', ['-H', 'X: 你好', URL_ARG], /ISO-8859-1/],
  ] as const)('%s', (_, argv, message) => {
    expect(refusal(...argv)).toMatch(message);
  });

  it('never repeats a header value', () => {
    for (const field of ['Authorization hunter2', 'Bad Name: hunter2', 'X-Key: hunter2\n']) {
      const message = field.endsWith('\n') ? 'trimmed' : refusal('-H', field, URL_ARG);
      expect(message).not.toContain('hunter2');
    }
  });
});
