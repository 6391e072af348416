const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/**
 * Bytes for people, with decimal units.
 *
 * @example
 * ```ts
 * formatBytes(1_234_567); // '1.2 MB'
 * ```
 */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // 999.95 would be shown as 1000.0.
  while (amount >= (unit === 0 ? 1_000 : 999.95) && unit < BYTE_UNITS.length - 1) {
    amount /= 1_000;
    unit++;
  }
  return `${unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${BYTE_UNITS[unit] ?? ''}`;
}

/**
 * A time for people.
 *
 * @param ms - milliseconds
 *
 * @example
 * ```ts
 * formatElapsed(95_000); // '1m 35s'
 * ```
 */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3_600)}h ${Math.floor((seconds % 3_600) / 60)}m`;
}

/** A short time for people: `830 ms`, `1.2 s`. */
export function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** A whole number with its noun: `1 page`, `31 pages`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
