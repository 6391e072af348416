export { anyHost } from './any-host.js';
export {
  canonicalUrl,
  canonicalizer,
  tryCanonicalUrl,
  type Canonicalizer,
} from './canonical-url.js';
export { all, any, not } from './combine-scopes.js';
export { compileGlob } from './glob.js';
export { hostKeyByDomain } from './host-key-by-domain.js';
export { hosts } from './hosts.js';
export { InvalidUrlError, isInvalidUrlError, type UrlProblem } from './invalid-url-error.js';
export { parseUrl, tryParseUrl } from './parse-url.js';
export { pathPrefix } from './path-prefix.js';
export { registrableDomain, type RegistrableDomainOptions } from './registrable-domain.js';
export { requestKey, type KeyParts } from './request-key.js';
export { sameDomain } from './same-domain.js';
export {
  trapGuards,
  type PageContent,
  type TrapGuard,
  type TrapOptions,
  type TrapRequest,
  type TrapRule,
} from './trap-guards.js';
export { compileUrlPattern, urlMatches, type UrlPattern } from './url-matches.js';
export { urlPattern } from './url-pattern.js';
export type { QueryFilter, UrlPolicy } from './url-policy.js';
