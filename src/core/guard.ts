import type { CrawlRequest } from './request.js';

/**
 * A last question before a request is admitted, for rules that need memory (crawler traps).
 * Asked once for each key, when it is new. Returns the name of the rule that refuses it, or `undefined`.
 */
export type Guard = (request: CrawlRequest, from: CrawlRequest | undefined) => string | undefined;

/** Makes a guard for one crawl, so that two crawls share no state. */
export type GuardFactory = () => Guard;
