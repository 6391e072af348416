import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BehaviorSubject, type Observable, ReplaySubject, distinctUntilChanged } from 'rxjs';

/** Takes lines for one stream, whole ones only, and says when it cannot take more for now. */
export interface LineSink {
  /** Adds one line; the line feed is added here. Does nothing once the stream is broken. */
  readonly write: (line: string) => void;
  /** True while the stream is behind. Replays its state. Lines written meanwhile are kept. */
  readonly full$: Observable<boolean>;
  /** Emits the error that broke the stream, once, and completes. Replays it. */
  readonly broken$: Observable<Error>;
  /**
   * Resolves when all lines have been handed to the system, or to the error that broke the
   * stream before they were.
   */
  readonly close: () => Promise<Error | undefined>;
}

/**
 * Makes a {@link LineSink} of a stream.
 *
 * @param stream - where lines go
 * @param own - whether `close` also ends the stream; standard output stays open
 */
export function lineSink(stream: Writable, own: boolean): LineSink {
  const full$ = new BehaviorSubject(false);
  const broken$ = new ReplaySubject<Error>(1);
  let error: Error | undefined;
  stream.on('drain', () => full$.next(false));
  stream.on('error', (thrown: Error) => {
    error = thrown;
    broken$.next(thrown);
    broken$.complete();
    full$.next(false);
  });
  return {
    write: (line) => {
      if (error === undefined && !stream.write(`${line}\n`)) full$.next(true);
    },
    full$: full$.pipe(distinctUntilChanged()),
    broken$: broken$.asObservable(),
    close: async () => {
      if (error !== undefined) return error;
      try {
        if (own) await finished(stream.end());
        else await flush(stream);
      } catch (thrown) {
        error ??= thrown instanceof Error ? thrown : new Error(String(thrown));
      }
      return error;
    },
  };
}

/** Waits for all that has been written. */
function flush(stream: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write('', (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
