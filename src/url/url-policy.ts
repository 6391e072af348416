import { expectBoolean, expectString, show } from '../core/expect.js';
import {
  type Expectations,
  expectOptions,
  functionOr,
  listOf,
  oneOf,
} from '../core/expect-options.js';

/** Chooses parameters of a query: by exact name, or by name and value, both decoded. */
export type QueryFilter = readonly string[] | ((name: string, value: string) => boolean);

/**
 * What counts as the same page besides what the URL standard says. Everything is off by default:
 * each of these merges pages that some server tells apart.
 */
export interface UrlPolicy {
  /** Keep the fragment: `#/inbox` and `#/sent` are two pages. */
  readonly keepFragment?: boolean;
  /** Keep the user information. The result then holds secrets; do not log it. */
  readonly keepUserInfo?: boolean;

  /** `https:` becomes `http:`; the default ports of both are the same. */
  readonly ignoreScheme?: boolean;
  /** `www.h.example` becomes `h.example`. */
  readonly dropWww?: boolean;
  /** `h.example.` becomes `h.example`. */
  readonly dropTrailingDot?: boolean;

  /** `/A` becomes `/a`. ASCII letters only. */
  readonly ignorePathCase?: boolean;
  /** `/e%CC%81` becomes `/%C3%A9` (Unicode NFC), in path and query. */
  readonly normalizeUnicode?: boolean;
  /** `/a;v=1/b;w` becomes `/a/b`. */
  readonly dropPathParams?: boolean;
  /** `/a//b` becomes `/a/b`. */
  readonly collapseSlashes?: boolean;
  /** `/a/index.html`, `/a/default.asp` … become `/a/`. */
  readonly dropIndexPage?: boolean;
  /** `drop`: `/a/` becomes `/a`. `add`: `/a` becomes `/a/`, unless its last segment has a dot. */
  readonly trailingSlash?: 'keep' | 'drop' | 'add';

  /** `;jsessionid=…` and `/(S(…))` in the path; `PHPSESSID`, `sid` … in the query. */
  readonly dropSessionIds?: boolean;
  /** `utm_*`, `gclid`, `fbclid`, `mc_cid` … */
  readonly dropTracking?: boolean;
  /** Only these parameters stay. */
  readonly keepQuery?: QueryFilter;
  /** These parameters go; `true`: the whole query. */
  readonly dropQuery?: QueryFilter | true;
  /** Of several parameters of one name only the first stays. */
  readonly uniqueQuery?: boolean;
  /** `bare`: `a=` becomes `a`. `equals`: `a` becomes `a=`. */
  readonly emptyValue?: 'keep' | 'bare' | 'equals';
  /** `?&a=1&&` becomes `?a=1`. */
  readonly cleanEmptyParams?: boolean;
  /** `?` without anything behind it goes. */
  readonly dropEmptyQuery?: boolean;
  /** `%20` in the query becomes `+`. */
  readonly plusForSpace?: boolean;
  /**
   * Sorts parameters by name, in the order of their characters. Equal names keep their order,
   * because servers read `a=1&a=2` as a list; with `values` those are sorted as well.
   */
  readonly sortQuery?: boolean | 'values';

  /** `%` that begins no triplet becomes `%25`. */
  readonly escapeLonePercent?: boolean;
  /** `[ ] ^ | { } \` and the back quote are percent-encoded. */
  readonly escapeExtra?: boolean;
}

const EXPECTED: Expectations<UrlPolicy> = {
  keepFragment: expectBoolean,
  keepUserInfo: expectBoolean,
  ignoreScheme: expectBoolean,
  dropWww: expectBoolean,
  dropTrailingDot: expectBoolean,
  ignorePathCase: expectBoolean,
  normalizeUnicode: expectBoolean,
  dropPathParams: expectBoolean,
  collapseSlashes: expectBoolean,
  dropIndexPage: expectBoolean,
  trailingSlash: oneOf('keep', 'drop', 'add'),
  dropSessionIds: expectBoolean,
  dropTracking: expectBoolean,
  keepQuery: functionOr(listOf(expectString)),
  dropQuery: expectDropQuery,
  uniqueQuery: expectBoolean,
  emptyValue: oneOf('keep', 'bare', 'equals'),
  cleanEmptyParams: expectBoolean,
  dropEmptyQuery: expectBoolean,
  plusForSpace: expectBoolean,
  sortQuery: oneOf(true, false, 'values'),
  escapeLonePercent: expectBoolean,
  escapeExtra: expectBoolean,
};

/**
 * Refuses a policy that has unknown names or wrong values, before the first URL is judged by it.
 *
 * @throws TypeError that names the option, what was expected and what was given
 */
export function checkPolicy(policy: UrlPolicy): void {
  expectOptions('UrlPolicy', policy, EXPECTED);
}

function expectDropQuery(name: string, value: unknown): void {
  if (value === true || typeof value === 'function') return;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return;
  throw new TypeError(`${name}: expected true, a list of names or a function, got ${show(value)}`);
}
