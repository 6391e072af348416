import type { TestScheduler } from 'rxjs/testing';

/** Bounds of a run in virtual time; past one of them the run throws instead of hanging. */
export interface RunLimits {
  /** Scheduled actions plus requests to virtual sites. Default 1,000,000. */
  readonly maxActions?: number;
  /** Virtual time, ms. Default: unlimited. */
  readonly maxFrames?: number;
}

class ActionBudget {
  readonly #maxActions: number;
  #left: number;
  exceeded: Error | undefined;

  constructor(maxActions: number) {
    this.#maxActions = maxActions;
    this.#left = maxActions;
  }

  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw this.exceed(`after ${this.#maxActions} actions`);
  }

  exceed(when: string): Error {
    this.exceeded ??= new Error(
      `The run is still busy ${when}. An endless crawl needs an end: an unsubscription marble ` +
        `such as '^ 99ms !', take(n) or maxPages. If it is only large, raise the limit ` +
        `(maxActions, maxFrames).`,
    );
    return this.exceeded;
  }
}

let running: ActionBudget | undefined;

/**
 * Counts one step of a loop that may run without the scheduler, such as a crawl of pages
 * that all answer synchronously. Does nothing outside of {@link withActionLimit}.
 */
export function spendAction(): void {
  running?.spend();
}

/**
 * Runs `body`, whose scheduler it hands to `limit` before it flushes it. Throws where a limit
 * is passed, even if a crawl has caught that error and made it a failed page.
 *
 * A `TestScheduler` flushes until no action is left, and blocks its thread meanwhile: no
 * timeout of a test runner can interrupt a crawl that does not end.
 */
export function withActionLimit<R>(
  { maxActions = 1_000_000, maxFrames = Infinity }: RunLimits,
  body: (limit: (scheduler: TestScheduler) => void) => R,
): R {
  const budget = new ActionBudget(maxActions);
  const before = running;
  running = budget;
  try {
    const result = body((scheduler) => watch(scheduler, budget, maxFrames));
    if (budget.exceeded) throw budget.exceeded;
    return result;
  } catch (error) {
    throw budget.exceeded ?? error;
  } finally {
    running = before;
  }
}

/** `flush` takes each action by `shift`, and has no other place to count them. */
function watch(scheduler: TestScheduler, budget: ActionBudget, maxFrames: number): void {
  const { actions } = scheduler;
  const shift = actions.shift.bind(actions);
  actions.shift = () => {
    const action = shift();
    if (action !== undefined) {
      budget.spend();
      if (action.delay > maxFrames) throw budget.exceed(`at virtual time ${maxFrames} ms`);
    }
    return action;
  };
}
