import fc from 'fast-check';
import type { QueryFilter, UrlPolicy } from '../../src/url/url-policy.js';

/** Pieces that mean something somewhere in a URL, so that random texts reach the odd corners. */
const PIECES = [
  ...['/', '//', '/.', '/..', '/.b', '/%2e', '/%2E%2e/', '\\', '.', '..', '...'],
  ...['?', '&', '=', '&&', '?&', '#', ';', ';jsessionid=1', '(S(x))', '/(S(abc))/', ';v=1'],
  ...['%', '%%', '%4', '%41', '%7e', '%7E', '%2f', '%25', '%c3%a9', '%CC%81', '%ff', '%20', '+'],
  ...['a', 'b', 'A', 'Z', '1', '0x1', 'é', 'e\u0301', 'ß', '\u212a', '日本', '😀', '\ud800'],
  ...['index.html', 'Default.ASP', 'www.', 'sid=1', 'utm_source=x', 'a=', 'a', 'b=2', '__proto__'],
  ...[' ', '\t', '\n', '"', '<', '>', '`', '{', '}', '|', '^', '[', ']', "'", '@', ':', ':80', '~'],
];

const HOSTS = [
  ...['h.test', 'H.Test', 'h.test.', 'www.h.test', 'www.www.h.test', 'www.com', 'h.test..'],
  ...['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[2001:DB8::0:1]', 'bücher.test', '%61.test'],
  ...['xn--bcher-kva.test', 'a--b.test', 'localhost', 'a_b.test', '1.2.3.', '1.test', 'www.1.test'],
];

const scheme = fc.constantFrom('http://', 'https://', 'HTTP://', 'http:', 'ftp://', 'wss://');
const user = fc.constantFrom('', '', '', 'u@', 'u:p@', 'a@b:c@');
const port = fc.constantFrom('', '', ':', ':80', ':443', ':8080', ':080', ':0');
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((parts) => parts.join(''));

/** Texts that are mostly URLs, with much of what can go wrong in one. */
export const urlText: fc.Arbitrary<string> = fc
  .tuple(scheme, user, fc.constantFrom(...HOSTS), port, fc.constantFrom('', '/', '/', '?'), text)
  .map((parts) => parts.join(''));

const flag = fc.boolean();

/** Any policy without user information (which no key may hold). */
export const anyPolicy: fc.Arbitrary<UrlPolicy> = fc.record<UrlPolicy>(
  {
    keepFragment: flag,
    ignoreScheme: flag,
    dropWww: flag,
    dropTrailingDot: flag,
    ignorePathCase: flag,
    normalizeUnicode: flag,
    dropPathParams: flag,
    collapseSlashes: flag,
    dropIndexPage: flag,
    trailingSlash: fc.constantFrom('keep', 'drop', 'add'),
    dropSessionIds: flag,
    dropTracking: flag,
    keepQuery: fc.constantFrom(['a', 'b'], (name: string) => name !== 'b'),
    dropQuery: fc.constantFrom<QueryFilter | true>(true, ['a'], (_, value) => value === '2'),
    uniqueQuery: flag,
    emptyValue: fc.constantFrom('keep', 'bare', 'equals'),
    cleanEmptyParams: flag,
    dropEmptyQuery: flag,
    plusForSpace: flag,
    sortQuery: fc.constantFrom<boolean | 'values'>(true, false, 'values'),
    escapeLonePercent: flag,
    escapeExtra: flag,
  },
  { requiredKeys: [] },
);
