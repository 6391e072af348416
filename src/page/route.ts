import { expectBoolean, expectString, expectFunction, show } from '../core/expect.js';
import { expectOptions, functionOr, integerFrom } from '../core/expect-options.js';
import {
  type BarePage,
  type CrawlRequest,
  type HandlerContext,
  type HandlerOutput,
} from '../core/index.js';
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

/** The parameters of a page where there are none. */
export const NO_PARAMS: PatternParams = Object.freeze(Object.create(null) as PatternParams);

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
