import fc from 'fast-check';
import { asyncScheduler, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  bestFirst,
  fifo,
  type Frontier,
  HostGate,
  type HostGateOptions,
  type Lease,
  lifo,
  memoryFrontier,
  type Order,
  request,
  roundRobinByHost,
  StartBudget,
} from '../../src/core/index.js';
import { marbles } from '../helpers/marbles.js';

interface Setup {
  readonly order?: Order;
  readonly limits?: Omit<HostGateOptions, 'scheduler'>;
  readonly maxStarts?: number;
}

function frontierWith({ order = fifo(), limits = {}, maxStarts = Infinity }: Setup = {}): Frontier {
  const scheduler = asyncScheduler;
  const gate = new HostGate({ ...limits, scheduler });
  const frontier = memoryFrontier()({ order, gate, budget: new StartBudget(maxStarts), scheduler });
  frontier.hold();
  return frontier;
}

const at = (path: string, priority = 0): ReturnType<typeof request> =>
  request(`https://a.example${path}`, { priority });

/** Takes whatever is handed out at once, and acknowledges it unless told otherwise. */
function takeAll(frontier: Frontier, keep = false): string[] {
  const taken: string[] = [];
  for (;;) {
    let lease: Lease | undefined;
    frontier
      .take()
      .subscribe((given) => (lease = given))
      .unsubscribe();
    if (!lease) return taken;
    taken.push(lease.request.url.replace('https://', ''));
    if (!keep) frontier.ack(lease, { fetched: true });
  }
}

function takeOne(frontier: Frontier): Lease {
  let lease: Lease | undefined;
  frontier.take().subscribe((given) => (lease = given));
  if (!lease) throw new Error('nothing was handed out');
  return lease;
}

describe('memoryFrontier', () => {
  it.each([
    ['fifo', fifo(), ['/a', '/b', '/c', '/d']],
    ['lifo', lifo(), ['/d', '/c', '/b', '/a']],
    [
      'bestFirst',
      bestFirst(({ url }) => url.charCodeAt(url.length - 1) % 3),
      ['/b', '/a', '/d', '/c'],
    ],
  ])('hands out by %s', (_name, order, expected) => {
    const frontier = frontierWith({ order });
    frontier.enqueue(['/a', '/b', '/c', '/d'].map((path) => at(path)));
    expect(takeAll(frontier)).toEqual(expected.map((path) => `a.example${path}`));
  });

  it.each([
    ['fifo', fifo(), ['/c', '/a', '/b']],
    ['lifo', lifo(), ['/c', '/b', '/a']],
    ['bestFirst', bestFirst(), ['/c', '/a', '/b']],
  ])('puts priority before the order of %s', (_name, order, expected) => {
    const frontier = frontierWith({ order });
    frontier.enqueue([at('/a'), at('/b'), at('/c', 1)]);
    expect(takeAll(frontier)).toEqual(expected.map((path) => `a.example${path}`));
  });

  it('serves hosts in turn with roundRobinByHost', () => {
    const frontier = frontierWith({ order: roundRobinByHost() });
    const urls = ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'c/2'];
    frontier.enqueue(urls.map((url) => request(`https://${url}`)));
    expect(takeAll(frontier)).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'c/2', 'a/3']);
  });

  it('puts a score that is not a number last', () => {
    const frontier = frontierWith({ order: bestFirst(({ url }) => (url.endsWith('a') ? NaN : 0)) });
    frontier.enqueue([at('/a'), at('/b')]);
    expect(takeAll(frontier)).toEqual(['a.example/b', 'a.example/a']);
  });

  it('gives to the worker that has waited longest', () => {
    const frontier = frontierWith();
    const given: string[] = [];
    for (const worker of ['first', 'second', 'third']) {
      frontier.take().subscribe(({ request: { url } }) => given.push(`${worker} ${url.slice(-1)}`));
    }
    frontier.enqueue([at('/a'), at('/b')]);
    frontier.enqueue([at('/c')]);
    expect(given).toEqual(['first a', 'second b', 'third c']);
  });

  it('forgets a worker that has stopped waiting', () => {
    const frontier = frontierWith();
    const given: string[] = [];
    frontier
      .take()
      .subscribe(() => given.push('gone'))
      .unsubscribe();
    frontier.take().subscribe(() => given.push('here'));
    frontier.enqueue([at('/a')]);
    expect(given).toEqual(['here']);
  });

  it('passes over a host that must wait', () => {
    const frontier = frontierWith({ limits: { perHost: 1 } });
    frontier.enqueue(['a/1', 'a/2', 'b/1'].map((url) => request(`https://${url}`)));
    expect(takeAll(frontier, true)).toEqual(['a/1', 'b/1']);
  });

  it(
    'hands out a host’s next request when its gap is over',
    marbles((m) => {
      const frontier = frontierWith({ limits: { delay: 4 } });
      frontier.enqueue([at('/a'), at('/b')]);
      const taken = (): void =>
        m
          .expect(frontier.take())
          .toBeObservable('----(l|)', { l: expect.objectContaining({ attempt: 1 }) as Lease });
      frontier.take().subscribe();
      taken();
    }),
  );

  it(
    'puts a retry back after its delay, as the next attempt and before newer requests',
    marbles((m) => {
      const frontier = frontierWith();
      frontier.enqueue([at('/a')]);
      frontier.retry(takeOne(frontier), { delayMs: 5 });
      const path = frontier.take();
      m.expect(path).toBeObservable('-----(l|)', {
        l: expect.objectContaining({ attempt: 2 }) as Lease,
      });
    }),
  );

  it('puts a released request back where it was, without counting an attempt', () => {
    const frontier = frontierWith({ maxStarts: 2 });
    frontier.enqueue([at('/a'), at('/b')]);
    const lease = takeOne(frontier);
    frontier.release(lease);
    const again = takeOne(frontier);
    expect(again.request).toBe(lease.request);
    expect(again.attempt).toBe(1);
    expect(again.token).not.toBe(lease.token);
  });

  it('answers a second answer with `lost`, and changes nothing', () => {
    const frontier = frontierWith();
    frontier.enqueue([at('/a')]);
    const lease = takeOne(frontier);
    expect(frontier.ack(lease, { fetched: true })).toEqual(['ok']);
    expect(frontier.ack(lease, { fetched: true })).toEqual(['lost']);
    expect(frontier.retry(lease, { delayMs: 0 })).toEqual(['lost']);
    expect(frontier.release(lease)).toEqual(['lost']);
    expect(frontier.stats()).toEqual([{ queued: 0, leased: 0, delayed: 0, hosts: 0 }]);
  });

  it('starts no more requests than its budget, and tells when it is used up', () => {
    const scheduler = asyncScheduler;
    const budget = new StartBudget(2);
    const gate = new HostGate({ scheduler });
    const frontier = memoryFrontier()({ order: fifo(), gate, budget, scheduler });
    let exhausted = 0;
    budget.exhausted$.subscribe(() => (exhausted += 1));
    frontier.enqueue(['/a', '/b', '/c', '/d'].map((path) => at(path)));
    const [a, b] = [takeOne(frontier), takeOne(frontier)];
    expect(takeAll(frontier)).toEqual([]);
    frontier.ack(a, { fetched: false });
    const c = takeOne(frontier);
    expect(c.request.url).toBe('https://a.example/c');
    expect(exhausted).toBe(0);
    frontier.ack(b, { fetched: true });
    frontier.ack(c, { fetched: true });
    expect(exhausted).toBe(1);
    expect(takeAll(frontier)).toEqual([]);
  });

  it('still hands out a retry when the budget is used up', () => {
    const frontier = frontierWith({ maxStarts: 1 });
    frontier.enqueue([at('/a'), at('/b')]);
    const lease = takeOne(frontier);
    frontier.retry(lease, { delayMs: 0 });
    const again = takeOne(frontier);
    expect(again).toMatchObject({ request: lease.request, attempt: 2 });
  });

  it('hands out nothing while paused', () => {
    const frontier = frontierWith();
    frontier.pause();
    frontier.enqueue([at('/a')]);
    const given: Lease[] = [];
    frontier.take().subscribe((lease) => given.push(lease));
    expect(given).toHaveLength(0);
    frontier.resume();
    expect(given).toHaveLength(1);
  });

  it('finishes once: when nothing is queued, leased, delayed or held', () => {
    const scheduler = asyncScheduler;
    const gate = new HostGate({ scheduler });
    const frontier = memoryFrontier()({
      order: fifo(),
      gate,
      budget: new StartBudget(Infinity),
      scheduler,
    });
    let finished = 0;
    frontier.finished$.subscribe(() => (finished += 1));
    const letGo = frontier.hold();
    frontier.enqueue([at('/a')]);
    const lease = takeOne(frontier);
    letGo();
    expect(finished).toBe(0);
    frontier.enqueue([at('/b')]);
    frontier.ack(lease, { fetched: true });
    expect(finished).toBe(0);
    frontier.ack(takeOne(frontier), { fetched: true });
    expect(finished).toBe(1);
    letGo();
    expect(finished).toBe(1);
  });

  it('gives back all that waits when it is dropped, in order of discovery', () => {
    const frontier = frontierWith({ limits: { perHost: 1 } });
    frontier.enqueue(['a/1', 'a/2', 'b/1', 'a/3'].map((url) => request(`https://${url}`)));
    const lease = takeOne(frontier);
    frontier.retry(lease, { delayMs: 1_000 });
    const [dropped] = [...(frontier.drop() as Iterable<readonly { url: string }[]>)];
    expect(dropped?.map(({ url }) => url)).toEqual(
      ['a/1', 'a/2', 'b/1', 'a/3'].map((url) => `https://${url}`),
    );
    expect(frontier.stats()).toEqual([{ queued: 0, leased: 0, delayed: 0, hosts: 0 }]);
    frontier.close();
  });

  it('is in one piece after any sequence of operations', () => {
    const operation = fc.oneof(
      fc.record({ do: fc.constant('enqueue' as const), host: fc.integer({ min: 0, max: 3 }) }),
      fc.record({
        do: fc.constantFrom('take' as const, 'ack' as const, 'retry' as const, 'release' as const),
        host: fc.integer({ min: 0, max: 3 }),
      }),
    );
    const orders = fc.constantFrom(fifo(), lifo(), bestFirst(), roundRobinByHost());
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), orders, (operations, order) => {
        const frontier = frontierWith({ order, limits: { perHost: 2 } });
        const leases: Lease[] = [];
        let enqueued = 0;
        let acknowledged = 0;
        for (const [index, each] of operations.entries()) {
          if (each.do === 'enqueue') {
            frontier.enqueue([request(`https://h${each.host}.example/${index}`)]);
            enqueued += 1;
          } else if (each.do === 'take') {
            frontier
              .take()
              .pipe(take(1))
              .subscribe((lease) => leases.push(lease))
              .unsubscribe();
          } else {
            const lease = leases.shift();
            if (!lease) continue;
            if (each.do === 'ack') {
              frontier.ack(lease, { fetched: true });
              acknowledged += 1;
            } else if (each.do === 'retry') frontier.retry(lease, { delayMs: 0 });
            else frontier.release(lease);
          }
          const [held] = [
            ...(frontier.stats() as Iterable<{ queued: number; leased: number; delayed: number }>),
          ];
          expect(held?.leased).toBe(leases.length);
          expect((held?.queued ?? 0) + (held?.leased ?? 0) + (held?.delayed ?? 0)).toBe(
            enqueued - acknowledged,
          );
          const perHost = new Map<string, number>();
          for (const { pass } of leases) perHost.set(pass.host, (perHost.get(pass.host) ?? 0) + 1);
          for (const count of perHost.values()) expect(count).toBeLessThanOrEqual(2);
        }
        frontier.close();
      }),
    );
  });
});
