import { Subject, type Observable } from 'rxjs';
import { type CrawlEvent, isTerminal } from './events.js';

/**
 * Counts requests that were admitted and have not ended, so that seeds are pulled only as fast
 * as they are used.
 */
export class Outstanding {
  readonly #limit: number;
  readonly #wanted$ = new Subject<void>();
  #count = 0;

  /** @param limit - how many requests may be outstanding before no more seeds are wanted */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether another seed is wanted now. */
  get wanted(): boolean {
    return this.#count < this.#limit;
  }

  /** Emits when seeds become wanted again. */
  get wanted$(): Observable<void> {
    return this.#wanted$;
  }

  observe(event: CrawlEvent): void {
    if (event.type === 'found') {
      this.#count += event.admitted.length;
    } else if (isTerminal(event)) {
      this.#count -= 1;
      if (this.wanted) this.#wanted$.next();
    }
  }
}
