// Own code, not `from(output)`: a synchronous iterable of 5,000 links is walked in a plain loop,
// an iterable of either kind is pulled only when the sink has taken the item before, and the
// handler's time is not counted while it waits for that sink. `from()` does none of the three.

import {
  from,
  isObservable,
  Observable,
  type ObservableInput,
  type SchedulerLike,
  type Subscription,
} from 'rxjs';
import { CrawlError } from './errors.js';
import { show } from './expect.js';
import { Fifo } from './fifo.js';
import type { HandlerContext } from './handler.js';
import { iteratorResult } from './iterator-result.js';
import { LazyHandlerContext } from './lazy-handler-context.js';
import { messageOf } from './message-of.js';

/** What {@link runHandler} needs to know. */
export interface RunHandlerOptions {
  /** Longest time that a handler may take, waiting for its sink not counted, ms. */
  readonly timeout: number;
  readonly scheduler: SchedulerLike;
  /**
   * Takes one value; what it returns is waited for before the next value is asked for. What it
   * throws is a failure of the handler, which has given that value.
   */
  readonly accept: (value: unknown) => ObservableInput<unknown> | undefined;
  /** Called whenever the handler has yielded for the moment: at its end, and before each wait. */
  readonly flush: () => void;
}

/**
 * Runs a handler and hands its values to `accept` one after the other. Emits nothing; completes
 * when the handler has. Unsubscribing, an error and the time limit fire the signal and end the
 * handler's iterator.
 *
 * @param call - calls the handler
 */
export function runHandler(
  call: (context: HandlerContext) => unknown,
  options: RunHandlerOptions,
): Observable<never> {
  return new Observable<never>((subscriber) => {
    const { accept, flush, scheduler } = options;
    const context = new LazyHandlerContext();
    let ended = false;
    let waiting = false;
    let stopSource: (() => void) | undefined;
    let clock: Subscription | undefined;
    let left = options.timeout;
    let startedAt = scheduler.now();

    const end = (error?: CrawlError): void => {
      if (ended) return;
      ended = true;
      clock?.unsubscribe();
      try {
        flush();
      } catch (cause) {
        subscriber.error(error ?? handlerFailed(cause));
      }
      if (error) subscriber.error(error);
      else subscriber.complete();
    };
    const fail = (cause: unknown): void => end(handlerFailed(cause));
    const flushNow = (): void => {
      if (ended) return;
      try {
        flush();
      } catch (cause) {
        fail(cause);
      }
    };

    const startClock = (): void => {
      if (ended || waiting || left === Infinity) return;
      startedAt = scheduler.now();
      clock = scheduler.schedule(() => {
        const error = new CrawlError('handler-timeout', `handler took over ${options.timeout} ms`, {
          detail: { limit: options.timeout },
        });
        end(error);
        stop(error);
      }, left);
    };
    const stopClock = (): void => {
      if (!clock) return;
      clock.unsubscribe();
      clock = undefined;
      left -= scheduler.now() - startedAt;
    };
    const stop = (reason: unknown): void => {
      context.abort(reason);
      stopSource?.();
    };
    subscriber.add(() => {
      clock?.unsubscribe();
      if (ended) return;
      ended = true;
      stop(new CrawlError('aborted', 'the crawl was stopped'));
    });

    /** Hands on a value; false if the caller must wait for `goOn` before the next. */
    const take = (value: unknown, goOn: () => void): boolean => {
      let wait: ObservableInput<unknown> | undefined;
      try {
        wait = accept(value);
      } catch (cause) {
        fail(cause);
        stop(cause);
      }
      if (wait === undefined || ended) return !ended;
      flushNow();
      waiting = true;
      let synchronous = true;
      subscriber.add(
        from(wait).subscribe({
          error: (cause: unknown) => {
            end(new CrawlError('sink-failed', 'the sink failed', { cause }));
            stop(cause);
          },
          complete: () => {
            waiting = false;
            if (synchronous || ended) return;
            startClock();
            goOn();
          },
        }),
      );
      synchronous = false;
      return mayGoOn();
    };
    const mayGoOn = (): boolean => {
      if (waiting) stopClock();
      return !waiting && !ended;
    };
    const isOver = (): boolean => ended;

    const pull = (iterator: Iterator<unknown>): void => {
      stopSource = () => quietly(() => iterator.return?.());
      const step = (): void => {
        try {
          while (!isOver()) {
            const result = iteratorResult(iterator.next());
            // A generator that unsubscribed its own crawl could not be closed while it ran.
            if (isOver()) return stopSource?.();
            if (result.done === true) return end();
            if (!take(result.value, step)) return;
          }
        } catch (cause) {
          fail(cause);
        }
      };
      step();
    };

    const pullAsync = (iterator: AsyncIterator<unknown>): void => {
      stopSource = () => quietly(() => iterator.return?.());
      const step = (): void => {
        if (ended) return;
        const onResult = (result: IteratorResult<unknown>): void => {
          if (ended) return;
          try {
            if (iteratorResult(result).done === true) return end();
            if (!take(result.value, step)) return;
          } catch (cause) {
            return fail(cause);
          }
          flushNow();
          step();
        };
        try {
          iterator.next().then(onResult, fail);
        } catch (cause) {
          fail(cause);
        }
      };
      step();
    };

    const push = (source$: Observable<unknown>): void => {
      const pushed = new Fifo<{ readonly value: unknown }>();
      let completed = false;
      let busy = false;
      const next = (): void => {
        busy = true;
        for (let entry = pushed.shift(); entry && !ended; entry = pushed.shift()) {
          if (!take(entry.value, next)) return;
        }
        busy = false;
        if (completed) end();
        else flushNow();
      };
      const subscription = source$.subscribe({
        next: (value) => {
          pushed.push({ value });
          if (!busy) next();
        },
        error: fail,
        complete: () => {
          completed = true;
          if (!busy) end();
        },
      });
      stopSource = () => subscription.unsubscribe();
      if (ended) subscription.unsubscribe();
      subscriber.add(subscription);
    };

    let output: unknown;
    try {
      output = call(context);
    } catch (cause) {
      fail(cause);
      return;
    }
    if (output === undefined || output === null) {
      end();
      return;
    }
    if (typeof output !== 'object' && typeof output !== 'function') {
      fail(new TypeError(`expected an iterable, a promise or an Observable, got ${show(output)}`));
    } else {
      try {
        if (isIterable(output)) pull(output[Symbol.iterator]());
        else if (isAsyncIterable(output)) pullAsync(output[Symbol.asyncIterator]());
        else push(asSource(output));
      } catch (cause) {
        fail(cause);
      }
    }
    startClock();
  });
}

function asSource(output: unknown): Observable<unknown> {
  if (isObservable(output)) return output;
  try {
    return from(output as ObservableInput<unknown>);
  } catch {
    throw new TypeError(`expected an iterable, a promise or an Observable, got ${show(output)}`);
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function handlerFailed(cause: unknown): CrawlError {
  const why = messageOf(cause);
  return new CrawlError('handler-failed', `handler failed: ${why}`, { cause });
}

/** The handler is being abandoned: what its clean-up throws or rejects with has no reader. */
function quietly(act: () => unknown): void {
  try {
    Promise.resolve(act()).catch(() => undefined);
  } catch {
    // The same.
  }
}
