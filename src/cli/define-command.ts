import { Command, Option } from 'commander';
import { choiceOption, repeatedOption, valueOption } from './option.js';
import { parseCount } from './parse-count.js';
import { LONGEST_DURATION, parseDuration } from './parse-duration.js';
import { type ExtractField, parseExtract } from './parse-extract.js';
import { parseHeader } from './parse-header.js';
import { parsePageFields } from './parse-page-fields.js';
import type { PageFieldName } from './records.js';
import { parseHost } from './parse-host.js';
import { parsePattern } from './parse-pattern.js';
import { parseProxyOption } from './parse-proxy-option.js';
import { parseSitemapUrl } from './parse-sitemap-url.js';
import { parseSize } from './parse-size.js';
import { parseUserAgent } from './parse-user-agent.js';
import { UsageError } from './usage-error.js';

export const STRATEGIES = ['simple', 'queued'] as const;
export const ORDERS = ['fifo', 'lifo', 'best-first', 'round-robin'] as const;
export const SCOPES = ['host', 'domain', 'all'] as const;
export const FORMATS = ['jsonl', 'json', 'csv', 'urls'] as const;

export type StrategyName = (typeof STRATEGIES)[number];
export type OrderName = (typeof ORDERS)[number];
export type ScopeName = (typeof SCOPES)[number];
export type FormatName = (typeof FORMATS)[number];

/** What commander hands over: each value is checked, what was not given is absent. */
export interface GivenOptions {
  readonly input?: readonly string[];
  readonly demo?: true;
  /** `--sitemap` without a URL. */
  readonly sitemap?: true;
  /** `--sitemap=URL`, see {@link splitSitemap}. */
  readonly sitemapUrl?: readonly string[];
  readonly depth?: number;
  readonly maxPages?: number;
  readonly maxTime?: number;
  readonly scope?: ScopeName;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly strategy?: StrategyName;
  readonly order?: OrderName;
  readonly concurrency?: number;
  readonly perHost?: number;
  readonly delay?: number;
  readonly rate?: string;
  readonly retryAfterCap?: number;
  readonly timeout?: number;
  readonly retries?: number;
  readonly maxBody?: number;
  readonly robots?: boolean;
  /** `false` when `--no-traps` was given. */
  readonly traps: boolean;
  readonly header?: readonly (readonly [name: string, value: string])[];
  readonly userAgent?: string;
  readonly cookies?: string;
  readonly cache?: string;
  readonly proxy?: string;
  readonly http2?: true;
  readonly insecure?: readonly string[];
  readonly allowPrivate?: true;
  readonly extract?: readonly ExtractField[];
  readonly handler?: string;
  readonly download?: string;
  readonly dir?: string;
  readonly output?: string;
  readonly force?: true;
  readonly append?: true;
  readonly format?: FormatName;
  readonly csvSafe?: true;
  readonly fields?: readonly PageFieldName[];
  readonly listFields?: true;
  readonly summary?: string;
  readonly quiet?: true;
  readonly verbose?: number;
  /** `false` when `--no-progress` was given. */
  readonly progress: boolean;
  readonly help?: true;
  readonly version?: true;
}

const DURATION = `a duration with its unit, such as 500ms, 2s, 1m or 1h, of at most ${Math.floor(LONGEST_DURATION / 3_600_000)}h`;

/** A worker takes some 3 kB before it has anything to do: a million of them fill the heap. */
const MOST_WORKERS = 10_000;

const EPILOGUE = `
Options:
  Where one that takes a single value is given again, the last one counts.
  Letters go together, as -qv; values follow a blank or =, as --depth=2.

Patterns:
  A pattern that starts with / is compared with path and query, one with ://
  with the whole URL, any other with host, path and query. * stands for anything
  but a slash, ** for anything, ? for one character; without any of them it is a
  prefix, such as /docs/. Seeds are always crawled unless --exclude matches.

Output:
  Standard output carries data, standard error everything else.
  jsonl writes one JSON object a line, with a type: page, failure, and with -v
  also skip (-qv: without a word on standard error).
  json writes the same as one list; with -o the file appears when it is whole.
  csv writes pages alone, or items, one a row, below the names of their fields.
  With --download there is a record of the type file for each file.
  With --extract or --handler there are records of the type item, not page.
  On a terminal the default is urls: the address of each page that was fetched.

Exit codes:
  0    the crawl ended by itself; failures of single pages do not change this
  1    a mistake in the program
  2    the command line cannot be obeyed, nothing was fetched
  3    output could not be written
  4    no seed could be fetched
  6    --max-time was over with work left
  130  interrupted (Ctrl-C): once stops and drains for up to 10 s, twice aborts
  143  terminated (SIGTERM), in the same way
  SIGHUP, when a terminal is closed, ends it at once; nohup lets it go on.

Examples:
  rxcrawl https://site.example/ > pages.jsonl
  rxcrawl --extract title=h1 --format csv https://site.example/ > titles.csv
  rxcrawl --sitemap -d 0 https://site.example/ > pages.jsonl
  rxcrawl -d 2 --include '/docs/**' -o docs.jsonl https://site.example/docs/
  generate-urls | rxcrawl --scope all -d 0 --format urls -
`;

/**
 * The command line as commander knows it: one group of the help after the other. A new option
 * is one line here, one in {@link GivenOptions}, and one where `parse-options.ts` passes it on.
 */
export function defineCommand(): Command {
  return new Command('rxcrawl')
    .description('Crawls web sites: follows links from the given URLs and prints what it finds.')
    .usage('[options] <url…>')
    .argument('[url...]', 'where to start; - reads more from standard input')
    .helpOption(false)

    .optionsGroup('Seeds:')
    .addOption(
      repeatedOption(
        '-i, --input <file>',
        'read seeds from a file, one a line; # starts a comment; - is standard input',
        (text) => text,
      ),
    )
    .addOption(sitemapFlag())
    .addOption(
      repeatedOption('--sitemap-url <url>', '', parseSitemapUrl('option --sitemap')).hideHelp(),
    )
    .option('--demo', 'serve a small made-up site on 127.0.0.1 and crawl it')

    .optionsGroup('What to crawl:')
    .addOption(count('-d, --depth <n>', 'follow links up to n hops from a seed (default: 5)', 0))
    .addOption(count('-n, --max-pages <n>', 'fetch at most n pages (default: no limit)', 1))
    .addOption(
      duration('--max-time <time>', 'stop after this time, such as 10m (default: no limit)', 1),
    )
    .addOption(
      choiceOption(
        '--scope <name>',
        "where links may lead, the seeds' host (default), their domain, or anywhere",
        SCOPES,
      ),
    )
    .addOption(
      repeatedOption(
        '--include <pattern>',
        'follow only links that match; may be given several times',
        parsePattern('option --include'),
      ),
    )
    .addOption(
      repeatedOption(
        '--exclude <pattern>',
        'follow no links that match; may be given several times',
        parsePattern('option --exclude'),
      ),
    )
    .option('--no-traps', 'follow links into crawler traps, such as endless paths and calendars')

    .optionsGroup('In which order, and how fast:')
    .addOption(
      choiceOption('--strategy <name>', 'how requests meet workers (default: queued)', STRATEGIES),
    )
    .addOption(
      choiceOption(
        '--order <name>',
        'what a queue hands out first (default: fifo); best-first takes short paths first',
        ORDERS,
      ),
    )
    .addOption(count('-c, --concurrency <n>', 'requests at once (default: 16)', 1, MOST_WORKERS))
    .addOption(count('--per-host <n>', 'requests at once to one host (default: 2)', 1))
    .addOption(
      duration(
        '--delay <time>',
        'least time between two requests to one host (default: 500ms, 0 for loopback seeds)',
        0,
      ),
    )
    .addOption(
      valueOption(
        '--rate <n/unit>',
        'most requests to one host in a second, minute or hour, such as 60/m',
        'a number per s, m or h, such as 60/m',
        parseRateOption,
      ),
    )
    .addOption(
      duration(
        '--retry-after-cap <time>',
        'give a host up that asks to wait longer than this (default: 5m)',
        0,
      ),
    )

    .optionsGroup('Requests:')
    .addOption(duration('--timeout <time>', 'limit of one try of a request (default: 30s)', 1))
    .addOption(count('--retries <n>', 'tries after the first one failed (default: 2)', 0))
    .addOption(repeatedOption('-H, --header <field>', "send a header, 'Name: value'", parseHeader))
    .addOption(
      valueOption(
        '--user-agent <text>',
        'who crawls: name, version and a way to reach you, such as "shopbot/1.0 (+https://me.example/bot)" (default: rxcrawl and its version)',
        'a product name first, then visible ASCII characters and blanks, such as "shopbot/1.0"',
        parseUserAgent,
      ),
    )

    .addOption(
      valueOption(
        '--max-body <size>',
        'longest body, decoded (default: 10MiB)',
        'a size with its unit, such as 512KiB or 10MB, and more than 0',
        (text) => {
          const bytes = parseSize(text);
          return bytes === 0 ? undefined : bytes;
        },
      ),
    )
    .option('--robots', 'obey robots.txt, and nofollow of pages and links (default)')
    .option('--no-robots', 'ignore robots.txt and nofollow')
    .addOption(
      path('--cookies <file>', 'keep cookies, in a file of this command that need not exist yet'),
    )
    .addOption(
      path(
        '--cache <folder>',
        'keep pages, and ask servers only whether they have changed',
        'the path of a folder',
      ),
    )

    .optionsGroup('Connections:')
    .addOption(
      new Option(
        '--proxy <url>',
        'send requests through a proxy; env: through those of http_proxy, https_proxy, no_proxy',
      ).argParser(parseProxyOption),
    )
    .option('--http2', 'speak HTTP/2 with servers that choose it')
    .addOption(
      repeatedOption(
        '--insecure <host>',
        'do not check the certificate of this host; may be given several times',
        readHost,
      ),
    )
    .option('--allow-private', 'let pages of public hosts lead to private addresses')

    .optionsGroup('Items:')
    .addOption(
      repeatedOption(
        '--extract <field>',
        "write items instead of pages, with this field: 'name=selector' for a text, 'name=selector@attr' for an attribute; may be given several times",
        parseExtract,
      ),
    )
    .addOption(
      path('--handler <file>', 'write the items of a module that handles pages, and follows links'),
    )

    .optionsGroup('Files:')
    .addOption(
      path(
        '--download <selector>',
        "save what links lead to, such as 'img,a[href$=.pdf]', from any host",
        'a CSS selector',
      ),
    )
    .addOption(path('--dir <folder>', 'folder for the files of --download', 'the path of a folder'))

    .optionsGroup('Output:')
    .addOption(path('-o, --output <file>', 'write data to a new file instead of standard output'))
    .option('--force', 'let -o, --summary and --download replace a file')
    .option('--append', 'let -o (jsonl and urls) and --summary add to a file')
    .addOption(
      choiceOption(
        '--format <name>',
        'form of the data (default: jsonl, on a terminal urls)',
        FORMATS,
      ),
    )
    .option('--csv-safe', 'let no text of a CSV file be run as a formula by a spreadsheet')
    .addOption(
      valueOption(
        '--fields <names>',
        'fields of page records, such as url,status,title (see --list-fields)',
        'names of fields with commas between them',
        parsePageFields,
      ),
    )
    .option('--list-fields', 'print the names of all fields and leave')
    .addOption(path('--summary <file>', 'write the figures of the whole crawl to a file, as JSON'))

    .optionsGroup('Messages:')
    .option('-q, --quiet', 'print no problems, progress or summary')
    .option(
      '-v, --verbose',
      'also report skipped URLs, retries and redirects; -vv each request',
      (_: unknown, before: number | undefined) => (before ?? 0) + 1,
    )
    .option('--no-progress', 'show no progress')
    .option('--version', 'print the version and leave')
    .option('-h, --help', 'print this help and leave')

    .addHelpText('after', EPILOGUE);
}

function parseRateOption(text: string): string | undefined {
  return /^0*[1-9]\d{0,8}\/[smh]$/.test(text) ? text : undefined;
}

function readHost(text: string): string {
  const host = parseHost(text);
  if (host !== undefined) return host;
  throw new UsageError('option --insecure', 'a host name such as intranet.example', text);
}

/** A flag for the sitemaps of the seeds' sites; `--sitemap=URL` is told apart by {@link splitSitemap}. */
function sitemapFlag(): Option {
  const flag = new Option(
    '--sitemap',
    "also crawl what sitemaps name: those of the seeds' sites, or, with =<url>, this one",
  );
  flag.flags = '--sitemap[=<url>]';
  return flag;
}

/**
 * Makes two options of `--sitemap` and `--sitemap=URL`: an optional value would take the next
 * argument, which is a seed.
 */
export function splitSitemap(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((arg, index) =>
    end !== -1 && index > end ? arg : arg.replace(/^--sitemap=/, '--sitemap-url='),
  );
}

function count(flags: string, description: string, least: number, most?: number): Option {
  const expected =
    most === undefined
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`;
  return valueOption(flags, description, expected, (text) => parseCount(text, least, most));
}

function duration(flags: string, description: string, least: number): Option {
  const expected = least === 0 ? `${DURATION}, or 0` : `${DURATION}, and more than 0`;
  return valueOption(flags, description, expected, (text) => {
    const ms = parseDuration(text);
    return ms === undefined || ms < least ? undefined : ms;
  });
}

function path(flags: string, description: string, expected = 'the path of a file'): Option {
  return valueOption(flags, description, expected, (text) =>
    text === '' || text === '-' || text.includes('\0') ? undefined : text,
  );
}
