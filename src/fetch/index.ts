export * from './cache/index.js';
export * from './cookies/index.js';
export * from './robots/index.js';
export { scopedHeaders, type ScopedHeader, type ScopedHeadersOptions } from './scoped-headers.js';
export { toCrawlError, type ExchangeStage } from './classify-error.js';
export type { ProxyOption } from './choose-connections.js';
export type { ConnectExtras } from './connections.js';
export { proxyFromEnv, type Environment } from './proxy-from-env.js';
export type { MinRate } from './deadline.js';
export type { ResponseHead } from './exchange.js';
export {
  undiciFetcher,
  type ClosableFetcher,
  type FetchTimeouts,
  type UndiciFetcherOptions,
} from './undici-fetcher.js';
export { DEFAULT_USER_AGENT, VERSION } from './user-agent.js';
export { addressClass, type AddressClass } from './address-class.js';
export {
  addressGuard,
  type AddressGuard,
  type AddressGuardOptions,
  type Resolve,
} from './address-guard.js';
export { BLOCKED_PORTS } from './blocked-ports.js';
