import { Observable, type Subscriber } from 'rxjs';

/**
 * Emits when a consumer leaves: with `takeUntil` it can do so while a synchronous source is still
 * being subscribed to, and there is no subscription yet that it could end.
 */
export function leaving(subscriber: Subscriber<unknown>): Observable<void> {
  return new Observable<void>((notifier) => subscriber.add(() => notifier.next()));
}
