/** Where a crawler is in its life. Those that end in `-ing` last only while a step is carried out. */
export type CrawlerStatus =
  | 'uninitialized'
  | 'initializing'
  | 'initialized'
  | 'starting'
  | 'started'
  | 'stopping'
  | 'stopped';

/** What a crawler can be asked to begin. */
export type CrawlerWish = 'initializing' | 'starting' | 'stopping';

/** From which states each step may begin. A state that is missing refuses it. */
const ALLOWED: Readonly<Record<CrawlerWish, readonly CrawlerStatus[]>> = {
  initializing: ['uninitialized', 'initialized', 'stopped'],
  starting: ['initialized', 'stopped'],
  stopping: ['started'],
};

/** A crawler was asked for what it cannot do in its state. Nothing was changed. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';
  readonly from: CrawlerStatus;
  readonly to: string;

  constructor(from: CrawlerStatus, to: string, expected: readonly string[]) {
    super(
      `crawler: cannot go from "${from}" to "${to}"; expected it to be ` +
        expected.map((state) => `"${state}"`).join(' or '),
    );
    this.from = from;
    this.to = to;
  }
}

/**
 * The next state, or a refusal. Pure: who calls it decides what to do with the answer.
 *
 * | wish | allowed in |
 * | --- | --- |
 * | `initializing` | `uninitialized`, `initialized`, `stopped` |
 * | `starting` | `initialized`, `stopped` |
 * | `stopping` | `started` |
 *
 * @throws IllegalTransition naming both states
 *
 * @example
 * ```ts
 * transition('stopped', 'starting'); // 'starting'
 * transition('started', 'starting'); // throws: cannot go from "started" to "starting"
 * ```
 */
export function transition(from: CrawlerStatus, wish: CrawlerWish): CrawlerStatus {
  // A caller without types may wish for anything.
  const allowed = Object.hasOwn(ALLOWED, wish) ? ALLOWED[wish] : [];
  if (allowed.length === 0) {
    throw new IllegalTransition(from, wish, Object.keys(ALLOWED));
  }
  if (!allowed.includes(from)) throw new IllegalTransition(from, wish, allowed);
  return wish;
}

/** Where a step leads to when it has been carried out. */
export const FINISHED: Readonly<Record<CrawlerWish, CrawlerStatus>> = {
  initializing: 'initialized',
  starting: 'started',
  stopping: 'stopped',
};
