import {
  BehaviorSubject,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  type Observable,
  startWith,
  Subject,
  takeWhile,
} from 'rxjs';
import {
  type BarePage,
  bufferCountsOf,
  countEvent,
  countsOf,
  type Crawl,
  type CrawlEvent,
  items,
  type ModuleCounts,
  NO_STATS,
  pages,
  type Seeds,
  type SkipEvent,
  type Stats,
} from '../core/index.js';
import { expectFunction, expectObject, expectMs } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { Fifo } from '../core/fifo.js';
import { checkSeeds, watchSeeds } from './check-seeds.js';
import {
  type CrawlProblem,
  NO_PROBLEMS,
  type ProblemCounts,
  problemOf,
  schedulerProblem,
  SeedRejected,
} from './crawl-problem.js';
import {
  type CrawlerStatus,
  type CrawlerWish,
  FINISHED,
  IllegalTransition,
  transition,
} from './crawler-status.js';
import { type CrawlerSummary, summaryText } from './crawler-summary.js';
import { sameValue } from './same-value.js';

/** What a crawler needs of the crawl that it controls: two options by which it does so. */
export interface ControlOptions {
  readonly pause$: Observable<boolean>;
  /** Emits the options of {@link Crawler.stop}. */
  readonly stop$: Observable<StopOptions>;
}

/** Options of {@link Crawler.stop}. */
export interface StopOptions {
  /** Time that running requests have to end, ms; then they are aborted. Default: option `drain`. */
  readonly drainMs?: number | undefined;
}

/**
 * A crawl as an object that is told what to do. All its streams are hot, outlive its runs, and
 * neither end nor error; none of them holds the crawl up. Made by `createCrawler()`.
 *
 * @typeParam O - the options of its crawl
 */
export interface Crawler<O, T, P extends BarePage> {
  readonly status: CrawlerStatus;
  /** The status now, and all that follow. */
  readonly status$: Observable<CrawlerStatus>;
  readonly paused: boolean;
  /** Everything that happens. */
  readonly events$: Observable<CrawlEvent<T, P>>;
  readonly pages$: Observable<P>;
  readonly items$: Observable<T>;
  /** Figures of the latest run, now and whenever they change. */
  readonly stats$: Observable<Stats>;
  /**
   * What went wrong, by stage. Every subscriber gets every problem, and nothing waits for a
   * subscriber.
   */
  readonly errors$: Observable<CrawlProblem>;
  /**
   * Whether nothing is queued, running or waiting for a retry: counted, not guessed. Seeds that
   * an iterable still holds are work; those that an Observable may still bring are not.
   */
  readonly idle$: Observable<boolean>;
  /** The summary now, and whenever it is another. Free while nobody is subscribed. */
  readonly summary$: Observable<CrawlerSummary>;

  /**
   * Takes other options, for the runs that follow.
   *
   * @throws IllegalTransition while it runs
   * @throws TypeError or RangeError naming the option that is wrong; the old ones stay
   */
  init(options: O): void;
  /**
   * Begins a run, with nothing of the one before: requests seen there are fetched again. It
   * ends by itself when the seeds have and nothing is left; then the status is `stopped`.
   *
   * @param seeds - as for `crawl()`. A stream of seeds keeps the run open until it ends
   * @throws IllegalTransition unless it is `initialized` or `stopped`
   * @throws SeedRejected if one of them is no URL, or the first is refused by the crawl's rules;
   * nothing is fetched then. Later refusals, and those of seeds that come later, go to `errors$`
   * @throws TypeError if there are none
   */
  start(seeds: Seeds): void;
  /**
   * Starts nothing new until {@link Crawler.resume}; what runs goes on. Does nothing if it is
   * paused.
   *
   * @throws IllegalTransition unless it is `started`
   */
  pause(): void;
  /** @throws IllegalTransition unless it is `started` */
  resume(): void;
  /**
   * Ends the run: what runs may finish, what waits is skipped.
   *
   * @returns when the status is `stopped`
   * @throws IllegalTransition, at once, unless it is `started`
   */
  stop(options?: StopOptions): Promise<void>;
  summary(): CrawlerSummary;
  /** {@link Crawler.summary} as indented JSON text. */
  summaryText(): string;
}

/**
 * Makes a crawler of any crawl: a function that takes options and gives a {@link Crawl}.
 *
 * @param makeCrawl - called with the options, and with `pause$` and `stop$` added
 * @throws TypeError if `makeCrawl` is no function, or returns none
 * @throws whatever `makeCrawl` throws for options that are wrong
 *
 * @example
 * ```ts
 * import { crawl, crawlerOf } from 'rxcrawl';
 *
 * const crawler = crawlerOf(crawl, { maxPages: 100 });
 * crawler.pages$.subscribe((page) => console.log(page.url));
 * crawler.start('https://books.example/');
 * ```
 */
export function crawlerOf<O extends object, T, P extends BarePage>(
  makeCrawl: (options: O & ControlOptions) => Crawl<T, P>,
  options: O,
): Crawler<O, T, P> {
  expectFunction('crawlerOf: makeCrawl', makeCrawl);
  return new ControlledCrawler(makeCrawl, options);
}

/** One run of a crawler. */
class Run {
  stats: Stats = NO_STATS;
  problems: ProblemCounts = NO_PROBLEMS;
  /** Whether a synchronous source still has seeds to be pulled. */
  pulling = false;
  over = false;
  /** Why the run never came to be. */
  rejected: SeedRejected | undefined;
  /** The last event, if it refused what may be a seed. */
  refused: SkipEvent | undefined;

  get idle(): boolean {
    return this.over || (!this.pulling && this.stats.waiting + this.stats.inFlight === 0);
  }
}

class ControlledCrawler<O extends object, T, P extends BarePage> implements Crawler<O, T, P> {
  readonly #makeCrawl: (options: O & ControlOptions) => Crawl<T, P>;
  readonly #pause$ = new BehaviorSubject(false);
  readonly #stop$ = new Subject<StopOptions>();
  readonly #status$ = new BehaviorSubject<CrawlerStatus>('uninitialized');
  readonly #events$ = new Subject<CrawlEvent<T, P>>();
  readonly #stats$ = new BehaviorSubject<Stats>(NO_STATS);
  readonly #idle$ = new BehaviorSubject(true);
  readonly #errors$ = new Subject<CrawlProblem>();
  readonly #changed$ = new Subject<void>();
  readonly status$: Observable<CrawlerStatus> = this.#status$.asObservable();
  readonly events$: Observable<CrawlEvent<T, P>> = this.#events$.asObservable();
  readonly pages$: Observable<P> = this.#events$.pipe(pages<P>());
  readonly items$: Observable<T> = this.#events$.pipe(items<T>());
  readonly stats$: Observable<Stats> = this.#stats$.pipe(distinctUntilChanged());
  readonly errors$: Observable<CrawlProblem> = this.#errors$.asObservable();
  readonly idle$: Observable<boolean> = this.#idle$.pipe(distinctUntilChanged());
  readonly summary$: Observable<CrawlerSummary> = this.#changed$.pipe(
    startWith(undefined),
    map(() => this.summary()),
    distinctUntilChanged<CrawlerSummary>(sameValue),
  );
  readonly #news = new Fifo<() => void>();
  #telling = false;
  #status: CrawlerStatus = 'uninitialized';
  #options!: O;
  #crawl!: Crawl<T, P>;
  #run = new Run();
  #runs = 0;

  constructor(makeCrawl: (options: O & ControlOptions) => Crawl<T, P>, options: O) {
    this.#makeCrawl = makeCrawl;
    this.init(options);
  }

  get status(): CrawlerStatus {
    return this.#status;
  }

  get paused(): boolean {
    return this.#pause$.value;
  }

  init(options: O): void {
    this.#step('initializing', () => {
      expectObject('crawler: options', options);
      for (const name of ['pause$', 'stop$']) {
        if (!Object.hasOwn(options, name)) continue;
        throw new TypeError(`crawler: unknown option "${name}"; a crawler has pause() and stop()`);
      }
      const crawl = this.#makeCrawl({ ...options, pause$: this.#pause$, stop$: this.#stop$ });
      expectFunction('crawler: what makeCrawl returned', crawl);
      this.#crawl = crawl;
      this.#options = options;
    });
  }

  start(seeds: Seeds): void {
    transition(this.#status, 'starting');
    checkSeeds(seeds);
    const run = new Run();
    const watched = watchSeeds(seeds, () => (run.pulling = false));
    run.pulling = watched.pulled;
    const crawl$ = this.#crawl(watched.seeds);
    this.#step('starting', () => {
      crawl$.pipe(takeWhile((event) => this.#take(run, event))).subscribe({
        error: (error: unknown) => this.#end(run, { error }),
        complete: () => this.#end(run),
      });
      if (run.rejected) throw run.rejected;
      this.#begin(run);
    });
  }

  pause(): void {
    this.#setPaused(true);
  }

  resume(): void {
    this.#setPaused(false);
  }

  stop(options: StopOptions = {}): Promise<void> {
    expectOptions('crawler: stop', options, { drainMs: expectMs });
    this.#enter(transition(this.#status, 'stopping'));
    const stopped$ = this.#status$.pipe(filter((status) => status === 'stopped'));
    const stopped = firstValueFrom(stopped$, { defaultValue: undefined });
    this.#stop$.next(options);
    return stopped.then(() => undefined);
  }

  summary(): CrawlerSummary {
    const options = this.#options as Readonly<Record<string, unknown>>;
    return {
      status: this.#status,
      paused: this.paused,
      idle: this.#run.idle,
      runs: this.#runs,
      options: figuresOf(options),
      stats: this.#run.stats,
      modules: {
        fetchers: sorted(countsOf(options['fetcher'])),
        handlers: sorted(countsOf(options['handle'])),
        sinks: sorted(countsOf(options['sink'])),
      },
      buffer: bufferCountsOf(options['sink']),
      problems: this.#run.problems,
    };
  }

  summaryText(): string {
    return summaryText(this.summary());
  }

  /** Carries out a step between two states; where it fails, the state before is restored. */
  #step(wish: CrawlerWish, act: () => void): void {
    const before = this.#status;
    this.#enter(transition(before, wish));
    try {
      act();
    } catch (error) {
      this.#enter(before);
      throw error;
    }
    if (this.#status === wish) this.#enter(FINISHED[wish]);
  }

  #enter(status: CrawlerStatus): void {
    this.#status = status;
    this.#tell(() => this.#status$.next(status));
  }

  /** The run counts from here on: its first seed was taken, or there is none yet. */
  #begin(run: Run): void {
    if (this.#run === run) return;
    this.#run = run;
    this.#runs += 1;
    this.#enter('started');
    this.#publish(run);
  }

  /** Takes an event; false if it refuses the first seed, and with it the run. */
  #take(run: Run, event: CrawlEvent<T, P>): boolean {
    if (this.#run !== run) {
      if (isRefusal(event)) {
        run.rejected = rejection(event);
        return false;
      }
      this.#begin(run);
    }
    run.stats = countEvent(run.stats, event);
    this.#tell(() => this.#events$.next(event));
    const problem = problemOf(event) ?? seedProblem(run, event);
    if (problem) this.#report(run, problem);
    this.#publish(run);
    return true;
  }

  #end(run: Run, failure?: { readonly error: unknown }): void {
    if (run.rejected) return;
    this.#begin(run);
    if (failure) this.#report(run, schedulerProblem(failure.error));
    else if (run.stats === NO_STATS && this.#status === 'started') {
      this.#report(run, schedulerProblem(new Error('crawler: there were no seeds')));
    }
    run.over = true;
    if (this.#status === 'started') this.#enter('stopping');
    this.#pause$.next(false);
    this.#publish(run);
    this.#enter('stopped');
  }

  #report(run: Run, problem: CrawlProblem): void {
    const { stage } = problem;
    run.problems = { ...run.problems, [stage]: run.problems[stage] + 1 };
    this.#tell(() => this.#errors$.next(problem));
  }

  #publish({ stats, idle }: Run): void {
    this.#tell(() => {
      this.#stats$.next(stats);
      this.#idle$.next(idle);
    });
  }

  #setPaused(paused: boolean): void {
    if (this.#status !== 'started') {
      throw new IllegalTransition(this.#status, paused ? 'paused' : 'resumed', ['started']);
    }
    this.#pause$.next(paused);
    this.#tell(() => undefined);
  }

  /**
   * Hands news to the subscribers, one after the other: what a subscriber sets off is told when
   * all have heard what it was told.
   */
  #tell(news: () => void): void {
    this.#news.push(news);
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#news.shift(); next; next = this.#news.shift()) {
      next();
      this.#changed$.next();
    }
    this.#telling = false;
  }
}

function isRefusal(event: CrawlEvent): event is SkipEvent {
  return event.type === 'skip' && !event.admitted;
}

function rejection({ url, reason, detail }: SkipEvent): SeedRejected {
  return new SeedRejected(url, reason, detail);
}

/** A seed that is no URL is skipped; the skip of any other is followed by an empty `found`. */
function seedProblem(run: Run, event: CrawlEvent): CrawlProblem | undefined {
  const { refused } = run;
  run.refused = isRefusal(event) ? event : undefined;
  if (isRefusal(event)) {
    return event.reason === 'invalid-url' ? schedulerProblem(rejection(event)) : undefined;
  }
  const isEmpty =
    event.type === 'found' && event.request === undefined && event.admitted.length === 0;
  return refused && isEmpty && refused.reason !== 'duplicate'
    ? schedulerProblem(rejection(refused))
    : undefined;
}

function figuresOf(options: Readonly<Record<string, unknown>>): Record<string, number | boolean> {
  const isFigure = (entry: [string, unknown]): entry is [string, number | boolean] =>
    typeof entry[1] === 'number' || typeof entry[1] === 'boolean';
  return Object.fromEntries(Object.entries(options).filter(isFigure));
}

function sorted(counts: readonly ModuleCounts[]): readonly ModuleCounts[] {
  return [...counts].sort((a, b) => (a.id < b.id ? -1 : 1));
}
