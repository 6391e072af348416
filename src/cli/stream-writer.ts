import type { Writable } from 'node:stream';
import { BehaviorSubject, distinctUntilChanged, type Observable, ReplaySubject } from 'rxjs';

/** Writes to a stream, and says when that cannot take more for now. */
export interface StreamWriter {
  /** Does nothing once the stream is broken. */
  readonly write: (text: string) => void;
  /** True while the stream is behind. Replays its state. What is written meanwhile is kept. */
  readonly full$: Observable<boolean>;
  /** Emits the error that broke the stream, once, and completes. Replays it. */
  readonly broken$: Observable<Error>;
}

/** Makes a {@link StreamWriter}. An error of the stream is never thrown, only told. */
export function streamWriter(stream: Writable): StreamWriter {
  const full$ = new BehaviorSubject(false);
  const broken$ = new ReplaySubject<Error>(1);
  let broken = false;
  stream.on('drain', () => full$.next(false));
  stream.on('error', (error: Error) => {
    broken = true;
    broken$.next(error);
    broken$.complete();
    full$.next(false);
  });
  return {
    write: (text) => {
      if (!broken && !stream.write(text)) full$.next(true);
    },
    full$: full$.pipe(distinctUntilChanged()),
    broken$: broken$.asObservable(),
  };
}
