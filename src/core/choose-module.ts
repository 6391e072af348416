import { expectObject, show } from './expect.js';
import type { ModuleCounts } from './module-counts.js';

/**
 * How `balance()` and `balanceSinks()` choose among their modules. `score`: the one with the lowest
 * called + 2 × accepted + 4 × completed + 16 × in flight, which spreads work evenly over time;
 * `least-in-flight`: the one that is least busy now; `round-robin`: each in turn; or the lowest
 * value of a function. Ties go to the one given first.
 */
export type BalanceBy =
  'score' | 'least-in-flight' | 'round-robin' | ((counts: ModuleCounts) => number);

/** One of several parts of a kind, with its figures. */
export class CountedModule {
  readonly id: string;
  called = 0;
  accepted = 0;
  completed = 0;
  inFlight = 0;
  /** When it was chosen last, as a count of all choices. */
  chosenAt = 0;

  constructor(id: string) {
    this.id = id;
  }

  figures(): ModuleCounts {
    const { id, called, accepted, completed, inFlight } = this;
    return { id, called, accepted, completed, inFlight };
  }
}

/**
 * @param check - of one module; is given how messages call it
 * @throws TypeError if there are none, or two have one id
 */
export function checkModules<M extends { readonly id: string }>(
  name: string,
  modules: readonly M[],
  check: (module: M, name: string) => void,
): void {
  const given: unknown = modules;
  if (!Array.isArray(given) || given.length === 0) {
    const got = Array.isArray(given) ? 'none' : show(given);
    throw new TypeError(`${name}: expected a list of at least one, got ${got}`);
  }
  const ids = new Set<string>();
  for (const [index, module] of modules.entries()) {
    const at = `${name}[${index}]`;
    expectObject(at, module);
    const id: unknown = module.id;
    if (typeof id !== 'string' || id === '') {
      throw new TypeError(`${at}: id: expected a name, got ${show(id)}`);
    }
    check(module, at);
    if (ids.has(id)) {
      throw new TypeError(`${name}: expected different ids, got ${show(id)} twice`);
    }
    ids.add(id);
  }
}

/**
 * Makes a function that chooses a module, and notes that it did; nothing of none.
 *
 * @param owner - for messages
 * @throws TypeError if `by` is no way to choose
 */
export function chooser<M extends CountedModule>(
  owner: string,
  by: BalanceBy,
  countsOf: (module: M) => ModuleCounts,
): (modules: readonly M[]) => M | undefined {
  const rate = typeof by === 'function' ? (module: M) => by(countsOf(module)) : rating(owner, by);
  let choices = 0;
  return (modules) => {
    const module = lowest(modules, rate);
    if (module) module.chosenAt = choices += 1;
    return module;
  };
}

function rating(
  owner: string,
  by: Exclude<BalanceBy, (...args: never) => unknown>,
): (module: CountedModule) => number {
  switch (by) {
    case 'score':
      return ({ called, accepted, completed, inFlight }) =>
        called + 2 * accepted + 4 * completed + 16 * inFlight;
    case 'least-in-flight':
      return ({ inFlight }) => inFlight;
    case 'round-robin':
      return ({ chosenAt }) => chosenAt;
    default:
      throw new TypeError(
        `${owner}: by: expected "score", "least-in-flight", "round-robin" or a function, got ${show(by)}`,
      );
  }
}

/** The first of the values with the lowest rate. */
function lowest<T>(values: readonly T[], rate: (value: T) => number): T | undefined {
  let best: T | undefined;
  let least = Infinity;
  for (const value of values) {
    const rated = rate(value);
    if (best !== undefined && !(rated < least)) continue;
    best = value;
    least = rated;
  }
  return best;
}
