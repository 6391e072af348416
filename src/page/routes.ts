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
import type {
  BarePage,
  Counted,
  CrawlRequest,
  HandledItem,
  Handler,
  HandlerContext,
  HandlerOutput,
  ModuleCounts,
} from '../core/index.js';
import { expectBoolean, expectObject, expectString } from '../core/expect.js';
import { expectOptions, functionOr, integerFrom, oneOf } from '../core/expect-options.js';
import { expectFunction, show } from '../core/index.js';
import { Permits } from '../core/permits.js';
import type { Page } from './page.js';
import { type PatternParams, type RoutePattern, routePattern } from './route-pattern.js';

/** What a handler of a route is given besides the page. */
export interface RouteContext<Params = PatternParams> extends HandlerContext {
  /** The named parts of the page's URL. */
  readonly params: Params;
}

/** The user's code for the pages of one kind: a {@link Handler} that knows the pattern's parts. */
export type RouteHandler<T, P extends BarePage, Params = PatternParams> = (
  page: P,
  context: RouteContext<Params>,
) => HandlerOutput<T>;

/** Options of {@link on} and {@link otherwise}. */
export interface RouteOptions<P extends BarePage> {
  /** Names the rule in figures. Default: its pattern or label. */
  readonly id?: string | undefined;
  /** Most pages that the rule handles at a time; others wait, each holding its worker. Default: no limit. */
  readonly concurrency?: number | undefined;
  /**
   * Whether the rule handles no page twice: by final URL, or by what a function says of a page.
   * This is besides the dedupe of the crawl, which is about requests. Default false.
   */
  readonly dedupe?: boolean | ((page: P) => string) | undefined;
}

/** A rule and its handler. Made by {@link on} and {@link otherwise}. */
export interface Route<T, P extends BarePage> {
  readonly id: string | undefined;
  /** Whether it is for the pages that no other rule is for. */
  readonly isLast: boolean;
  readonly concurrency: number;
  readonly keyOf: ((page: P) => string) | undefined;
  /** The parameters of a page that it is for. */
  readonly match: (page: P) => PatternParams | undefined;
  /** Whether a request may lead to a page that it is for. */
  readonly accepts: (request: CrawlRequest) => boolean;
  readonly handle: (page: P, context: RouteContext) => HandlerOutput<T>;
}

/** What a rule asks for: a label of the request, a pattern for the final URL, or a test. */
export type RouteMatch<P extends BarePage> =
  RoutePattern | { readonly label: string } | ((page: P) => boolean);

/** The names in a pattern that is known when it is compiled; else any. */
export type ParamsOf<S extends string> = string extends S
  ? PatternParams
  : // A pattern without names has none, which is what is meant.
    // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type
    Readonly<Record<ParamName<S>, string>>;
type ParamName<S extends string> = S extends `${string}:${infer Rest}`
  ? Named<Word<Rest>> | ParamName<Rest>
  : never;
type Named<S extends string> = S extends '' | `${Digit}${string}` ? never : S;
type Word<S extends string, Read extends string = ''> = S extends `${infer First}${infer Rest}`
  ? Lowercase<First> extends Letter | Digit | '_'
    ? Word<Rest, `${Read}${First}`>
    : Read
  : Read;
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
// prettier-ignore
type Letter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z';

const NO_PARAMS: PatternParams = Object.freeze(Object.create(null) as PatternParams);

/**
 * A rule for {@link routes}: pages of this kind, and what is done with them.
 *
 * @param match - a pattern for the final URL, see {@link routePattern}; a label of the request;
 * or a test of the page
 * @throws TypeError if the pattern cannot be read, or an option is wrong
 *
 * @example
 * ```ts
 * on('/city/:name', (page, { params }) => [{ city: params.name, title: page.title }]);
 * on({ label: 'profile' }, profile, { concurrency: 4 });
 * on((page) => page.kind === 'pdf', savePdf);
 * ```
 */
export function on<const S extends string, T = never, P extends BarePage = Page>(
  match: S,
  handler: RouteHandler<T, P, ParamsOf<S>>,
  options?: RouteOptions<P>,
): Route<T, P>;
export function on<T = never, P extends BarePage = Page>(
  match: RouteMatch<P>,
  handler: RouteHandler<T, P>,
  options?: RouteOptions<P>,
): Route<T, P>;
export function on<T, P extends BarePage>(
  match: string | RouteMatch<P>,
  handler: RouteHandler<T, P>,
  options: RouteOptions<P> = {},
): Route<T, P> {
  return route('on', matcher(match), handler, options, false);
}

/**
 * The rule for pages that no other rule of {@link routes} is for.
 *
 * @example
 * ```ts
 * routes(on('/book/:id', book), otherwise((page) => page.follow()));
 * ```
 */
export function otherwise<T = never, P extends BarePage = Page>(
  handler: RouteHandler<T, P>,
  options: RouteOptions<P> = {},
): Route<T, P> {
  const all = { id: 'otherwise', match: () => NO_PARAMS, accepts: () => true };
  return route('otherwise', all, handler, options, true);
}

function route<T, P extends BarePage>(
  maker: string,
  { id, match, accepts }: Pick<Route<T, P>, 'id' | 'match' | 'accepts'>,
  handle: RouteHandler<T, P>,
  options: RouteOptions<P>,
  isLast: boolean,
): Route<T, P> {
  expectFunction(`${maker}: handler`, handle);
  expectOptions(maker, options, {
    concurrency: integerFrom(1),
    dedupe: functionOr(expectBoolean),
    id: expectString,
  });
  const { concurrency = Infinity, dedupe = false } = options;
  const keyOf = dedupe === true ? (page: P) => page.url : dedupe || undefined;
  return { id: options.id ?? id, isLast, concurrency, keyOf, match, accepts, handle };
}

function matcher<P extends BarePage>(
  given: string | RouteMatch<P>,
): Pick<Route<never, P>, 'id' | 'match' | 'accepts'> {
  const matched: unknown = given;
  if (typeof given === 'string' || isPattern(given)) {
    const pattern = typeof given === 'string' ? routePattern(given) : given;
    return {
      id: pattern.pattern,
      match: (page) => pattern.match(page.url),
      accepts: ({ url }) => pattern.test(url),
    };
  }
  if (typeof given === 'function') {
    return {
      id: undefined,
      match: (page) => (given(page) ? NO_PARAMS : undefined),
      accepts: () => true,
    };
  }
  if (typeof matched !== 'object' || matched === null || typeof given.label !== 'string') {
    throw new TypeError(
      `on: expected a pattern such as "/city/:name", a label or a function, got ${show(matched)}`,
    );
  }
  const { label } = given;
  return {
    id: `label ${label}`,
    match: ({ request }) => (request.label === label ? NO_PARAMS : undefined),
    accepts: (request) => request.label === label,
  };
}

function isPattern(value: unknown): value is RoutePattern {
  return typeof (value as Partial<RoutePattern> | null)?.match === 'function';
}

/** Options of {@link routes}, given behind its rules. */
export interface RoutesOptions {
  /** Whether a page is handled by the first rule that it matches, or by all. Default `first`. */
  readonly match?: 'first' | 'all' | undefined;
}

/** A handler that is split by rules. Made by {@link routes}. */
export interface RoutedHandler<T, P extends BarePage> extends Handler<T, P>, Counted {
  /**
   * Whether a request may lead to a page that a rule is for; to be used as `scope` of a crawl,
   * or part of it, which then fetches nothing else. Rules that test pages accept all requests.
   */
  readonly accepts: (request: CrawlRequest) => boolean;
  /**
   * Figures of the crawl that began last: pages by rule, `extra.duplicates` among them not
   * handled again, and as `unmatched` the pages that no rule was for.
   */
  counts(): readonly ModuleCounts[];
}

type AnyRoute = Route<unknown, never>;
type ItemOf<R> = R extends Route<infer T, never> ? HandledItem<T> : never;
type PageOf<R> = (R extends Route<unknown, infer P> ? (page: P) => void : never) extends (
  page: infer P,
) => void
  ? P extends BarePage
    ? P
    : never
  : never;

/**
 * A handler that is split by the kind of page. What its rules yield are items of the type of
 * all of them together.
 *
 * @param rules - in order, {@link RoutesOptions} last if wanted
 * @throws TypeError if there are none, two have one id, or there are two `otherwise()`
 *
 * @example
 * ```ts
 * import { crawl, on, otherwise, routes } from 'rxcrawl';
 *
 * crawl({
 *   handle: routes(
 *     on('/city/:name', (page, { params }) =>
 *       page.follow('.user a', { label: 'profile', context: params.name }),
 *     ),
 *     on({ label: 'profile' }, (page) => [{ name: page.$('h1').text(), city: page.request.context }]),
 *     otherwise((page) => page.follow('.city a')),
 *   ),
 * })('https://people.example/cities');
 * ```
 */
export function routes<const R extends readonly AnyRoute[]>(
  ...rules: R
): RoutedHandler<ItemOf<R[number]>, PageOf<R[number]>>;
export function routes<const R extends readonly AnyRoute[]>(
  ...rules: [...R, RoutesOptions]
): RoutedHandler<ItemOf<R[number]>, PageOf<R[number]>>;
export function routes(
  ...args: readonly (AnyRoute | RoutesOptions)[]
): RoutedHandler<unknown, BarePage> {
  for (const arg of args) expectObject('routes', arg);
  const rules = args.filter((arg): arg is Route<unknown, BarePage> => 'handle' in arg);
  const options = args.filter((arg): arg is RoutesOptions => !('handle' in arg));
  if (options.length > 1) {
    throw new TypeError('routes: expected rules and one object of options, got several');
  }
  const [given = {}] = options;
  expectOptions('routes', given, { match: oneOf('first', 'all') });
  const { match = 'first' } = given;
  const names = nameAll(rules);
  let latest = new Router(rules, names, match);

  return Object.assign((page: BarePage, context: HandlerContext) => latest.handle(page, context), {
    around: <E>(page: BarePage, handled$: Observable<E>) => latest.around(page, handled$),
    perCrawl: () => {
      const router = new Router(rules, names, match);
      latest = router;
      return Object.assign(
        (page: BarePage, context: HandlerContext) => router.handle(page, context),
        { around: <E>(page: BarePage, handled$: Observable<E>) => router.around(page, handled$) },
      );
    },
    accepts: (request: CrawlRequest) => rules.some((rule) => rule.accepts(request)),
    counts: () => latest.counts(),
  });
}

function nameAll(rules: readonly Route<unknown, BarePage>[]): readonly string[] {
  if (rules.length === 0) throw new TypeError('routes: expected at least one rule, got none');
  if (rules.filter(({ isLast }) => isLast).length > 1) {
    throw new TypeError('routes: expected at most one otherwise(), got several');
  }
  const names = rules.map(({ id }, index) => id ?? `rule ${index + 1}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new TypeError(`routes: expected rules with different ids, got ${show(twice)} twice`);
  }
  return names;
}

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
class Router {
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
