import { type MonoTypeOperatorFunction, Observable, type Subscriber, takeUntil } from 'rxjs';

/**
 * `tap` for what must follow a value: `act` is called when the value has gone out. What `act`
 * sets off then comes after it, also if that is synchronous; it is not called if the consumer
 * unsubscribed meanwhile.
 */
export function tapAfter<T>(act: (value: T) => void): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) =>
      source$.pipe(takeUntil(leaving(subscriber))).subscribe({
        next: (value) => {
          subscriber.next(value);
          if (subscriber.closed) return;
          try {
            act(value);
          } catch (error) {
            subscriber.error(error);
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
}

/** Lets a consumer leave while a synchronous source is still being subscribed to. */
function leaving(subscriber: Subscriber<unknown>): Observable<void> {
  return new Observable<void>((notifier) => subscriber.add(() => notifier.next()));
}
