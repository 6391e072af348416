import {
  concat,
  defer,
  EMPTY,
  finalize,
  from,
  type Observable,
  type ObservableInput,
  tap,
} from 'rxjs';
import type { BarePage, HandlerContext, HandlerOutput, ModuleCounts } from '../core/index.js';
import { Permits } from '../core/permits.js';
import { NO_PARAMS, type Route } from './route.js';
import type { PatternParams } from './route-pattern.js';

/** A rule at work in one crawl. */
class Rule {
  readonly id: string;
  readonly route: Route<unknown, BarePage>;
  readonly #permits: Permits | undefined;
  readonly #seen = new Set<string>();
  called = 0;
  accepted = 0;
  completed = 0;
  inFlight = 0;
  duplicates = 0;

  constructor(id: string, route: Route<unknown, BarePage>) {
    this.id = id;
    this.route = route;
    if (route.concurrency === Infinity) return;
    this.#permits = new Permits();
    this.#permits.resize(route.concurrency);
  }

  counts(): ModuleCounts {
    const { id, called, accepted, completed, inFlight, duplicates } = this;
    return { id, called, accepted, completed, inFlight, extra: { duplicates } };
  }

  /** Takes a page that it is for, unless it has had it before. */
  claim(page: BarePage, params: PatternParams): Claim | undefined {
    this.called += 1;
    const key = this.route.keyOf?.(page);
    if (key === undefined) return { rule: this, params, release: () => undefined };
    if (this.#seen.has(key)) {
      this.duplicates += 1;
      return undefined;
    }
    this.#seen.add(key);
    return { rule: this, params, release: () => this.#seen.delete(key) };
  }

  /** Counts the handling of a page, and lets it wait for its turn. */
  around<E>(handled$: Observable<E>, { release }: Claim): Observable<E> {
    const counted$ = defer(() => {
      this.accepted += 1;
      this.inFlight += 1;
      let completed = false;
      return handled$.pipe(
        tap({
          complete: () => {
            completed = true;
            this.completed += 1;
          },
        }),
        finalize(() => {
          this.inFlight -= 1;
          // Whoever visits it again, after a failure, shall have it handled.
          if (!completed) release();
        }),
      );
    });
    return this.#permits?.guard(counted$) ?? counted$;
  }
}

interface Claim {
  readonly rule: Rule;
  readonly params: PatternParams;
  readonly release: () => void;
}

type Claims = { readonly claims: readonly Claim[] } | { readonly error: unknown };

/** Rules at work in one crawl. */
export class Router {
  readonly #rules: readonly Rule[];
  readonly #last: Rule | undefined;
  readonly #all: boolean;
  readonly #claims = new WeakMap<BarePage, Claims>();
  #unmatched = 0;

  constructor(
    routes: readonly Route<unknown, BarePage>[],
    names: readonly string[],
    match: 'first' | 'all',
  ) {
    const rules = routes.map((each, index) => new Rule(names[index] as string, each));
    this.#rules = rules.filter(({ route }) => !route.isLast);
    this.#last = rules.find(({ route }) => route.isLast);
    this.#all = match === 'all';
  }

  counts(): readonly ModuleCounts[] {
    const pages = this.#unmatched;
    const unmatched = { id: 'unmatched', called: pages, accepted: 0, completed: 0, inFlight: 0 };
    const rules = this.#last ? [...this.#rules, this.#last] : this.#rules;
    return [...rules.map((rule) => rule.counts()), unmatched];
  }

  /** Rules are entered in the same order for every page, so that no two wait for each other. */
  around<E>(page: BarePage, handled$: Observable<E>): Observable<E> {
    return defer(() => {
      const found = this.#claimsOf(page);
      if ('error' in found) return handled$;
      return found.claims.reduce((inner$, claim) => claim.rule.around(inner$, claim), handled$);
    });
  }

  handle(page: BarePage, context: HandlerContext): HandlerOutput<unknown> {
    const found = this.#claimsOf(page);
    if ('error' in found) throw found.error;
    const outputs = found.claims.map(({ rule, params }) =>
      rule.route.handle(page, {
        get signal() {
          return context.signal;
        },
        params,
      }),
    );
    return outputs.length < 2 ? outputs[0] : inTurn(outputs);
  }

  /** Which rules have the page: asked once, before its turn has come. */
  #claimsOf(page: BarePage): Claims {
    const before = this.#claims.get(page);
    if (before) return before;
    const found = this.#find(page);
    this.#claims.set(page, found);
    return found;
  }

  #find(page: BarePage): Claims {
    const claims: Claim[] = [];
    let matched = false;
    try {
      for (const rule of this.#rules) {
        const params = rule.route.match(page);
        if (!params) continue;
        matched = true;
        const claim = rule.claim(page, params);
        if (claim) claims.push(claim);
        if (!this.#all) break;
      }
      if (!matched && this.#last) {
        const claim = this.#last.claim(page, NO_PARAMS);
        if (claim) claims.push(claim);
      } else if (!matched) {
        this.#unmatched += 1;
      }
      return { claims };
    } catch (error) {
      for (const { release } of claims) release();
      return { error };
    }
  }
}

type Output = ObservableInput<unknown> | undefined;

/** The values of several outputs, one output after the other. */
function inTurn(outputs: readonly HandlerOutput<unknown>[]): ObservableInput<unknown> {
  const given = outputs as readonly Output[];
  return given.every(isIterable)
    ? eachOf(given)
    : concat(...given.map((output) => (output === undefined ? EMPTY : from(output))));
}

/** Iterables stay what they are: pulled only as fast as their values are used. */
function* eachOf(outputs: readonly (Iterable<unknown> | undefined)[]): Generator {
  for (const output of outputs) if (output) yield* output;
}

function isIterable(output: Output): output is Iterable<unknown> | undefined {
  return output === undefined || Symbol.iterator in output;
}
