const SIZE = /^(\d{1,15}(?:\.\d{1,9})?)(B|KB|MB|GB|KIB|MIB|GIB)$/;
const UNITS = new Map([
  ['B', 1],
  ['KB', 1_000],
  ['MB', 1_000_000],
  ['GB', 1_000_000_000],
  ['KIB', 1_024],
  ['MIB', 1_048_576],
  ['GIB', 1_073_741_824],
]);

/**
 * Reads a size: a number with its unit, decimal (`kB`, `MB`, `GB`) or binary (`KiB`, `MiB`,
 * `GiB`) or `B`. The case of the unit does not matter.
 *
 * @returns whole bytes, or `undefined` if the text is no size
 *
 * @example
 * ```ts
 * parseSize('10MB'); // 10000000
 * parseSize('512KiB'); // 524288
 * ```
 */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = SIZE.exec(text.toUpperCase()) ?? [];
  const factor = unit === undefined ? undefined : UNITS.get(unit);
  if (amount === undefined || factor === undefined) return undefined;
  const bytes = Math.round(Number(amount) * factor);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
