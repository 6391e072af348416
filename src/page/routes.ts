import type { Observable } from 'rxjs';
import { expectObject, show } from '../core/expect.js';
import { expectOptions, oneOf } from '../core/expect-options.js';
import {
  type BarePage,
  type Counted,
  type CrawlRequest,
  type HandledItem,
  type Handler,
  type HandlerContext,
  type ModuleCounts,
} from '../core/index.js';
import type { Route } from './route.js';
import { Router } from './router.js';

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
