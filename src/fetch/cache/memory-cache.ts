import { expectOptions, integerFrom } from '../../core/expect-options.js';
import type { CacheStore, StoredResponse } from './cache-store.js';

/** What {@link memoryCache} takes. */
export interface MemoryCacheOptions {
  /** Most bytes of all answers together; the one that was used longest ago goes first. Default 64 MiB. */
  readonly maxBytes?: number;
}

/** Objects around a body, roughly. */
const OVERHEAD = 512;

/**
 * Keeps answers in memory, for as long as the store lives.
 *
 * @example
 * ```ts
 * const store = memoryCache({ maxBytes: 256 * 1024 * 1024 });
 * crawl({ cache: { store } });
 * ```
 */
export function memoryCache(options: MemoryCacheOptions = {}): CacheStore {
  expectOptions('memoryCache', options, { maxBytes: integerFrom(1) });
  const { maxBytes = 64 * 1024 * 1024 } = options;
  const entries = new Map<string, { readonly response: StoredResponse; readonly bytes: number }>();
  let total = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= entry.bytes;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // Put at the end: the first one is the one that was used longest ago.
      entries.delete(key);
      entries.set(key, entry);
      return entry.response;
    },
    set(key, response) {
      remove(key);
      const bytes = key.length + headerBytes(response) + response.body.length + OVERHEAD;
      if (bytes > maxBytes) return;
      entries.set(key, { response, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}

function headerBytes({ headers }: StoredResponse): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + String(value).length;
  return bytes;
}
