import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  crawlerOf,
  type ControlOptions,
  type CrawlerStatus,
  type CrawlerWish,
  IllegalTransition,
  transition,
} from '../../src/control/index.js';
import { crawl, simple } from '../../src/core/index.js';
import { virtualPage, virtualSite } from '../../src/testing/index.js';
import { VirtualClock } from './virtual-clock.js';

const STATES: CrawlerStatus[] = [
  'uninitialized',
  'initializing',
  'initialized',
  'starting',
  'started',
  'stopping',
  'stopped',
];

describe('transition', () => {
  const allowed = new Set([
    'uninitialized > initializing',
    'initialized > initializing',
    'stopped > initializing',
    'initialized > starting',
    'stopped > starting',
    'started > stopping',
  ]);
  const wishes: CrawlerWish[] = ['initializing', 'starting', 'stopping'];

  it.each(STATES.flatMap((from) => wishes.map((wish) => [from, wish] as const)))(
    'from %s to %s',
    (from, wish) => {
      if (allowed.has(`${from} > ${wish}`)) {
        expect(transition(from, wish)).toBe(wish);
        return;
      }
      expect(() => transition(from, wish)).toThrow(IllegalTransition);
      expect(() => transition(from, wish)).toThrow(`cannot go from "${from}" to "${wish}"`);
    },
  );

  it.each(['started', 'stopped', 'constructor'])('refuses to be asked for %s', (wish) => {
    for (const from of STATES) {
      expect(() => transition(from, wish as CrawlerWish)).toThrow(IllegalTransition);
    }
  });
});

function setUp() {
  const clock = new VirtualClock();
  const site = virtualSite(
    'https://x.example',
    { '/': ['/a'], '/a': [] },
    { latency: 10, scheduler: clock },
  );
  const crawler = crawlerOf(
    (options: ControlOptions) =>
      crawl({
        fetcher: site.fetcher,
        parse: virtualPage,
        handle: (page) => page.follow(),
        scheduler: clock,
        delay: 0,
        ...options,
      }),
    {},
  );
  return { clock, site, crawler };
}

/** What a crawler should do, as simply as it can be said. */
interface Model {
  status: CrawlerStatus;
  paused: boolean;
  /** Virtual ms until the run is over by itself; `Infinity` while paused between its pages. */
  page: number;
  left: number;
}

class Wait implements fc.Command<Model, ReturnType<typeof setUp>> {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = () => true;
  run(model: Model, { clock, crawler }: ReturnType<typeof setUp>): void {
    clock.pass(this.ms);
    let { ms } = this;
    while (model.status !== 'initialized' && model.status !== 'stopped') {
      if (model.left === 0) {
        // A page is due, and may not be begun.
        if (model.status === 'started' && model.paused) break;
        model.left = 10;
      }
      const step = Math.min(ms, model.left);
      model.left -= step;
      ms -= step;
      if (model.left > 0) break;
      model.page += 1;
      if (model.page === 2 || model.status === 'stopping') {
        model.status = 'stopped';
        model.paused = false;
      }
    }
    expect(crawler.status).toBe(model.status);
  }
  toString = () => `wait ${this.ms}`;
}

class Call implements fc.Command<Model, ReturnType<typeof setUp>> {
  readonly name: 'start' | 'stop' | 'pause' | 'resume' | 'init';
  constructor(name: Call['name']) {
    this.name = name;
  }
  check = () => true;
  run(model: Model, { crawler }: ReturnType<typeof setUp>): void {
    const before = model.status;
    const needs: Record<Call['name'], readonly CrawlerStatus[]> = {
      init: ['initialized', 'stopped'],
      start: ['initialized', 'stopped'],
      stop: ['started'],
      pause: ['started'],
      resume: ['started'],
    };
    const act = () => {
      if (this.name === 'start') crawler.start('https://x.example/');
      else if (this.name === 'init') crawler.init({});
      else if (this.name === 'stop') void crawler.stop();
      else crawler[this.name]();
    };
    if (!needs[this.name].includes(before)) {
      const summary = crawler.summary();
      expect(act).toThrow(IllegalTransition);
      expect(act).toThrow(`"${before}"`);
      expect(crawler.summary()).toEqual(summary);
      return;
    }
    act();
    if (this.name === 'init') model.status = 'initialized';
    else if (this.name === 'start') Object.assign(model, { status: 'started', page: 0, left: 10 });
    else if (this.name === 'pause') model.paused = true;
    else if (this.name === 'resume') {
      model.paused = false;
      if (model.left === 0) model.left = 10;
    } else {
      // Paused between its pages, nothing runs.
      const runs = model.left > 0;
      Object.assign(model, { status: runs ? 'stopping' : 'stopped' });
      if (!runs) model.paused = false;
    }
    expect(crawler.status).toBe(model.status);
    expect(crawler.paused).toBe(model.paused);
  }
  toString = () => this.name;
}

describe('the states of a crawler', () => {
  it('are those of a model, after any calls at any times', () => {
    const names: Call['name'][] = ['start', 'stop', 'pause', 'resume', 'init'];
    const commands = [
      ...names.map((name) => fc.constant(new Call(name))),
      fc.constantFrom(0, 1, 5, 10, 15, 40).map((ms) => new Wait(ms)),
    ];
    fc.assert(
      fc.property(fc.commands(commands, { size: '+1' }), (sequence) => {
        const start = () => ({
          model: { status: 'initialized' as CrawlerStatus, paused: false, page: 0, left: 0 },
          real: setUp(),
        });
        fc.modelRun(start, sequence);
      }),
      { numRuns: 150 },
    );
  });

  it('stay legal under 1,000 starts and stops at once', async () => {
    const site = virtualSite('https://x.example', { '/': ['/a'], '/a': [] }, { latency: 1 });
    const crawler = crawlerOf(
      (options: ControlOptions) =>
        crawl({
          fetcher: site.fetcher,
          parse: virtualPage,
          handle: (page) => page.follow(),
          strategy: simple(2),
          delay: 0,
          ...options,
        }),
      {},
    );
    const heard: CrawlerStatus[] = [];
    crawler.status$.subscribe((status) => heard.push(status));
    const refusals: unknown[] = [];
    let done = 0;
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        await Promise.resolve();
        try {
          if (index % 2 === 0) crawler.start('https://x.example/');
          else await crawler.stop();
          done += 1;
        } catch (error) {
          refusals.push(error);
        }
      }),
    );
    if (crawler.status === 'started') await crawler.stop();
    expect(crawler.status).toBe('stopped');
    expect(done + refusals.length).toBe(1_000);
    expect(done).toBeGreaterThan(1);
    expect(refusals.every((error) => error instanceof IllegalTransition)).toBe(true);
    expect(site.inFlight).toBe(0);
    for (const [index, status] of heard.entries()) {
      const next = heard[index + 1];
      const after: Partial<Record<CrawlerStatus, string>> = {
        initialized: 'starting',
        starting: 'started',
        started: 'stopping',
        stopping: 'stopped',
        stopped: 'starting',
      };
      if (next !== undefined) expect(next).toBe(after[status]);
    }
  });
});
