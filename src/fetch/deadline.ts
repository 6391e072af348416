import type { CrawlErrorCode } from '../core/index.js';

/** What a {@link Deadline} waits for: the code of the failure, or the end of a body's leftovers. */
export type Phase =
  Extract<CrawlErrorCode, 'timeout-connect' | 'timeout-headers' | 'timeout-idle'> | 'leftovers';

/** What a deadline can end with. */
export type Expired = Phase | 'timeout-total' | 'too-slow';

/** Least speed of a body: fewer than `bytesPerSecond` on average over `windowMs` is too slow. */
export interface MinRate {
  readonly bytesPerSecond: number;
  /** Default 10,000 ms. */
  readonly windowMs?: number;
}

/** setTimeout knows no longer delays. */
const LONGEST = 2 ** 31 - 1;
const DEFAULT_WINDOW = 10_000;

/**
 * All time limits of one exchange on a single timer.
 *
 * The timer is set for the earliest limit and not moved when a later one takes its place: it
 * looks again when it fires. An ordinary exchange sets one timer and clears it, and a chunk of
 * a body costs one look at the clock. undici's own limits are not used: they are up to a second
 * late, and its body timeout does not stop a slow sender.
 */
export class Deadline {
  readonly #expire: (what: Expired) => void;
  #totalAt: number;
  #phase: Phase = 'timeout-connect';
  #phaseMs = Infinity;
  #phaseAt = Infinity;
  #rateAt = Infinity;
  #rate: MinRate | undefined;
  #rateBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #secondLook: NodeJS.Immediate | undefined;
  #stopped = false;

  /**
   * @param totalMs - for everything, from now on
   * @param expire - called at most once
   */
  constructor(totalMs: number, expire: (what: Expired) => void) {
    this.#expire = expire;
    this.#totalAt = performance.now() + totalMs;
  }

  /** Begins a phase, which replaces the one before. */
  enter(phase: Phase, ms: number): void {
    const now = performance.now();
    this.#phase = phase;
    this.#phaseMs = ms;
    this.#phaseAt = now + ms;
    this.#arm(now);
  }

  /** Begins to measure the speed of the body. */
  watchRate(rate: MinRate): void {
    const now = performance.now();
    this.#rate = rate;
    this.#rateBytes = 0;
    this.#rateAt = now + (rate.windowMs ?? DEFAULT_WINDOW);
    this.#arm(now);
  }

  /** Nothing is waited for: neither the phase nor the speed count until they begin anew. */
  pause(): void {
    this.#phaseAt = Infinity;
    this.#rateAt = Infinity;
  }

  /** There is no limit for everything any more. */
  liftTotal(): void {
    this.#totalAt = Infinity;
  }

  /** Bytes of the body came: the phase begins anew. */
  progress(bytes: number): void {
    this.#phaseAt = performance.now() + this.#phaseMs;
    this.#rateBytes += bytes;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#secondLook);
  }

  #arm(now: number): void {
    const at = Math.min(this.#phaseAt, this.#totalAt, this.#rateAt);
    if (at >= this.#timerAt || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    const ms = Math.min(LONGEST, Math.max(1, Math.ceil(at - now)));
    this.#timer = setTimeout(() => this.#look(false), ms);
  }

  #look(second: boolean): void {
    clearTimeout(this.#timer);
    this.#timerAt = Infinity;
    const now = performance.now();
    if (now >= this.#totalAt) {
      this.#end('timeout-total');
    } else if (now >= this.#phaseAt) {
      // After a busy stretch of the event loop the bytes may lie in the socket, unread as yet.
      if (second) this.#end(this.#phase);
      else this.#secondLook = setImmediate(() => this.#look(true));
    } else if (now >= this.#rateAt && this.#rate !== undefined) {
      const { bytesPerSecond, windowMs = DEFAULT_WINDOW } = this.#rate;
      if (this.#rateBytes < (bytesPerSecond * windowMs) / 1000) this.#end('too-slow');
      else this.watchRate(this.#rate);
    } else {
      this.#arm(now);
    }
  }

  #end(what: Expired): void {
    if (this.#stopped) return;
    this.stop();
    this.#expire(what);
  }
}
