/** Remembers the keys of all requests that were admitted. Test and mark are one step. */
export interface SeenSet {
  /** Marks a key; true if it was new. */
  add(key: string): boolean;
  /** How many keys are marked. */
  readonly size: number;
}

/**
 * The default: exact. About 110 bytes a URL of 68 characters, the string itself included.
 *
 * @example
 * ```ts
 * crawl({ seen: () => exactSet() });
 * ```
 */
export function exactSet(): SeenSet {
  const keys = new Set<string>();
  return {
    add(key) {
      const before = keys.size;
      return keys.add(key).size !== before;
    },
    get size() {
      return keys.size;
    },
  };
}
