import { Observable, ReplaySubject, type Subscription } from 'rxjs';
import type { CrawlWorker } from './crawl-worker.js';
import { Fifo } from './fifo.js';
import type {
  AckOutcome,
  Frontier,
  FrontierContext,
  FrontierFactory,
  FrontierStats,
  Lease,
} from './frontier.js';
import { Heap, type HeapMember } from './heap.js';
import type { Order, Waiting, WaitingHost } from './order.js';
import type { CrawlRequest } from './request.js';
import { Roster, type RosterMember } from './roster.js';

class Entry implements Waiting, HeapMember {
  heapIndex = -1;
  /** When a delayed request becomes due. */
  dueAt = 0;
  readonly request: CrawlRequest;
  sequence: number;
  readonly score: number;
  attempt = 1;
  holds = 0;
  /** Whether it was handed out before, and has used up a start. */
  started = false;

  constructor(request: CrawlRequest, sequence: number, score: number) {
    this.request = request;
    this.sequence = sequence;
    this.score = score;
  }
}

/** A host with waiting requests: in the ready heap, in the sleeping heap, or in neither while full. */
class HostQueue implements HeapMember {
  heapIndex = -1;
  home: Heap<HostQueue> | undefined;
  wakeAt = 0;
  servedAt = 0;
  readonly key: string;
  readonly entries: Heap<Entry>;

  constructor(key: string, order: Order) {
    this.key = key;
    this.entries = new Heap<Entry>((a, b) => order.compare(a, b));
  }

  get first(): Entry {
    return this.entries.peek() as Entry;
  }
}

interface Delivery extends Lease, RosterMember {
  readonly entry: Entry;
}

interface Worker {
  readonly described: CrawlWorker | undefined;
  give(lease: Lease): void;
}

const OK: readonly AckOutcome[] = ['ok'];
const LOST: readonly AckOutcome[] = ['lost'];
const NONE: readonly never[] = [];

/**
 * The frontier in memory: synchronous, so it takes part in virtual time. Requests wait in one
 * heap per host; hosts that may be asked now wait in another, ordered by their best request.
 * Taking a request costs O(log n), whatever the number of hosts that have to wait.
 *
 * @example
 * ```ts
 * queued(16, { frontier: memoryFrontier(), order: lifo() });
 * ```
 */
export function memoryFrontier(): FrontierFactory {
  return (context) => new MemoryFrontier(context);
}

class MemoryFrontier implements Frontier {
  readonly #finished$ = new ReplaySubject<void>(1);
  readonly #context: FrontierContext;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #ready: Heap<HostQueue>;
  readonly #sleeping = new Heap<HostQueue>((a, b) => a.wakeAt - b.wakeAt);
  readonly #delayed = new Heap<Entry>((a, b) => a.dueAt - b.dueAt || a.sequence - b.sequence);
  readonly #leases = new Roster<Delivery>();
  readonly #workers = new Fifo<Worker>();
  #queued = 0;
  #holds = 0;
  #sequence = 0;
  #served = 0;
  #paused = false;
  #draining = false;
  #closed = false;
  #timer: Subscription | undefined;
  #timerAt = Infinity;

  constructor(context: FrontierContext) {
    this.#context = context;
    this.#ready = new Heap<HostQueue>(compareHosts(context.order));
    context.gate.onChange((key) => {
      const host = this.#hosts.get(key);
      if (!host) return;
      this.#settle(host);
      this.#drain();
    });
  }

  get finished$(): Observable<void> {
    return this.#finished$;
  }

  enqueue(requests: readonly CrawlRequest[]): readonly never[] {
    for (const request of requests) {
      this.#put(new Entry(request, this.#sequence, this.#score(request)));
      this.#sequence += 1;
    }
    this.#drain();
    return NONE;
  }

  take(described?: CrawlWorker): Observable<Lease> {
    return new Observable<Lease>((subscriber) => {
      let given: Lease | undefined;
      const worker: Worker = {
        described,
        give: (lease) => {
          given = lease;
          subscriber.next(lease);
          subscriber.complete();
        },
      };
      subscriber.add(() => {
        if (!given) this.#workers.remove(worker);
      });
      this.#workers.push(worker);
      this.#drain();
    });
  }

  ack(lease: Lease, { fetched }: { readonly fetched: boolean }): readonly AckOutcome[] {
    if (!this.#close(lease)) return LOST;
    if (fetched) this.#context.budget.spend();
    else this.#context.budget.giveBack();
    this.#drain();
    return OK;
  }

  retry(
    lease: Lease,
    { delayMs, held = false }: { readonly delayMs: number; readonly held?: boolean },
  ): readonly AckOutcome[] {
    const delivery = this.#close(lease);
    if (!delivery) return LOST;
    const { entry } = delivery;
    if (held) {
      // Behind the others: what the host refuses must not keep it from what it answers.
      entry.holds += 1;
      entry.sequence = this.#sequence;
      this.#sequence += 1;
    } else {
      entry.attempt += 1;
    }
    entry.dueAt = this.#context.scheduler.now() + delayMs;
    this.#delayed.push(entry);
    this.#drain();
    return OK;
  }

  release(lease: Lease): readonly AckOutcome[] {
    const delivery = this.#close(lease);
    if (!delivery) return LOST;
    if (delivery.attempt === 1 && delivery.holds === 0) {
      delivery.entry.started = false;
      this.#context.budget.giveBack();
    }
    this.#put(delivery.entry);
    this.#drain();
    return OK;
  }

  hold(): () => void {
    let held = true;
    this.#holds += 1;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.#drain();
    };
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#drain();
  }

  drop(): readonly (readonly CrawlRequest[])[] {
    const dropped = this.#delayed.clear();
    for (const host of this.#hosts.values()) {
      for (const entry of host.entries.clear()) dropped.push(entry);
    }
    dropped.sort((a, b) => a.sequence - b.sequence);
    // What waits for a retry has used up a start.
    for (const entry of dropped) if (entry.started) this.#context.budget.spend();
    this.#hosts.clear();
    this.#ready.clear();
    this.#sleeping.clear();
    this.#queued = 0;
    this.#drain();
    return [dropped.map(({ request }) => request)];
  }

  stats(): readonly FrontierStats[] {
    return [
      {
        queued: this.#queued,
        leased: this.#leases.size,
        delayed: this.#delayed.size,
        hosts: this.#hosts.size,
      },
    ];
  }

  close(): void {
    this.#closed = true;
    this.#timer?.unsubscribe();
  }

  /** A score that cannot be had puts its request last, and nothing else out of order. */
  #score(request: CrawlRequest): number {
    try {
      const score = this.#context.order.score?.(request) ?? 0;
      return Number.isNaN(score) ? -Infinity : score;
    } catch {
      return -Infinity;
    }
  }

  #put(entry: Entry): void {
    const key = this.#context.gate.hostOf(entry.request.url);
    let host = this.#hosts.get(key);
    if (!host) {
      host = new HostQueue(key, this.#context.order);
      this.#hosts.set(key, host);
    }
    host.entries.push(entry);
    this.#queued += 1;
    // Only a new best request changes the host's place among the others.
    if (host.first === entry) this.#settle(host);
  }

  /** Ends a lease; `undefined` if it had ended before. */
  #close(lease: Lease): Delivery | undefined {
    const delivery = lease as Delivery;
    if (!this.#leases.delete(delivery)) return undefined;
    this.#context.gate.release(delivery.pass);
    return delivery;
  }

  /** Puts a host where it belongs: ready, sleeping until a known time, or full. */
  #settle(host: HostQueue): void {
    if (host.entries.size === 0) {
      this.#move(host, undefined);
      this.#hosts.delete(host.key);
      return;
    }
    host.wakeAt = this.#context.gate.readyAt(host.key);
    if (host.wakeAt <= this.#context.scheduler.now()) this.#move(host, this.#ready);
    else this.#move(host, host.wakeAt === Infinity ? undefined : this.#sleeping);
  }

  #move(host: HostQueue, home: Heap<HostQueue> | undefined): void {
    if (host.home === home) {
      home?.update(host);
      return;
    }
    host.home?.remove(host);
    host.home = home;
    home?.push(host);
  }

  /**
   * Pairs ready workers with requests. One loop: work that ends synchronously, or finds more
   * requests, comes back here and is served by the loop that is running, not by a deeper call.
   */
  #drain(): void {
    if (this.#draining || this.#closed) return;
    this.#draining = true;
    /** Hosts whose best request waits for a worker that is busy. */
    const choosy: HostQueue[] = [];
    try {
      while (this.#workers.size > 0 && !this.#paused) {
        this.#wake();
        const host = this.#ready.peek();
        if (!host) break;
        this.#settle(host);
        if (host.home !== this.#ready) continue;
        const entry = host.first;
        const worker = this.#workerFor(entry.request);
        if (!worker) {
          this.#move(host, undefined);
          choosy.push(host);
          continue;
        }
        if (!entry.started && !this.#context.budget.take()) {
          if (!this.#handOutRetry()) break;
          continue;
        }
        this.#handOut(host, entry, worker);
      }
    } finally {
      for (const host of choosy) if (host.entries.size > 0) this.#settle(host);
      this.#draining = false;
    }
    this.#sleep();
    this.#checkFinished();
  }

  #handOut(host: HostQueue, entry: Entry, worker: Worker): void {
    host.entries.remove(entry);
    this.#queued -= 1;
    this.#served += 1;
    host.servedAt = this.#served;
    entry.started = true;
    const lease: Delivery = {
      request: entry.request,
      attempt: entry.attempt,
      holds: entry.holds,
      pass: this.#context.gate.reserve(host.key),
      worker: worker.described,
      token: this.#served,
      entry,
      rosterIndex: -1,
    };
    this.#leases.add(lease);
    this.#settle(host);
    if (worker === this.#workers.peek()) this.#workers.shift();
    else this.#workers.remove(worker);
    worker.give(lease);
  }

  /** The ready worker that gets a request; `undefined` if it shall wait for one that is busy. */
  #workerFor(request: CrawlRequest): Worker | undefined {
    const first = this.#workers.peek();
    const { crew } = this.#context;
    if (!crew?.select) return first;
    const ready = this.#workers.toArray();
    try {
      const described = ready.map((worker) => worker.described as CrawlWorker);
      const chosen = crew.select(request, described);
      if (chosen === undefined && ready.length < crew.workers.length) return undefined;
      return ready[described.indexOf(chosen as CrawlWorker)] ?? first;
    } catch {
      return first;
    }
  }

  /** No start is left, but a request that was started before may still be waiting for its retry. */
  #handOutRetry(): boolean {
    for (const host of this.#hosts.values()) {
      if (host.home !== this.#ready) continue;
      const entry = host.entries.find(({ started }) => started);
      const worker = entry && this.#workerFor(entry.request);
      if (!worker) continue;
      this.#handOut(host, entry, worker);
      return true;
    }
    return false;
  }

  /** Moves hosts and delayed requests whose time has come. */
  #wake(): void {
    const now = this.#context.scheduler.now();
    for (
      let entry = this.#delayed.peek();
      entry && entry.dueAt <= now;
      entry = this.#delayed.peek()
    ) {
      this.#delayed.remove(entry);
      this.#put(entry);
    }
    for (
      let host = this.#sleeping.peek();
      host && host.wakeAt <= now;
      host = this.#sleeping.peek()
    ) {
      this.#settle(host);
    }
  }

  /** Sets one timer for whatever comes due first. */
  #sleep(): void {
    const next = Math.min(
      this.#sleeping.peek()?.wakeAt ?? Infinity,
      this.#delayed.peek()?.dueAt ?? Infinity,
    );
    if (next === this.#timerAt) return;
    this.#timer?.unsubscribe();
    this.#timerAt = next;
    if (next === Infinity) return;
    const { scheduler } = this.#context;
    this.#timer = scheduler.schedule(
      () => {
        this.#timerAt = Infinity;
        this.#wake();
        this.#drain();
      },
      Math.max(0, next - scheduler.now()),
    );
  }

  #checkFinished(): void {
    if (this.#queued + this.#leases.size + this.#delayed.size + this.#holds > 0) return;
    this.#closed = true;
    this.#finished$.next();
    this.#finished$.complete();
  }
}

function compareHosts(order: Order): (a: WaitingHost, b: WaitingHost) => number {
  return (a, b) => order.compareHosts?.(a, b) ?? order.compare(a.first, b.first);
}
