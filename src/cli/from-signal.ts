import { fromEventPattern, type Observable } from 'rxjs';

/** The part of `process` that signals come from. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * A signal as a stream. While it is subscribed, the signal no longer ends the process; on
 * unsubscribe the listener is removed and the signal does what it did before.
 *
 * @example
 * ```ts
 * fromSignal(process, 'SIGINT').subscribe(() => console.error('interrupted'));
 * ```
 */
export function fromSignal<S extends NodeJS.Signals>(
  source: SignalSource,
  signal: S,
): Observable<S> {
  return fromEventPattern(
    (handler) => source.on(signal, handler),
    (handler) => source.off(signal, handler),
    () => signal,
  );
}
