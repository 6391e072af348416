import { type MonoTypeOperatorFunction, Observable } from 'rxjs';

/**
 * `tap` for what must follow a value: `act` is called when the value has gone out. What `act`
 * sets off then comes after it, also if that is synchronous; it is not called if the consumer
 * unsubscribed meanwhile.
 */
export function tapAfter<T>(act: (value: T) => void): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) =>
      source$.subscribe({
        next: (value) => {
          subscriber.next(value);
          if (!subscriber.closed) act(value);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
}
