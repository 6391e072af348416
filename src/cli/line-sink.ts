import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { BehaviorSubject, type Observable, ReplaySubject, distinctUntilChanged } from 'rxjs';

/** Takes lines for one stream, whole ones only, and says when it cannot take more for now. */
export interface LineSink {
  /** Adds one line; the line feed is added here. Does nothing once the stream is broken. */
  readonly write: (line: string) => void;
  /** True while the stream is behind. Replays its state. Lines written meanwhile are kept. */
  readonly full$: Observable<boolean>;
  /** Emits the error that broke the stream, once, and completes. Replays it. */
  readonly broken$: Observable<Error>;
  /** Resolves when all lines have been handed to the system, or the stream is broken. */
  readonly close: () => Promise<void>;
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
  let open = true;
  stream.on('drain', () => full$.next(false));
  stream.on('error', (error: Error) => {
    open = false;
    broken$.next(error);
    broken$.complete();
    full$.next(false);
  });
  return {
    write: (line) => {
      if (open && !stream.write(`${line}\n`)) full$.next(true);
    },
    full$: full$.pipe(distinctUntilChanged()),
    broken$: broken$.asObservable(),
    close: async () => {
      if (!open) return;
      const gone = once(stream, 'error');
      const flushed = new Promise<void>((resolve) => {
        if (own) stream.end(resolve);
        else stream.write('', () => resolve());
      });
      await Promise.race([flushed, gone]);
    },
  };
}
