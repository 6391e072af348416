import { resolve } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { isPublicHeader } from '../core/header-scope.js';
import {
  defineCommand,
  type FormatName,
  type GivenOptions,
  type OrderName,
  type ScopeName,
  splitSitemap,
  type StrategyName,
} from './define-command.js';
import { secretMasker } from './mask-secrets.js';
import type { ExtractField } from './parse-extract.js';
import type { PageFieldName } from './records.js';
import { UsageError } from './usage-error.js';
import { tryParseUrl } from '../url/index.js';

/** Where seeds come from, in the order of the command line. */
export type SeedSource =
  | { readonly from: 'argument'; readonly url: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'stdin' }
  | { readonly from: 'demo' };

/** A file to write, and what to do if it exists. */
export interface OutputFile {
  readonly path: string;
  readonly existing: 'refuse' | 'replace' | 'append';
}

/** The checked command line of a crawl. `undefined` is "not given" throughout. */
export interface CliOptions {
  readonly sources: readonly SeedSource[];
  /** Whether the sitemaps of the seeds' sites name seeds too, or these. */
  readonly sitemaps: boolean | readonly string[];
  readonly maxDepth: number;
  readonly maxPages: number | undefined;
  /** ms */
  readonly maxTime: number | undefined;
  readonly scope: ScopeName;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly strategy: StrategyName;
  readonly order: OrderName;
  readonly concurrency: number;
  readonly perHost: number;
  /** ms; when not given it is 500, and 0 for seeds on the loopback interface. */
  readonly delay: number | undefined;
  /** Such as `60/m`. */
  readonly rate: string | undefined;
  /** ms */
  readonly retryAfterCap: number | undefined;
  /** ms */
  readonly timeout: number | undefined;
  readonly retries: number;
  /** bytes */
  readonly maxBody: number | undefined;
  /** Whether robots.txt and `nofollow` are obeyed. */
  readonly robots: boolean;
  /** Whether links into crawler traps are refused. */
  readonly traps: boolean;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string | undefined;
  /** The file for cookies. */
  readonly cookies: string | undefined;
  /** The folder for pages. */
  readonly cache: string | undefined;
  /** A URL, or `env`. */
  readonly proxy: string | undefined;
  readonly http2: boolean;
  /** Hosts whose certificates are not checked. */
  readonly insecure: readonly string[];
  readonly allowPrivate: boolean;
  /** Fields of items that are made of pages. */
  readonly extract: readonly ExtractField[];
  /** The file of a module that handles pages. */
  readonly handler: string | undefined;
  /** A selector of the links whose targets are saved. */
  readonly download: string | undefined;
  /** The folder for them. */
  readonly dir: string | undefined;
  /** Whether files in that folder are replaced. */
  readonly replaceFiles: boolean;
  readonly output: OutputFile | undefined;
  readonly format: FormatName | undefined;
  /** Whether texts are written so that spreadsheets run none of them. */
  readonly csvSafe: boolean;
  readonly fields: readonly PageFieldName[] | undefined;
  readonly summary: OutputFile | undefined;
  readonly quiet: boolean;
  /** How often `-v` was given. */
  readonly verbose: number;
  readonly progress: boolean;
  /** What must never be shown, beside user information in URLs. */
  readonly secrets: readonly string[];
}

/** What the command line asks for. */
export type ParsedArguments =
  | { readonly action: 'crawl'; readonly options: CliOptions }
  | { readonly action: 'help'; readonly text: string }
  | { readonly action: 'version' }
  | { readonly action: 'list-fields' };

/**
 * Reads and checks a whole command line. Nothing else happens: no file is opened.
 *
 * @param argv - the arguments alone, without the program's own name
 * @param columns - width of the help text
 * @throws UsageError
 *
 * @example
 * ```ts
 * parseOptions(['-d', '2', 'https://a.example/']);
 * ```
 */
export function parseOptions(argv: readonly string[], columns = 100): ParsedArguments {
  const command = defineCommand();
  const given = readArguments(command, argv);
  if (given.help === true) return { action: 'help', text: helpText(command, columns) };
  if (given.version === true) return { action: 'version' };
  if (given.listFields === true) return { action: 'list-fields' };
  checkTogether(given);
  const sources = seedSources(command.args, given);
  return {
    action: 'crawl',
    options: {
      sources,
      sitemaps: given.sitemapUrl ?? given.sitemap === true,
      maxDepth: given.depth ?? 5,
      maxPages: given.maxPages,
      maxTime: given.maxTime,
      scope: given.scope ?? 'host',
      include: given.include ?? [],
      exclude: given.exclude ?? [],
      strategy: given.strategy ?? 'queued',
      order: given.order ?? 'fifo',
      concurrency: given.concurrency ?? 16,
      perHost: given.perHost ?? 2,
      delay: given.delay,
      rate: given.rate,
      retryAfterCap: given.retryAfterCap,
      timeout: given.timeout,
      retries: given.retries ?? 2,
      maxBody: given.maxBody,
      robots: given.robots ?? true,
      traps: given.traps,
      headers: joinHeaders(given.header ?? []),
      userAgent: given.userAgent,
      cookies: given.cookies,
      cache: given.cache,
      proxy: given.proxy,
      http2: given.http2 === true,
      insecure: given.insecure ?? [],
      allowPrivate: given.allowPrivate === true,
      extract: given.extract ?? [],
      handler: given.handler,
      download: given.download,
      dir: given.dir,
      replaceFiles: given.force === true,
      output: outputFile(given.output, given),
      format: given.format ?? (given.fields === undefined ? undefined : 'jsonl'),
      csvSafe: given.csvSafe === true,
      fields: given.fields,
      summary: outputFile(given.summary, given),
      quiet: given.quiet === true,
      verbose: given.verbose ?? 0,
      progress: given.progress,
      secrets: findSecrets(given, sources),
    },
  };
}

function readArguments(command: Command, argv: readonly string[]): GivenOptions {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  try {
    return command.parse(splitSitemap(argv), { from: 'user' }).opts<GivenOptions>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [what = '', hint] = error.message.replace(/^error: /, '').split('\n');
    if (error.code === 'commander.optionMissingArgument') {
      throw new UsageError(
        what.replace(/^option '(.*)' argument missing$/, 'option $1'),
        'a value',
      );
    }
    throw new UsageError(
      secretMasker([])(what),
      `an option of ${command.name()} --help${hint === undefined ? '' : ` ${hint}`}`,
    );
  }
}

function helpText(command: Command, columns: number): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => columns,
  });
  command.outputHelp();
  return text;
}

/** Options that make sense only with, or without, each other. */
function checkTogether(given: GivenOptions): void {
  const addsToFile = given.output !== undefined || given.summary !== undefined;
  const writesFile = addsToFile || (given.force === true && given.dir !== undefined);
  if (given.strategy === 'simple' && given.order !== undefined) {
    throw new UsageError('option --order', '--strategy queued beside it', 'simple');
  }
  if (given.force === true && given.append === true) {
    throw new UsageError('options --force and --append', 'only one of them');
  }
  if ((given.force === true || given.append === true) && !writesFile) {
    const flag = given.force === true ? '--force' : '--append';
    throw new UsageError(`option ${flag}`, 'a file to write, by -o or --summary');
  }
  const { output, summary } = given;
  if (output !== undefined && summary !== undefined && resolve(output) === resolve(summary)) {
    throw new UsageError('option --summary', 'another file than that of -o', summary);
  }
  if (given.fields !== undefined && given.format === 'urls') {
    throw new UsageError('option --fields', 'another --format beside it', 'urls');
  }
  checkItems(given);
  checkDownload(given);
}

function checkDownload({ download, dir, handler, format }: GivenOptions): void {
  if ((download === undefined) !== (dir === undefined)) {
    const [option, other] = dir === undefined ? ['--download', '--dir'] : ['--dir', '--download'];
    throw new UsageError(`option ${option}`, `${other} beside it`);
  }
  if (download === undefined) return;
  if (handler !== undefined) throw new UsageError('option --download', 'no --handler beside it');
  if (format === 'urls' || format === 'csv') {
    throw new UsageError('option --download', '--format jsonl or json beside it', format);
  }
}

function checkItems({
  extract,
  handler,
  format,
  fields,
  csvSafe,
  append,
  output,
}: GivenOptions): void {
  if (extract !== undefined && handler !== undefined) {
    throw new UsageError('options --extract and --handler', 'only one of them');
  }
  const names = extract?.map(({ name }) => name) ?? [];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError('option --extract', 'a name only once', twice);
  if (extract !== undefined || handler !== undefined) {
    const option = extract === undefined ? 'option --handler' : 'option --extract';
    if (format === 'urls') throw new UsageError(option, 'another --format beside it', format);
    if (fields !== undefined) throw new UsageError(option, 'no --fields beside it');
  }
  if (csvSafe === true && format !== 'csv') {
    throw new UsageError('option --csv-safe', '--format csv beside it', format);
  }
  if (append === true && output !== undefined && (format === 'csv' || format === 'json')) {
    throw new UsageError('option --append', '--format jsonl or urls beside it', format);
  }
}

function seedSources(args: readonly string[], given: GivenOptions): readonly SeedSource[] {
  const inputs = given.input ?? [];
  const sources: SeedSource[] = [
    ...args.map((arg): SeedSource =>
      arg === '-' ? { from: 'stdin' } : { from: 'argument', url: arg },
    ),
    ...inputs.map((path): SeedSource =>
      path === '-' ? { from: 'stdin' } : { from: 'file', path },
    ),
  ];
  if (given.demo === true) {
    if (sources.length > 0) throw new UsageError('option --demo', 'no seeds beside it');
    return [{ from: 'demo' }];
  }
  if (sources.length === 0 && given.sitemapUrl === undefined) {
    throw new UsageError(
      'argument <url…>',
      'at least one URL, -i FILE, --sitemap=URL, - for standard input, or --demo',
    );
  }
  if (sources.filter(({ from }) => from === 'stdin').length > 1) {
    throw new UsageError('argument -', 'standard input to be read only once');
  }
  return sources;
}

/** RFC 9110 §5.3: several fields of one name are one field, joined by commas; cookies by semicolons. */
function joinHeaders(
  fields: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, string>> {
  const joined = new Map<string, string>();
  for (const [name, value] of fields) {
    const before = joined.get(name);
    const separator = name === 'cookie' ? '; ' : ', ';
    joined.set(name, before === undefined ? value : before + separator + value);
  }
  return Object.fromEntries(joined);
}

function outputFile(path: string | undefined, given: GivenOptions): OutputFile | undefined {
  if (path === undefined) return undefined;
  const existing = given.force === true ? 'replace' : given.append === true ? 'append' : 'refuse';
  return { path, existing };
}

function findSecrets(
  { header = [], proxy }: GivenOptions,
  sources: readonly SeedSource[],
): readonly string[] {
  const secrets: string[] = [];
  for (const [name, value] of header) {
    if (isPublicHeader(name)) continue;
    // 'Bearer abc': the credential is a secret without its scheme, too.
    secrets.push(value, ...value.split(' ').slice(1));
  }
  const urls = sources.flatMap((source) => (source.from === 'argument' ? [source.url] : []));
  for (const url of [...urls, proxy ?? '']) {
    const { password = '' } = tryParseUrl(url) ?? {};
    if (password !== '') secrets.push(password, decode(password));
  }
  return secrets;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
