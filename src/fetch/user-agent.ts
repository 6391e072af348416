/** Version of this library. A test holds it, and the one below, to `package.json`. */
export const VERSION = '0.1.0';

/**
 * The `user-agent` that is sent unless another is given: product token, version and where to
 * read about the crawler. The token `rxcrawl` is also the one that robots.txt is matched with.
 */
export const DEFAULT_USER_AGENT = 'rxcrawl/0.1.0 (+https://github.com/rxcrawl/rxcrawl)';
