import {
  defer,
  from,
  ignoreElements,
  Observable,
  type ObservableInput,
  ReplaySubject,
  Subject,
} from 'rxjs';
import { expectFunction } from './expect.js';
import { expectOptions, integerFrom, oneOf } from './expect-options.js';
import { Fifo } from './fifo.js';

/**
 * What happens to an item that finds a {@link bufferedSink} full. `hold`: it waits, and its
 * worker with it, so nothing is lost. `drop-newest` and `drop-oldest`: one is given up and
 * counted, for items of which only some are needed.
 */
export type Overflow = 'hold' | 'drop-newest' | 'drop-oldest';

/** Options of {@link bufferedSink}. */
export interface BufferedSinkOptions {
  /** Most items that are in the buffer, those being saved not counted. Default 1,000. */
  readonly capacity?: number | undefined;
  /** Most items that are saved at a time. Default 1: one after the other. */
  readonly concurrency?: number | undefined;
  /** Default `hold`. */
  readonly overflow?: Overflow | undefined;
}

/** How full a buffer is, and what has become of its items. */
export interface BufferCounts {
  readonly capacity: number;
  readonly overflow: Overflow;
  /** Items in the buffer. */
  readonly size: number;
  /** Items that wait for a place in it, each holding a worker. */
  readonly held: number;
  readonly saving: number;
  readonly saved: number;
  readonly failed: number;
  readonly dropped: number;
  /** How it was closed, or is being closed. */
  readonly closed: CloseMode | undefined;
}

/** What becomes of the items in a buffer that is closed: they are saved, or given up. */
export type CloseMode = 'drain' | 'drop';

/** An item that could not be saved. */
export interface SaveFailure<T> {
  readonly item: T;
  readonly error: unknown;
}

/** A sink with a buffer of bounded size. Made by {@link bufferedSink}. */
export interface BufferedSink<T> {
  /** Takes an item: completes when it has a place. Errors if the buffer is closed. */
  (item: T): Observable<never>;
  /** Items that could not be saved. Hot. */
  readonly failures$: Observable<SaveFailure<T>>;
  /** The figures at the moment. */
  bufferCounts(): BufferCounts;
  /**
   * Closes the buffer: it takes no more items. `drain` saves what is in it, `drop` gives that
   * up, and what is being saved may end in both cases. Done when it is called; the second call
   * can only turn a drain into a drop.
   *
   * @returns emits the final figures when nothing is left; `closed` says which it was
   * @throws TypeError for any other mode
   */
  close(mode: CloseMode): Observable<BufferCounts>;
}

const expectCloseMode = oneOf('drain', 'drop');

/**
 * Puts a bounded buffer between the workers of a crawl and a store that is slow at times: a
 * worker is held only while the buffer is full. Items are saved in the order in which they came.
 *
 * ```text
 * items: abc------|     capacity 1, each save takes 3 frames
 * free:  ab-c-----|     when the worker of each item may go on: c is held until b leaves
 * saved: ---a--b--c
 * ```
 *
 * @param save - saves one item, done when what it returns completes
 * @throws TypeError or RangeError naming the option that is wrong
 *
 * @example
 * ```ts
 * import { concatWith, defer } from 'rxjs';
 *
 * const sink = bufferedSink(insertBook, { capacity: 100 });
 * crawl({ handle, sink })('https://books.example/')
 *   .pipe(concatWith(defer(() => sink.close('drain'))))
 *   .subscribe();
 * ```
 */
export function bufferedSink<T>(
  save: (item: T) => ObservableInput<unknown>,
  options: BufferedSinkOptions = {},
): BufferedSink<T> {
  expectFunction('bufferedSink: save', save);
  expectOptions('bufferedSink', options, {
    capacity: integerFrom(1),
    concurrency: integerFrom(1),
    overflow: oneOf('hold', 'drop-newest', 'drop-oldest'),
  });
  const { capacity = 1_000, concurrency = 1, overflow = 'hold' } = options;
  const buffer = new SinkBuffer(save, capacity, concurrency, overflow);
  return Object.assign((item: T) => buffer.put(item), {
    failures$: buffer.failures$,
    bufferCounts: () => buffer.counts(),
    close: (mode: CloseMode) => buffer.close(mode),
  });
}

/** The figures of a sink that has a buffer. */
export function bufferCountsOf(sink: unknown): BufferCounts | undefined {
  const { bufferCounts } = (sink ?? {}) as Partial<BufferedSink<unknown>>;
  return typeof bufferCounts === 'function' ? bufferCounts() : undefined;
}

interface Held<T> {
  readonly item: T;
  readonly placed: () => void;
  readonly refuse: (error: Error) => void;
}

class SinkBuffer<T> {
  readonly #failures$ = new Subject<SaveFailure<T>>();
  readonly #closed$ = new ReplaySubject<BufferCounts>(1);
  readonly #places = new Fifo<{ readonly item: T }>();
  readonly #held = new Fifo<Held<T>>();
  readonly #save: (item: T) => ObservableInput<unknown>;
  readonly #capacity: number;
  readonly #concurrency: number;
  readonly #overflow: Overflow;
  #saving = 0;
  #saved = 0;
  #failed = 0;
  #dropped = 0;
  #closed: CloseMode | undefined;
  #busy = false;

  constructor(
    save: (item: T) => ObservableInput<unknown>,
    capacity: number,
    concurrency: number,
    overflow: Overflow,
  ) {
    this.#save = save;
    this.#capacity = capacity;
    this.#concurrency = concurrency;
    this.#overflow = overflow;
  }

  get failures$(): Observable<SaveFailure<T>> {
    return this.#failures$;
  }

  put(item: T): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (this.#closed !== undefined) {
        subscriber.error(closedError());
        return;
      }
      const held: Held<T> = {
        item,
        placed: () => subscriber.complete(),
        refuse: (error) => subscriber.error(error),
      };
      subscriber.add(() => this.#held.remove(held));
      this.#held.push(held);
      this.#work();
    });
  }

  counts(): BufferCounts {
    return {
      capacity: this.#capacity,
      overflow: this.#overflow,
      size: this.#places.size,
      held: this.#held.size,
      saving: this.#saving,
      saved: this.#saved,
      failed: this.#failed,
      dropped: this.#dropped,
      closed: this.#closed,
    };
  }

  close(mode: CloseMode): Observable<BufferCounts> {
    expectCloseMode('bufferedSink: close: mode', mode);
    if (this.#isOver) return this.#closed$.asObservable();
    if (this.#closed !== 'drop') this.#closed = mode;
    // An item without a place was never taken: whoever holds it is told so.
    for (let held = this.#held.shift(); held; held = this.#held.shift()) {
      held.refuse(closedError());
    }
    if (mode === 'drop') while (this.#places.shift()) this.#dropped += 1;
    this.#work();
    return this.#closed$.asObservable();
  }

  get #isOver(): boolean {
    return this.#closed !== undefined && this.#places.size + this.#saving === 0;
  }

  /** Moves items on as far as there is room. One loop: saves that end at once come back here. */
  #work(): void {
    if (this.#busy) return;
    this.#busy = true;
    for (;;) {
      if (this.#places.size > 0 && this.#saving < this.#concurrency) this.#start();
      else if (!this.#place()) break;
    }
    this.#busy = false;
    if (this.#isOver) {
      this.#closed$.next(this.counts());
      this.#closed$.complete();
    }
  }

  #place(): boolean {
    if (this.#held.size === 0) return false;
    if (this.#places.size >= this.#capacity) {
      if (this.#overflow === 'hold') return false;
      this.#dropped += 1;
      if (this.#overflow === 'drop-newest') {
        this.#held.shift()?.placed();
        return true;
      }
      this.#places.shift();
    }
    const held = this.#held.shift();
    if (!held) return false;
    this.#places.push({ item: held.item });
    held.placed();
    return true;
  }

  #start(): void {
    const place = this.#places.shift();
    if (!place) return;
    const { item } = place;
    this.#saving += 1;
    defer(() => from(this.#save(item)))
      .pipe(ignoreElements())
      .subscribe({
        error: (error: unknown) => {
          this.#saving -= 1;
          this.#failed += 1;
          this.#failures$.next({ item, error });
          this.#work();
        },
        complete: () => {
          this.#saving -= 1;
          this.#saved += 1;
          this.#work();
        },
      });
  }
}

function closedError(): Error {
  return new Error('bufferedSink: it is closed and takes no more items');
}
