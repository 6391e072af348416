import { show } from '../core/expect.js';

/** Parts of a URL that a pattern has named, decoded. No prototype. */
export type PatternParams = Readonly<Record<string, string>>;

/** A pattern for URLs, ready to use. Made by {@link routePattern}. */
export interface RoutePattern {
  readonly pattern: string;
  /** Whether a URL, in the form of `URL.href`, matches. */
  test(url: string): boolean;
  /** The named parts of a URL that matches, or `undefined`. */
  match(url: string): PatternParams | undefined;
}

type Token =
  | { readonly type: 'text'; readonly text: string }
  /** `*`, `**`, and the `**` and slash of a whole segment. */
  | { readonly type: 'run' | 'any' | 'folders' }
  | { readonly type: 'name'; readonly name: string };

/**
 * Makes a pattern for URLs.
 *
 * | in a pattern | stands for |
 * | --- | --- |
 * | `*` | any characters but `/`, also none |
 * | `**` | any characters, also none |
 * | `**` as a whole segment | any number of segments, also none |
 * | `:name` | one or more characters but `/`; can be read from the match |
 * | all else | itself |
 *
 * The whole URL must match, not only a part of it.
 *
 * A pattern that starts with `/` is compared with the path; with a `?` in it, with path and
 * query. One with `://` is compared with the whole URL: `https://*.example.org/:city/**`. A
 * fragment never counts. Time is linear in the length of the URL for a given pattern, and no
 * regular expression is made of it.
 *
 * @throws TypeError if it starts with neither `/`, `*` nor a scheme and a host, if a segment begins
 * with a colon and no name, if a name is there twice, if brackets do not match, or if it holds what
 * no URL does or what never counts: braces, a regular expression, a fragment
 *
 * @example
 * ```ts
 * routePattern('/city/:name').match('https://a.example/city/oslo'); // { name: 'oslo' }
 * routePattern('/product/**').test('https://a.example/product/7/reviews'); // true
 * ```
 */
export function routePattern(pattern: string): RoutePattern {
  const whole = /^[a-z*][a-z0-9+.*-]*:\/\//i.test(pattern);
  if (!whole && !pattern.startsWith('/') && !pattern.startsWith('*')) {
    throw new TypeError(
      `routePattern: expected a pattern such as "/city/:name" or "https://*.example.org/**", got ${show(pattern)}`,
    );
  }
  expectSense(pattern);
  const withQuery = pattern.includes('?');
  const tokens = tokenise(whole ? lowerCaseOrigin(pattern) : pattern);
  const subject = (url: string) => subjectOf(url, whole, withQuery);
  return {
    pattern,
    test: (url) => run(tokens, subject(url)) !== undefined,
    match: (url) => run(tokens, subject(url)),
  };
}

/** What would never match, and what is expected instead. */
const SLIPS: readonly (readonly [slip: RegExp, expected: string])[] = [
  [/#/, 'no fragment'],
  [/:\/\/(?:\/|$)/, 'a host behind "://"'],
  [/:[a-z_]\w*\(/i, 'no regular expression'],
  [/^[^?]*[{}]/, 'no braces, which are "%7B" and "%7D" in a path'],
];

/**
 * Refuses what nobody means: a colon that has lost its name, brackets that do not match, which look
 * like a group of a regular expression, and what would never match.
 */
function expectSense(pattern: string): void {
  if (/\/:(?![a-z0-9_])/i.test(pattern)) {
    throw new TypeError(
      `routePattern: expected a name behind ":", such as ":name", got ${JSON.stringify(pattern)}`,
    );
  }
  let open = 0;
  for (const char of pattern) {
    if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    if (open < 0) break;
  }
  if (open !== 0) {
    throw new TypeError(
      `routePattern: expected brackets that match, or "%28" and "%29" for single ones, got ${JSON.stringify(pattern)}`,
    );
  }
  const names = Array.from(pattern.matchAll(/:([a-z_]\w*)/gi), ([, name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const expected =
    SLIPS.find(([slip]) => slip.test(pattern))?.[1] ??
    (twice === undefined ? undefined : `the name ${show(twice)} only once`);
  if (expected === undefined) return;
  throw new TypeError(`routePattern: expected ${expected}, got ${show(pattern)}`);
}

const compiled = new Map<string, RoutePattern>();
const MAX_COMPILED = 1000;

/**
 * Whether a URL matches a pattern, see {@link routePattern}. Patterns are prepared once.
 *
 * @example
 * ```ts
 * matchesRoute('/product/*', 'https://shop.example/product/7'); // true
 * ```
 */
export function matchesRoute(pattern: string, url: string): boolean {
  return cachedPattern(pattern).test(url);
}

/** As {@link routePattern}, and remembers what it made. */
export function cachedPattern(pattern: string): RoutePattern {
  const before = compiled.get(pattern);
  if (before !== undefined) return before;
  const made = routePattern(pattern);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** The part of a URL that the pattern is compared with. */
function subjectOf(url: string, whole: boolean, withQuery: boolean): string {
  const hash = url.indexOf('#');
  const noFragment = hash === -1 ? url : url.slice(0, hash);
  const query = noFragment.indexOf('?');
  const text = withQuery || query === -1 ? noFragment : noFragment.slice(0, query);
  if (whole) return text;
  const authority = text.indexOf('://');
  const path = text.indexOf('/', authority === -1 ? 0 : authority + 3);
  return path === -1 ? '' : text.slice(path);
}

/** Scheme and host are lower case in a URL. Names in the host keep their case. */
function lowerCaseOrigin(pattern: string): string {
  const host = pattern.indexOf('://') + 3;
  const slash = pattern.indexOf('/', host);
  const end = slash === -1 ? pattern.length : slash;
  const origin = pattern
    .slice(0, end)
    .replace(/:[a-z_]\w*|[A-Z]+/gi, (part) => (part.startsWith(':') ? part : part.toLowerCase()));
  return origin + (slash === -1 ? '/' : pattern.slice(end));
}

function tokenise(pattern: string): Token[] {
  const tokens: Token[] = [];
  const text = (value: string) => {
    if (value !== '') tokens.push({ type: 'text', text: encodeText(value) });
  };
  let from = 0;
  for (const { 0: part, index, 1: name } of pattern.matchAll(/\*+|:([a-z_]\w*)/gi)) {
    text(pattern.slice(from, index));
    from = index + part.length;
    if (name !== undefined) {
      tokens.push({ type: 'name', name });
    } else if (part.length === 1) {
      tokens.push({ type: 'run' });
    } else if (pattern.charAt(index - 1) === '/' && pattern.charAt(from) === '/') {
      from += 1;
      tokens.push({ type: 'folders' });
    } else {
      tokens.push({ type: 'any' });
    }
  }
  text(pattern.slice(from));
  return tokens;
}

/** Writes what is not ASCII as a URL has it. */
function encodeText(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (part) =>
    encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd')),
  );
}

/** The named parts, or `undefined` if `subject` does not match. */
function run(tokens: readonly Token[], subject: string): PatternParams | undefined {
  const only = tokens.length;
  const first = tokens[0];
  // The common patterns need no search.
  if (first?.type === 'text') {
    if (!subject.startsWith(first.text)) return undefined;
    if (only === 1) return subject.length === first.text.length ? NO_PARAMS : undefined;
    if (only === 2 && tokens[1]?.type === 'any') return NO_PARAMS;
  }
  return search(tokens, subject);
}

const NO_PARAMS: PatternParams = Object.freeze(Object.create(null) as PatternParams);

/**
 * Walks tokens and text side by side, longest first. Each pair of token and position is tried
 * once, so that time is at most their product.
 */
function search(tokens: readonly Token[], subject: string): PatternParams | undefined {
  const { length } = subject;
  const width = 2 * (length + 1);
  const tried = new Uint8Array((tokens.length + 1) * width);
  /** Where each token on the present way begins. */
  const starts = new Int32Array(tokens.length + 1);
  // Pairs of a token and twice a position; odd where the token has eaten something.
  const stack: number[] = [0, 0];
  while (stack.length > 0) {
    const state = stack.pop() ?? 0;
    const index = stack.pop() ?? 0;
    const cell = index * width + state;
    if (tried[cell] === 1) continue;
    tried[cell] = 1;
    const at = state >> 1;
    const eaten = (state & 1) === 1;
    if (!eaten) starts[index] = at;
    const token = tokens[index];
    if (token === undefined) {
      if (at === length) return collect(tokens, starts, subject);
    } else if (token.type === 'text') {
      if (subject.startsWith(token.text, at)) stack.push(index + 1, 2 * (at + token.text.length));
    } else {
      const { type } = token;
      const complete =
        type === 'name' ? eaten : type !== 'folders' || !eaten || subject.charAt(at - 1) === '/';
      if (complete) stack.push(index + 1, 2 * at);
      const inSegment = type === 'run' || type === 'name';
      if (at < length && (!inSegment || subject.charAt(at) !== '/')) {
        stack.push(index, 2 * (at + 1) + 1);
      }
    }
  }
  return undefined;
}

function collect(tokens: readonly Token[], starts: Int32Array, subject: string): PatternParams {
  const params = Object.create(null) as Record<string, string>;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'name') {
      params[token.name] = decode(subject.slice(starts[index], starts[index + 1]));
    }
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
