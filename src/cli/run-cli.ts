import { VERSION } from '../fetch/user-agent.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { BuildCrawl } from './build-crawl.js';
import type { CliSystem } from './cli-system.js';
import { lineSink } from './line-sink.js';
import { listFields } from './list-fields.js';
import { secretMasker } from './mask-secrets.js';
import { messagePrinter } from './message-printer.js';
import { OutputError, isClosedPipe } from './output-error.js';
import { type CliOptions, parseOptions } from './parse-options.js';
import { UsageError } from './usage-error.js';

/**
 * Runs the command: reads the command line, crawls, and writes data to standard output and all
 * else to standard error.
 *
 * @param argv - the arguments alone
 * @param system - `process`, or a stand-in
 * @param build - makes the crawl; the real one over HTTP if left out
 * @returns the exit code, once everything is written
 */
export async function runCli(
  argv: readonly string[],
  system: CliSystem,
  build?: BuildCrawl,
): Promise<ExitCode> {
  const { stdout, stderr } = system;
  try {
    const parsed = parseOptions(argv, stdout.columns);
    switch (parsed.action) {
      case 'help':
        return await print(system, parsed.text.trimEnd());
      case 'version':
        return await print(system, VERSION);
      case 'list-fields':
        return await print(system, listFields().trimEnd());
      case 'crawl':
        return await startCrawl(parsed.options, system, build);
    }
  } catch (error) {
    const messages = messagePrinter(stderr, {
      overwrite: false,
      colour: false,
      mask: secretMasker([]),
      columns: () => Infinity,
    });
    if (error instanceof UsageError) {
      messages.print(`rxcrawl: ${error.message}`);
      messages.print('rxcrawl --help lists all options');
      return EXIT.usage;
    }
    if (error instanceof OutputError) {
      messages.print(`rxcrawl: ${error.message}`);
      return EXIT.output;
    }
    messages.print('rxcrawl: ended by a mistake in the program:');
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const line of text.split('\n')) messages.print(line);
    return EXIT.internal;
  }
}

/** Loads what a crawl needs: much more than it takes to answer a wrong command line. */
async function startCrawl(
  options: CliOptions,
  system: CliSystem,
  build: BuildCrawl | undefined,
): Promise<ExitCode> {
  const { runCrawl } = await import('./run-crawl.js');
  return runCrawl(options, system, build ?? (await import('./build-crawl.js')).buildCrawl);
}

/** Writes text to standard output; a reader that has gone is fine. */
async function print({ stdout }: CliSystem, text: string): Promise<ExitCode> {
  const output = lineSink(stdout, false);
  output.write(text);
  const failure = await output.close();
  if (failure === undefined || isClosedPipe(failure)) return EXIT.done;
  throw new OutputError('standard output', failure);
}
