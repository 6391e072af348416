import {
  defer,
  Observable,
  type SchedulerLike,
  type Subscriber,
  type Subscription,
  throwError,
} from 'rxjs';
import { RequestRefused } from './errors.js';
import { expectFraction, expectFunction, expectScheduler, expectTimer } from './expect.js';
import { expectOptions, functionOr, integerFrom } from './expect-options.js';
import { Fifo } from './fifo.js';
import { hostOf, type HostKey } from './host-key.js';

/** A place at a host that was reserved for one request before it was handed to a worker. */
export interface HostPass {
  /** Politeness key of the host. */
  readonly host: string;
  /** Whether an exchange has used the place, or it was given back. */
  spent: boolean;
  /** Whether the gap has been waited for as well: the exchange may start at once. */
  readonly due?: boolean;
}

/** Limits that a {@link HostGate} keeps. */
export interface HostGateOptions {
  /** Most exchanges with one host at a time. Default: no limit. */
  readonly perHost?: number;
  /**
   * Least time between the starts of two exchanges with one host, ms, or a function that gives
   * it for a politeness key. Default 0.
   */
  readonly delay?: number | ((host: string) => number);
  /** Up to this part of the delay is added at random, never taken off. Default 0. */
  readonly jitter?: number;
  readonly hostKey?: HostKey;
  readonly scheduler: SchedulerLike;
  readonly random?: () => number;
}

/** What an exchange tells of its way to the wire, so that the gap counts from when it goes out. */
export interface WireProgress {
  /** It waits for a connection: where a gap is kept, no other starts at its host before {@link sent}. */
  readonly opening: () => void;
  /** It goes out now. */
  readonly sent: () => void;
}

/** @param owner - names the limits in the message */
export function checkHostLimits(owner: string, limits: Partial<HostGateOptions>): void {
  expectOptions(owner, limits, {
    perHost: integerFrom(1),
    delay: functionOr(expectTimer),
    jitter: expectFraction,
    hostKey: expectFunction,
    scheduler: expectScheduler,
    random: expectFunction,
  });
}

/** One exchange that waits for its turn. */
interface Waiter {
  readonly covered: boolean;
  readonly start: () => void;
  waits: boolean;
}

class Host {
  /** Places taken: reservations of the frontier and exchanges without one. */
  inFlight = 0;
  /** Of these, exchanges that wait for a connection: when they will go out is not known. */
  opening = 0;
  /** The last place that was given together with its turn, if no exchange has started since. */
  lastTurn: HostPass | undefined;
  /** Waiters without a reserved place: they come before what the frontier has not handed out yet. */
  uncovered = 0;
  /** When the last turn was given, or the last exchange went out. */
  lastStart = -Infinity;
  /** When the last exchange went out. */
  lastExchange = -Infinity;
  /** No exchange may start before this time. */
  nextStart = 0;
  /** The frontier may hand out no request before this time. */
  nextReserve = 0;
  heldUntil = 0;
  holdMs = 0;
  /** Until then every exchange is refused. */
  givenUpUntil = 0;
  whyGivenUp = '';
  /** What the options say. */
  readonly usualDelay: number;
  /** The gap that the host asks for, at least the common one. */
  delay: number;
  /** The gap that an adaptive pace has chosen. */
  pace = 0;
  /** What a function of the options threw when it was asked about the host. */
  readonly broken: { readonly cause: unknown } | undefined;
  readonly waiters = new Fifo<Waiter>();
  timer: Subscription | undefined;
  admitting = false;
  readonly key: string;

  constructor(key: string, delayOf: (host: string) => number) {
    this.key = key;
    let delay = 0;
    try {
      delay = delayOf(key);
      expectTimer('delay', delay);
    } catch (cause) {
      this.broken = { cause };
    }
    this.usualDelay = delay;
    this.delay = delay;
  }

  /** The gap to the next exchange cannot begin yet, because the last one has not gone out. */
  get isOpening(): boolean {
    return this.opening > 0 && Math.max(this.delay, this.pace) > 0;
  }
}

/** Idle hosts are looked for whenever this many have been added. */
const SWEEP_EVERY = 1024;
/** Idle hosts with a gap of their own that are remembered, the newest. */
const SLOWED_KEPT = 10_000;

/**
 * Keeps the politeness limits of each host: width, gap and holds. Every exchange that goes over
 * the wire passes it (pages, redirect hops, retries, robots.txt), so the limits hold for all of
 * them together and under every strategy. A frontier asks it which hosts are ready, and so
 * never hands a worker a request that would only wait.
 */
export class HostGate {
  readonly #perHost: number;
  readonly #delayOf: (host: string) => number;
  readonly #jitter: number;
  readonly #hostKey: HostKey;
  readonly #scheduler: SchedulerLike;
  readonly #random: () => number;
  readonly #hosts = new Map<string, Host>();
  #sweepAt = SWEEP_EVERY;
  #onChange: ((host: string) => void) | undefined;

  /** @throws TypeError or RangeError naming the option that is wrong */
  constructor(options: HostGateOptions) {
    checkHostLimits('HostGate', options);
    expectScheduler('HostGate: scheduler', options.scheduler);
    this.#perHost = options.perHost ?? Infinity;
    const { delay = 0 } = options;
    this.#delayOf = typeof delay === 'function' ? delay : () => delay;
    this.#jitter = options.jitter ?? 0;
    this.#hostKey = options.hostKey ?? hostOf;
    this.#scheduler = options.scheduler;
    this.#random = options.random ?? Math.random;
  }

  /** How many hosts it remembers. Idle ones are forgotten from time to time. */
  get size(): number {
    return this.#hosts.size;
  }

  /**
   * The politeness key of a URL. Where `hostKey` throws it is that of the default, and
   * {@link exchange} errors with what was thrown.
   */
  hostOf(url: string): string {
    try {
      return this.#hostKey(url);
    } catch {
      return hostOf(url);
    }
  }

  /** Hosts that are held back right now. */
  heldHosts(): string[] {
    const now = this.#scheduler.now();
    return [...this.#hosts.values()].filter((host) => host.heldUntil > now).map(({ key }) => key);
  }

  /** Calls back when a host may have become ready earlier than {@link readyAt} said. */
  onChange(listener: (host: string) => void): void {
    this.#onChange = listener;
  }

  /**
   * The time from which the next request to a host may be handed out, ms on the scheduler's
   * clock; `Infinity` while all its places are taken.
   */
  readyAt(key: string): number {
    const host = this.#hosts.get(key);
    if (!host || this.#isGivenUp(host)) return 0;
    if (host.inFlight + host.uncovered >= this.#perHost) return Infinity;
    return Math.max(host.nextReserve, this.#startAt(host));
  }

  /** Takes a place for a request that is about to be handed out. */
  reserve(key: string): HostPass {
    const host = this.#host(key);
    const now = this.#scheduler.now();
    host.inFlight += 1;
    host.nextReserve = now + this.#gap(host);
    return { host: key, spent: false };
  }

  /** Gives a reserved place back, if no exchange has used it. */
  release(pass: HostPass): void {
    const host = this.#hosts.get(pass.host);
    if (!host || pass.spent) return;
    pass.spent = true;
    this.#leave(host);
  }

  /**
   * Waits until a request to a host may start, and gives its place: for a strategy that has no
   * frontier, so that a request which waits for its host has not begun.
   */
  turn(url: string): Observable<HostPass> {
    return new Observable<HostPass>((subscriber) => {
      const host = this.#host(this.hostOf(url));
      const waiter: Waiter = {
        waits: false,
        covered: false,
        start: () => {
          host.inFlight += 1;
          this.#begin(host, this.#gap(host));
          const pass: HostPass = { host: host.key, spent: false, due: true };
          host.lastTurn = pass;
          subscriber.next(pass);
          subscriber.complete();
        },
      };
      this.#wait(host, waiter, subscriber);
    });
  }

  /**
   * Runs an exchange when its host's limits allow it; at once and synchronously if they do now.
   * A place is held for the exchange alone, so that a request which is redirected to another
   * host waits there without blocking this one.
   *
   * @param pass - the place reserved for the request; it covers its first exchange with that host
   * @param source - the exchange; as a function it tells when it goes out, where a gap is kept
   * @param isWatched - whether it shall tell where no gap is kept, too: one may be asked for by then
   */
  exchange<T>(
    url: string,
    pass: HostPass | undefined,
    source: Observable<T> | ((wire: WireProgress | undefined) => Observable<T>),
    isWatched = false,
  ): Observable<T> {
    return new Observable<T>((subscriber) => {
      const host = this.#host(this.#hostKey(url));
      if (host.broken) throw host.broken.cause;
      const reserved = pass?.host === host.key && !pass.spent ? pass : undefined;
      const waiter: Waiter = {
        waits: false,
        covered: reserved !== undefined,
        start: () => {
          if (reserved) reserved.spent = true;
          else host.inFlight += 1;
          const gap = this.#gap(host);
          const wire = gap > 0 || isWatched ? this.#wire(host, gap) : undefined;
          const exchange$ = this.#isGivenUp(host)
            ? refuse(host)
            : typeof source === 'function'
              ? defer(() => source(wire))
              : source;
          this.#begin(host, gap);
          host.lastExchange = host.lastStart;
          host.lastTurn = undefined;
          subscriber.add(exchange$.subscribe(subscriber));
          // Added last: the exchange has torn itself down before the next one starts.
          subscriber.add(() => {
            wire?.close();
            this.#leave(host);
          });
        },
      };
      // What came between its turn and now may have let others start, or held the host.
      const isItsTurn = reserved?.due === true && reserved === host.lastTurn && !host.isOpening;
      if (isItsTurn && host.heldUntil <= this.#scheduler.now()) {
        waiter.start();
        return;
      }
      this.#wait(host, waiter, subscriber);
    });
  }

  /** No exchange with the host starts for `ms` from now. A running hold is never shortened. */
  hold(url: string, ms: number): void {
    const host = this.#host(this.#hostKey(url));
    const until = this.#scheduler.now() + ms;
    if (until <= host.heldUntil) return;
    host.heldUntil = until;
    host.holdMs = ms;
    this.#reconsider(host);
  }

  /** How long a host is still held, ms. */
  heldFor(url: string): number {
    const host = this.#hosts.get(this.#hostKey(url));
    return host ? Math.max(0, host.heldUntil - this.#scheduler.now()) : 0;
  }

  /** For `ms` every exchange with the host is refused with `deferred`, waiting ones included. */
  giveUp(url: string, ms: number, why: string): void {
    const host = this.#host(this.#hostKey(url));
    host.givenUpUntil = this.#scheduler.now() + ms;
    host.whyGivenUp = why;
    this.#reconsider(host);
  }

  /**
   * Sets a host's own gap, ms; the larger of it and `delay` counts, from the last start on. Kept for
   * the last 10,000 hosts that have one.
   */
  setDelay(url: string, ms: number): void {
    const host = this.#host(this.#hostKey(url));
    host.delay = Math.max(host.usualDelay, ms);
    host.nextStart = Math.max(host.nextStart, host.lastStart + host.delay);
    // A turn that was given by a shorter gap comes too early.
    if (host.lastExchange + host.delay > this.#scheduler.now()) host.lastTurn = undefined;
  }

  /** Sets the gap that an adaptive pace has chosen, ms; shorter than the others it counts for nothing. */
  setPace(url: string, ms: number): void {
    this.#host(this.#hostKey(url)).pace = ms;
  }

  /** The gap that an adaptive pace has chosen for a host, ms. */
  paceOf(url: string): number {
    return this.#hosts.get(this.#hostKey(url))?.pace ?? 0;
  }

  /** The gap between two starts on a host, ms, without jitter. */
  delayOf(url: string): number {
    const key = this.#hostKey(url);
    const host = this.#hosts.get(key);
    return host ? Math.max(host.delay, host.pace) : this.#delayOf(key);
  }

  /** Cancels all timers. */
  close(): void {
    for (const host of this.#hosts.values()) host.timer?.unsubscribe();
    this.#hosts.clear();
  }

  #host(key: string): Host {
    let host = this.#hosts.get(key);
    if (!host) {
      if (this.#hosts.size >= this.#sweepAt) this.#sweep();
      host = new Host(key, this.#delayOf);
      this.#hosts.set(key, host);
    }
    return host;
  }

  /**
   * Forgets hosts that nothing is running at, waiting for, or held at. Some with a gap of their own
   * are kept: nobody else may know of it.
   */
  #sweep(): void {
    const now = this.#scheduler.now();
    const slowed: string[] = [];
    for (const [key, host] of this.#hosts) {
      const { nextReserve, nextStart, heldUntil, givenUpUntil } = host;
      const isIdle =
        host.inFlight === 0 &&
        host.waiters.size === 0 &&
        Math.max(nextReserve, nextStart, heldUntil, givenUpUntil) <= now;
      if (!isIdle) continue;
      if (host.delay === host.usualDelay) this.#hosts.delete(key);
      else slowed.push(key);
    }
    for (const key of slowed.slice(0, -SLOWED_KEPT)) this.#hosts.delete(key);
    this.#sweepAt = this.#hosts.size + SWEEP_EVERY;
  }

  #gap(host: Host): number {
    const gap = Math.max(host.delay, host.pace);
    return gap === 0 ? 0 : gap * (1 + this.#jitter * this.#random());
  }

  #begin(host: Host, gap: number): void {
    host.lastStart = this.#scheduler.now();
    host.nextStart = host.lastStart + gap;
  }

  /** Puts a waiter into the line, until it starts or its subscriber is gone. */
  #wait(host: Host, waiter: Waiter, subscriber: Subscriber<unknown>): void {
    waiter.waits = true;
    host.waiters.push(waiter);
    if (!waiter.covered) host.uncovered += 1;
    subscriber.add(() => {
      if (!waiter.waits) return;
      host.waiters.remove(waiter);
      this.#endWait(host, waiter);
      this.#onChange?.(host.key);
    });
    this.#admit(host);
  }

  #endWait(host: Host, waiter: Waiter): void {
    waiter.waits = false;
    if (!waiter.covered) host.uncovered -= 1;
  }

  /** Follows one exchange on its way to the wire; `close` when it will not go out any more. */
  #wire(host: Host, gap: number): WireProgress & { readonly close: () => void } {
    let isOpening = false;
    const close = (): void => {
      if (isOpening) host.opening -= 1;
      isOpening = false;
    };
    return {
      close,
      opening: () => {
        if (!isOpening) host.opening += 1;
        isOpening = true;
      },
      sent: () => {
        host.lastStart = host.lastExchange = this.#scheduler.now();
        const least = Math.max(gap, host.delay, host.pace);
        host.nextStart = Math.max(host.nextStart, host.lastStart + least);
        if (!isOpening) return;
        close();
        this.#reconsider(host);
      },
    };
  }

  /** When the host's gap and hold are over. A clock that was set back cannot stretch them. */
  #startAt(host: Host): number {
    const now = this.#scheduler.now();
    if (this.#isGivenUp(host)) return now;
    if (host.isOpening) return Infinity;
    const longestGap = Math.max(host.delay, host.pace) * (1 + this.#jitter);
    return Math.max(
      Math.min(host.nextStart, now + longestGap),
      Math.min(host.heldUntil, now + host.holdMs),
    );
  }

  #isGivenUp(host: Host): boolean {
    return host.givenUpUntil > 0 && host.givenUpUntil > this.#scheduler.now();
  }

  /** A host's times have changed: its timer may be wrong now. */
  #reconsider(host: Host): void {
    host.timer?.unsubscribe();
    host.timer = undefined;
    this.#admit(host);
    this.#onChange?.(host.key);
  }

  #leave(host: Host): void {
    host.inFlight -= 1;
    this.#admit(host);
    this.#onChange?.(host.key);
  }

  /** Starts as many waiting exchanges as the limits allow, and sets a timer for the rest. */
  #admit(host: Host): void {
    // An exchange that ends synchronously comes back here: the loop below goes on with the next.
    if (host.admitting) return;
    host.admitting = true;
    try {
      while (host.waiters.size > 0) {
        const wait = this.#startAt(host) - this.#scheduler.now();
        if (wait === Infinity) return;
        if (wait > 0) {
          host.timer ??= this.#scheduler.schedule(() => {
            host.timer = undefined;
            this.#admit(host);
          }, wait);
          return;
        }
        const waiter = this.#nextWaiter(host);
        if (!waiter) return;
        waiter.start();
      }
    } finally {
      host.admitting = false;
    }
  }

  /** The first waiter that may start: one with a reserved place always may. */
  #nextWaiter(host: Host): Waiter | undefined {
    const isFree = host.inFlight < this.#perHost || this.#isGivenUp(host);
    const next = isFree ? host.waiters.peek() : host.waiters.find(({ covered }) => covered);
    if (!next) return undefined;
    if (isFree) host.waiters.shift();
    else host.waiters.remove(next);
    this.#endWait(host, next);
    return next;
  }
}

function refuse(host: Host): Observable<never> {
  return throwError(() => new RequestRefused('deferred', host.whyGivenUp));
}
