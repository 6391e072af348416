/**
 * Reads a whole number, written in digits alone.
 *
 * @returns the number, or `undefined` if the text is none, less than `least` or more than `most`
 *
 * @example
 * ```ts
 * parseCount('16', 1); // 16
 * parseCount('-5', 1); // undefined
 * ```
 */
export function parseCount(text: string, least: number, most?: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && !(most !== undefined && value > most) ? value : undefined;
}
