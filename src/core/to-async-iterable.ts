import { defer, Observable, type ObservableInput, type Subscriber, type Subscription } from 'rxjs';
import type { CrawlEvent, ItemEvent } from './events.js';
import { expectFunction } from './expect.js';
import { Fifo } from './fifo.js';

/** The type of the items of a stream of events. */
export type ItemOf<E extends { readonly type: string }> =
  Extract<E, { readonly type: 'item' }> extends ItemEvent<infer T> ? T : never;

/**
 * The items of a crawl as an async iterable, with backpressure: a worker goes on only when the
 * consumer has taken its item and asked for the next. However slow the loop is, at most one item
 * for each worker waits, and no page is fetched whose worker is not free: with `queued(16)` at
 * most 16 items. (What a handler gives as an Observable comes as that pushes it, and waits
 * in its page.)
 *
 * The crawl begins when the first item is asked for. Leaving the loop (`break`, `return`,
 * a throw) unsubscribes it: everything is aborted in the same tick. An error of the crawl is
 * thrown into the loop; failed pages are no error of the crawl, look at its events for them.
 * Each loop is a crawl of its own.
 *
 * @param open - makes the crawl, given the sink that it must use
 * @throws TypeError at once, if `open` is no function, such as a crawl that has been made already
 * @throws Error into the loop, if the crawl has items but does not use the sink
 *
 * @example
 * ```ts
 * const books = toAsyncIterable((sink) =>
 *   crawl({
 *     sink,
 *     *handle(page) {
 *       yield page.follow('.next, .product a');
 *       if (page.matches('/product/*')) yield { title: page.$('h1').text() };
 *     },
 *   })('https://books.example/'),
 * );
 * for await (const book of books) await save(book.title);
 * ```
 */
export function toAsyncIterable<E extends { readonly type: CrawlEvent['type'] }>(
  open: (sink: (item: unknown) => Observable<never>) => ObservableInput<E>,
): AsyncIterable<ItemOf<E>> {
  expectFunction('toAsyncIterable: open', open);
  return { [Symbol.asyncIterator]: () => new ItemIterator<ItemOf<E>>(open) };
}

/** An item in a sink that has not been taken. */
interface Offer<T> {
  readonly item: T;
  readonly sink: Subscriber<never>;
}

/** A call of `next()` that waits for its answer. */
interface Ask<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

class ItemIterator<T> implements AsyncIterator<T, undefined> {
  readonly #open: (sink: (item: unknown) => Observable<never>) => ObservableInput<unknown>;
  readonly #offers = new Fifo<Offer<T>>();
  readonly #asks = new Fifo<Ask<T>>();
  /** The sink of the item that the consumer is working on. */
  #taken: Subscriber<never> | undefined;
  #crawling: Subscription | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #offered = 0;

  constructor(open: (sink: (item: unknown) => Observable<never>) => ObservableInput<unknown>) {
    this.#open = open;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      const taken = this.#taken;
      this.#taken = undefined;
      taken?.complete();
      this.#asks.push({ resolve, reject });
      if (this.#ended) this.#settle();
      else if (this.#crawling) this.#pair();
      else this.#start();
    });
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#end();
    return Promise.resolve(DONE);
  }

  #start(): void {
    const events$ = defer(() => this.#open((item) => this.#offer(item as T)));
    const crawling = events$.subscribe({
      next: (event) => this.#expectSink(event as CrawlEvent),
      error: (error: unknown) => this.#end({ error }),
      complete: () => this.#end(),
    });
    this.#crawling = crawling;
    if (this.#ended) crawling.unsubscribe();
  }

  /** What a sink does with an item: waits until the consumer has asked for the one after it. */
  #offer(item: T): Observable<never> {
    return new Observable<never>((sink) => {
      const offer: Offer<T> = { item, sink };
      this.#offered += 1;
      this.#offers.push(offer);
      sink.add(() => this.#offers.remove(offer));
      this.#pair();
    });
  }

  #pair(): void {
    while (this.#asks.size > 0) {
      const offer = this.#offers.shift();
      if (!offer) return;
      this.#asks.shift()?.resolve({ done: false, value: offer.item });
      // The consumer may have asked for several at once; then it wants the next already.
      if (this.#asks.size > 0) offer.sink.complete();
      else this.#taken = offer.sink;
    }
  }

  #expectSink(event: CrawlEvent): void {
    if (event.type !== 'done' || event.items === 0 || this.#offered > 0) return;
    const error = new Error(
      'toAsyncIterable: the crawl has items but does not use the sink: give it as the option `sink`',
    );
    this.#end({ error });
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#crawling?.unsubscribe();
    this.#settle();
  }

  /** Answers all who wait: the first with what went wrong, if something did. */
  #settle(): void {
    for (let ask = this.#asks.shift(); ask; ask = this.#asks.shift()) {
      const failure = this.#failure;
      this.#failure = undefined;
      if (failure) ask.reject(failure.error);
      else ask.resolve(DONE);
    }
  }
}
