/**
 * Every reason for which a URL is not fetched. Closed: an exhaustive `switch` compiles.
 *
 * | reason | meaning |
 * | --- | --- |
 * | `invalid-url` | not an absolute URL after resolving |
 * | `scheme` | neither `http:` nor `https:` |
 * | `url-too-long` | longer than the limit |
 * | `scope` | refused by the scope predicate |
 * | `depth` | more hops from a seed than `maxDepth` |
 * | `max-links` | beyond `maxLinksPerPage` of its page; one event with a `count` |
 * | `max-pages` | the crawl had fetched `maxPages` |
 * | `duplicate` | its key was seen before |
 * | `redirect-out-of-scope` | a redirect led out of the scope; the target was not contacted |
 * | `redirect-duplicate` | a redirect led to a page that is already part of the crawl |
 * | `robots` | denied by robots.txt |
 * | `nofollow` | the page or the link asks not to follow it |
 * | `trap` | a trap guard refused it; `detail` names the rule |
 * | `address` | a private or otherwise forbidden address |
 * | `stopped` | the crawl was stopped while it waited |
 * | `deferred` | its host was held for too long |
 */
export type SkipReason =
  | 'invalid-url'
  | 'scheme'
  | 'url-too-long'
  | 'scope'
  | 'depth'
  | 'max-links'
  | 'max-pages'
  | 'duplicate'
  | 'redirect-out-of-scope'
  | 'redirect-duplicate'
  | 'robots'
  | 'nofollow'
  | 'trap'
  | 'address'
  | 'stopped'
  | 'deferred';
