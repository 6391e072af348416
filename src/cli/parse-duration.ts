const DURATION = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h)$/;
const UNITS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** The longest wait that a timer of JavaScript can keep, ms; nearly 25 days. */
export const LONGEST_DURATION = 2_147_483_647;

/**
 * Reads a duration: a number with its unit, `ms`, `s`, `m` or `h`. A number alone says nothing
 * about its unit and is refused, except `0`.
 *
 * @returns milliseconds, or `undefined` if the text is no duration or too long for a timer
 *
 * @example
 * ```ts
 * parseDuration('1.5s'); // 1500
 * parseDuration('5'); // undefined
 * ```
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, amount, unit] = DURATION.exec(text) ?? [];
  const factor = unit === undefined ? undefined : UNITS.get(unit);
  if (amount === undefined || factor === undefined) return undefined;
  const ms = Math.round(Number(amount) * factor);
  return ms <= LONGEST_DURATION ? ms : undefined;
}
