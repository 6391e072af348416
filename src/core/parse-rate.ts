import { show } from './expect.js';

const WINDOWS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * The gap that keeps a rate: `60/m` is one start a second. Starts are spread evenly, so that no
 * sliding window of that length ever holds more than so many.
 *
 * @param rate - a whole number, a slash, and `s`, `m` or `h`
 * @returns ms between two starts
 * @throws TypeError if the rate cannot be read
 *
 * @example
 * ```ts
 * parseRate('60/m'); // 1000
 * ```
 */
export function parseRate(rate: string): number {
  const [, count, unit] = /^(\d{1,9})\/([smh])$/.exec(rate) ?? [];
  const window = WINDOWS[unit ?? ''];
  if (window === undefined || Number(count) === 0) {
    throw new TypeError(`rate: expected a number per s, m or h, such as "60/m", got ${show(rate)}`);
  }
  return window / Number(count);
}
