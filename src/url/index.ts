export {
  canonicalUrl,
  canonicalizer,
  tryCanonicalUrl,
  type Canonicalizer,
} from './canonical-url.js';
export { InvalidUrlError, isInvalidUrlError, type UrlProblem } from './invalid-url-error.js';
export { parseUrl, tryParseUrl } from './parse-url.js';
export { requestKey, type KeyParts } from './request-key.js';
export type { QueryFilter, UrlPolicy } from './url-policy.js';
