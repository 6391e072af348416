/*
 * Own code: `Date.parse` takes nearly anything ("Fri, 99 Foo 1994", "2", local times), and a
 * header that is misread makes a crawler wait for days, or not at all.
 */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(${MONTHS.join('|')})`;
const TIME = String.raw`(\d\d):(\d\d):(\d\d)`;
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const LONG_DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';

/** Sun, 06 Nov 1994 08:49:37 GMT */
const IMF_FIXDATE = new RegExp(`^${DAY}, (\\d\\d) ${MONTH} (\\d{4}) ${TIME} GMT$`, 'i');
/** Sunday, 06-Nov-94 08:49:37 GMT */
const RFC_850 = new RegExp(`^${LONG_DAY}, (\\d\\d)-${MONTH}-(\\d\\d) ${TIME} GMT$`, 'i');
/** Sun Nov  6 08:49:37 1994 */
const ASCTIME = new RegExp(`^${DAY} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`, 'i');

/** The longest date, with some blanks around it. */
const LONGEST = 64;

/**
 * Reads a date of an HTTP header field in its three forms (RFC 9110 §5.6.7).
 *
 * @param now - needed for the form with two digits for the year, ms since 1970
 * @returns ms since 1970, or `undefined` for what is no such date
 */
export function parseHttpDate(value: string, now: number): number | undefined {
  if (value.length > LONGEST) return undefined;
  const text = value.trim();
  let match = IMF_FIXDATE.exec(text);
  if (match) {
    const [, day, month, year, ...time] = match;
    return utc(year, month, day, time);
  }
  match = ASCTIME.exec(text);
  if (match) {
    const [, month, day, hour, minute, second, year] = match;
    return utc(year, month, day, [hour, minute, second]);
  }
  match = RFC_850.exec(text);
  if (!match) return undefined;
  const [, day, month, year, ...time] = match;
  return utc(fullYear(Number(year), now), month, day, time);
}

/** Two digits never mean a year more than 50 years ahead. */
function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}

function utc(
  year: string | number | undefined,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  const monthIndex = MONTHS.indexOf((month ?? '').toLowerCase());
  // A leap second is allowed.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthIndex, Number(day));
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== monthIndex) return undefined;
  return date.setUTCHours(hour, minute, second);
}
