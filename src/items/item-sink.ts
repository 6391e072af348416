import {
  catchError,
  concatWith,
  defer,
  finalize,
  map,
  merge,
  mergeAll,
  of,
  throwError,
  type MonoTypeOperatorFunction,
  type Observable,
} from 'rxjs';

/**
 * Takes items one by one. The Observable of an item emits it when it is safe where it belongs,
 * or errors with `sink-failed` for this item alone. Given to `crawl()` as `sink`, a slow store
 * holds the workers.
 */
export interface ItemSink<T> {
  (item: T): Observable<T>;
  /** Opens what is written to, to learn of problems early; otherwise the first item does. */
  open(): Observable<never>;
  /** Flushes and closes; completes when all is safe. Later items are refused. */
  close(): Observable<never>;
}

/**
 * Makes an operator of a sink: each item is passed on, in order, when it is safe. The sink is
 * opened on subscribe, and flushed and closed on completion, error and unsubscribe; completion
 * and error wait for it. An item that fails is the error of the stream; to go on without it, run
 * the sink yourself: `mergeMap((item) => sink(item).pipe(catchError(…)))`.
 */
export function through<T>(makeSink: () => ItemSink<T>): MonoTypeOperatorFunction<T> {
  return (items$) =>
    defer(() => {
      const sink = makeSink();
      let isClosing = false;
      const close$ = defer(() => {
        isClosing = true;
        return sink.close();
      });
      // Closed by the end of the items, not of their storing: it is what flushes the last batch.
      const stored$ = items$.pipe(
        map((item) => sink(item)),
        concatWith(of(close$)),
        mergeAll(),
      );
      // Both at once: of a hot source, what comes while the file is being opened waits in the sink.
      return merge(sink.open(), stored$).pipe(
        catchError((error: unknown) => {
          const thrown$ = throwError(() => error);
          // The first error is the one to tell.
          return close$.pipe(
            catchError(() => thrown$),
            concatWith(thrown$),
          );
        }),
        finalize(() => {
          if (!isClosing) closeQuietly(sink);
        }),
      );
    });
}

/** For a stream that nobody listens to any more. */
function closeQuietly(sink: Pick<ItemSink<unknown>, 'close'>): void {
  sink.close().subscribe({ error: () => undefined });
}
