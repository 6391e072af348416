import { Subject, type Observable } from 'rxjs';

/**
 * Counts page fetches against `maxPages`, exactly and at any concurrency. A start is taken
 * before the fetch; it is given back if nothing was fetched after all (robots.txt denied it),
 * and spent when the visit ends. Only when all are spent is the budget exhausted: until then
 * a start may still come back.
 */
export class StartBudget {
  readonly #exhausted$ = new Subject<void>();
  readonly #returned$ = new Subject<void>();
  #left: number;
  #open = 0;

  constructor(maxStarts: number) {
    this.#left = maxStarts;
  }

  /** Emits once, when the last start has been spent. */
  get exhausted$(): Observable<void> {
    return this.#exhausted$;
  }

  /** Emits when a start has come back. */
  get returned$(): Observable<void> {
    return this.#returned$;
  }

  get exhausted(): boolean {
    return this.#left === 0 && this.#open === 0;
  }

  get available(): boolean {
    return this.#left > 0;
  }

  /** Takes a start; false if none is left at the moment. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.#open += 1;
    return true;
  }

  /** The page was fetched, or its fetch failed: the start is spent. */
  spend(): void {
    this.#open -= 1;
    if (this.exhausted) this.#exhausted$.next();
  }

  /** Nothing was fetched: the start can be used by another request. */
  giveBack(): void {
    this.#open -= 1;
    this.#left += 1;
    this.#returned$.next();
  }
}
