import {
  asyncScheduler,
  combineLatest,
  distinctUntilChanged,
  EMPTY,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  share,
  shareReplay,
  skip,
  Subscription,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { messageOf } from '../core/message-of.js';
import { countEvent, type CrawlEvent, NO_STATS, type Stats, VERSION } from '../index.js';
import type { BuildCrawl } from './build-crawl.js';
import { checkTarget } from './check-target.js';
import type { CliSystem } from './cli-system.js';
import { describeEvent } from './describe-event.js';
import { digest } from './digest.js';
import { eventToLine, type EventToLineOptions, headLine } from './event-to-line.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { formatElapsed } from './format-units.js';
import { fromSignal } from './from-signal.js';
import { heldHosts } from './held-hosts.js';
import type { LineSink } from './line-sink.js';
import { secretMasker } from './mask-secrets.js';
import { type MessagePrinter, messagePrinter } from './message-printer.js';
import { type OpenedSeeds, openSeeds } from './open-seeds.js';
import { type CliHandler, openHandler } from './open-handler.js';
import { openSink } from './open-sink.js';
import { openWire, type Wire } from './open-wire.js';
import { isClosedPipe, OutputError } from './output-error.js';
import type { CliOptions } from './parse-options.js';
import { progressLines } from './progress-lines.js';
import type { CliPage } from './records.js';
import { type Outcome, summaryLines, type SummaryRecord } from './summary.js';
import { writeSummary } from './write-summary.js';

/** Time that running requests have to end after the first signal, or after `--max-time`, ms. */
const DRAIN = 10_000;

const EXIT_CODES: Readonly<Record<Outcome, ExitCode>> = {
  done: EXIT.done,
  'closed-pipe': EXIT.done,
  'internal-error': EXIT.internal,
  'output-failed': EXIT.output,
  'no-seed': EXIT.noSeed,
  'max-time': EXIT.maxTime,
  interrupted: EXIT.interrupted,
  terminated: EXIT.terminated,
};

/** Why a crawl is told to stop. */
type StopCause = 'SIGINT' | 'SIGTERM' | 'max-time';

/** What is known of a crawl once it has ended. */
interface Ending {
  readonly stats: Stats;
  readonly digest: ReturnType<ReturnType<typeof digest>['read']>;
  readonly seedsLeft: boolean;
  readonly stoppedBy: StopCause | undefined;
}

/**
 * Crawls as the options say, and tells about it.
 *
 * @throws UsageError or OutputError before anything is fetched
 */
export async function runCrawl(
  options: CliOptions,
  system: CliSystem,
  build: BuildCrawl,
): Promise<ExitCode> {
  const messages = printerFor(options, system);
  const scheduler = system.scheduler ?? asyncScheduler;
  if (options.summary !== undefined) {
    await checkTarget(options.summary, 'option --summary', '--force or --append');
  }
  const handle = await openHandler(options);
  const wire = await openWire(options, system.env);
  const seeds = await openSeeds(options.sources, {
    stdin: () => system.stdin,
    onReadError: (where, error) =>
      messages.print(`cannot read ${where}: ${messageOf(error)}`, 'warning'),
    onDemo: (url) => {
      if (!options.quiet) messages.print(`serving a made-up site at ${url} while it is crawled`);
    },
  });
  try {
    const output = await openSink(options, system);
    // Nobody shall do this without a word, so --quiet does not silence it.
    for (const host of options.insecure) {
      messages.print(`the certificate of ${host} is not checked (--insecure)`, 'warning');
    }
    const start = scheduler.now();
    let outputError: Error | undefined;
    let ending: Ending;
    try {
      ending = await crawlToEnd({ options, system, build, messages, seeds, output, wire, handle });
    } finally {
      outputError = await output.close();
    }

    const outcome = judge(ending, outputError);
    const summary: SummaryRecord = {
      type: 'summary',
      version: VERSION,
      outcome,
      exitCode: EXIT_CODES[outcome],
      startedAt: new Date(start).toISOString(),
      ms: scheduler.now() - start,
      ...ending.stats,
      ...ending.digest,
    };
    if (!options.quiet && outcome !== 'closed-pipe') {
      for (const line of summaryLines(summary)) messages.print(line);
    }
    await wire.save();
    if (options.summary !== undefined) await writeSummary(options.summary, summary);
    if (outcome === 'output-failed') {
      throw new OutputError(options.output?.path ?? 'standard output', outputError);
    }
    return summary.exitCode;
  } finally {
    seeds.close();
  }
}

/** All that a running crawl works with. */
interface Run {
  readonly options: CliOptions;
  readonly system: CliSystem;
  readonly build: BuildCrawl;
  readonly messages: MessagePrinter;
  readonly seeds: OpenedSeeds;
  readonly output: LineSink;
  readonly wire: Wire;
  readonly handle: CliHandler;
}

async function crawlToEnd(run: Run): Promise<Ending> {
  const { options, system, messages, seeds, output } = run;
  const scheduler = system.scheduler ?? asyncScheduler;
  const write = eventWriter(run);
  const level = options.quiet ? -1 : options.verbose;
  const figures = digest();
  const held = heldHosts();
  let stats = NO_STATS;
  let stoppedBy: StopCause | undefined;

  const signals$ = merge(fromSignal(system, 'SIGINT'), fromSignal(system, 'SIGTERM')).pipe(share());
  const timeUp$ =
    options.maxTime === undefined
      ? EMPTY
      : timer(options.maxTime, scheduler).pipe(
          map((): StopCause => 'max-time'),
          share(),
        );
  // A second signal aborts what runs, each request with its record; a third waits for nothing.
  const stop$ = merge(
    merge(signals$, timeUp$).pipe(take(1)),
    signals$.pipe(
      skip(1),
      map(() => ({ drainMs: 0 })),
    ),
  ).pipe(shareReplay({ bufferSize: 1, refCount: true }));
  const abort$ = signals$.pipe(skip(2), take(1));

  const beside = new Subscription();
  beside.add(
    merge(signals$.pipe(take(1)), timeUp$).subscribe((cause) => {
      // A signal is the user's own word, and outweighs the clock.
      if (stoppedBy === undefined || stoppedBy === 'max-time') stoppedBy = cause;
      seeds.stop();
      if (level >= 0) messages.print(stopMessage(cause));
    }),
  );
  if (options.progress && level >= 0) {
    const overwrite = canOverwrite(system);
    beside.add(
      progressLines(
        () => ({
          ...stats,
          queued: stats.waiting,
          heldHosts: held.count(scheduler.now()),
        }),
        { every: overwrite ? 250 : 10_000, window: overwrite ? 5_000 : 10_000, scheduler },
      ).subscribe((line) => messages.showStatus(line)),
    );
  }

  const observe = (event: CrawlEvent<unknown, CliPage>): void => {
    stats = countEvent(stats, event);
    figures.add(event);
    held.add(event, scheduler.now());
    write(event);
    const message = describeEvent(event, level);
    if (level >= 0 && message !== undefined) messages.print(message.text, message.label);
  };

  try {
    const events$ = run.build(options, {
      pause$: combineLatest([output.full$, messages.full$]).pipe(
        map((full) => full.includes(true)),
        distinctUntilChanged(),
      ),
      stop$,
      drain: DRAIN,
      scheduler,
      wire: run.wire,
      handle: run.handle,
    })(seeds.seeds);
    await lastValueFrom(
      events$.pipe(tap(observe), ignoreElements(), takeUntil(merge(abort$, output.broken$))),
      { defaultValue: undefined },
    );
  } finally {
    beside.unsubscribe();
    messages.clearStatus();
  }
  return {
    stats,
    digest: figures.read(),
    seedsLeft: !seeds.exhausted(),
    stoppedBy,
  };
}

function eventWriter({
  options,
  system,
  messages,
  output,
}: Run): (event: CrawlEvent<unknown, CliPage>) => void {
  const terminal = options.output === undefined && system.stdout.isTTY === true;
  const hasFiles = options.download !== undefined;
  const hasItems = options.extract.length > 0 || options.handler !== undefined;
  const form: EventToLineOptions = {
    format: options.format ?? (terminal && !hasItems && !hasFiles ? 'urls' : 'jsonl'),
    fields: options.fields,
    items: hasItems,
    columns: columnsOf(options),
    csvSafe: options.csvSafe,
    warn: (text) => messages.print(text, 'warning'),
    skips: options.verbose > 0,
    terminal,
    mask: secretMasker(options.secrets),
  };
  const toLine = eventToLine(form);
  const write = (line: string | undefined): void => {
    if (line === undefined) return;
    // Both streams may be the same terminal: the line of progress makes way.
    if (terminal) messages.aside(() => output.write(line));
    else output.write(line);
  };
  write(headLine(form));
  return (event) => write(toLine(event));
}

/** The columns that are known before there is a row. */
function columnsOf({ extract }: CliOptions): readonly string[] | undefined {
  return extract.length === 0 ? undefined : ['url', ...extract.map(({ name }) => name)];
}

function judge(
  { stoppedBy, digest, stats, seedsLeft }: Ending,
  outputError: Error | undefined,
): Outcome {
  if (outputError !== undefined) {
    return isClosedPipe(outputError) ? 'closed-pipe' : 'output-failed';
  }
  if (stoppedBy === 'SIGINT') return 'interrupted';
  if (stoppedBy === 'SIGTERM') return 'terminated';
  const unfinished = digest.left > 0 || seedsLeft || stats.waiting > 0 || stats.inFlight > 0;
  if (stoppedBy === 'max-time' && unfinished) return 'max-time';
  return digest.seedsFetched === 0 ? 'no-seed' : 'done';
}

function stopMessage(cause: StopCause): string {
  const drain = `requests that run have up to ${formatElapsed(DRAIN)} to end`;
  if (cause === 'max-time') return `stopping: --max-time is over; ${drain}`;
  const again = cause === 'SIGINT' ? 'Ctrl-C' : cause;
  return `stopping: ${drain}; ${again} again aborts at once`;
}

function printerFor(options: CliOptions, system: CliSystem): MessagePrinter {
  const overwrite = canOverwrite(system);
  return messagePrinter(system.stderr, {
    overwrite,
    colour: overwrite && !system.env['NO_COLOR'],
    mask: secretMasker(options.secrets),
    columns: () => system.stderr.columns ?? 80,
  });
}

/** Whether messages go to a terminal that can write over a line. */
function canOverwrite({ stderr, env }: CliSystem): boolean {
  return stderr.isTTY === true && env['TERM'] !== 'dumb';
}
