import { Observable } from 'rxjs';
import { Fifo } from './fifo.js';

/** Lets as many inner Observables run as a live width allows; the rest waits in order of arrival. */
export class Permits {
  readonly #waiting = new Fifo<() => void>();
  #width = 0;
  #running = 0;
  #admitting = false;

  /** Sets the width; what runs already is left alone. */
  resize(width: number): void {
    this.#width = width;
    this.#admit();
  }

  /** The source, subscribed to when a permit is free; the permit is held until it ends. */
  guard<T>(source$: Observable<T>): Observable<T> {
    return new Observable<T>((subscriber) => {
      let started = false;
      const start = (): void => {
        started = true;
        this.#running += 1;
        subscriber.add(source$.subscribe(subscriber));
        // Added last: the source has torn itself down before the next one starts.
        subscriber.add(() => {
          this.#running -= 1;
          this.#admit();
        });
      };
      subscriber.add(() => {
        if (!started) this.#waiting.remove(start);
      });
      this.#waiting.push(start);
      this.#admit();
    });
  }

  #admit(): void {
    if (this.#admitting) return;
    this.#admitting = true;
    while (this.#running < this.#width) {
      const start = this.#waiting.shift();
      if (!start) break;
      start();
    }
    this.#admitting = false;
  }
}
