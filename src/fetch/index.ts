export { parseRetryAfter } from './parse-retry-after.js';
export * from './robots/index.js';
