export type { CacheStore, StoredResponse } from './cache-store.js';
export { diskCache, type DiskCacheOptions } from './disk-cache.js';
export { httpCache, type HttpCacheOptions } from './http-cache.js';
export { memoryCache, type MemoryCacheOptions } from './memory-cache.js';
