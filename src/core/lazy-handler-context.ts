// A class, not `{ get signal() {…} }`: V8 gives each object literal with a getter a hidden class
// of its own in old space, which kept every page alive until a major collection (+30 % CPU).
// Lazy, since an AbortController costs 6 to 10 µs on Node 20 and most handlers never look.

import type { HandlerContext } from './handler.js';

/** What a handler is given; its controller is made when the signal is first asked for. */
export class LazyHandlerContext implements HandlerContext {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  /** A handler may ask for it only after its time is over: then it has fired already. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }
}
