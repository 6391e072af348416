/*
 * Own code: `Date.parse` takes nearly anything ("-1" is the year 2001), reads dates without a
 * zone in the zone of this machine, and turns the 45th of a month into one of the next.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 2024-02-29T12:30:00.5+01:00 and its shorter forms. */
const W3C =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[tT ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(.{0,7}))?)?)?$/;

/** Thu, 29 Feb 2024 12:30:00 +0100 and its shorter forms. */
const RFC_822 =
  /^(?:[a-z]{3,9}, ?)?(\d{1,2}) ([a-z]{3})[a-z]* (\d{4}|\d\d) (\d\d):(\d\d)(?::(\d\d))? (.{1,6})$/i;

/** Hours that the zones of RFC 822 §5.1 are ahead of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  __proto__: null as never,
  UT: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

/** The longest date, with a plus sign written as a reference. */
const LONGEST = 64;

/**
 * Reads the date of a sitemap's or a feed's entry: a W3C date (`2024`, `2024-02`,
 * `2024-02-29`, `2024-02-29T12:30Z`, …) or a date of RFC 822 (`Thu, 29 Feb 2024 12:30:00 GMT`).
 *
 * A W3C date without a zone is taken for UTC, a date of RFC 822 without one for none. Days that
 * do not exist are no dates.
 *
 * @example
 * ```ts
 * parseLastmod('2024-02-29T12:30+01:00'); // 2024-02-29T11:30:00.000Z
 * parseLastmod('2023-02-29'); // undefined
 * ```
 */
export function parseLastmod(text: string): Date | undefined {
  if (text.length > LONGEST) return undefined;
  // Seen in the wild: the reference for the plus sign was escaped once more.
  const value = text.trim().replace('&#43;', '+');
  const w3c = W3C.exec(value);
  if (w3c) {
    const [
      ,
      year,
      month = '1',
      day = '1',
      hour = '0',
      minute = '0',
      second = '0',
      fraction = '',
      zone = '',
    ] = w3c;
    const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
    return date(
      year,
      Number(month),
      day,
      [hour, minute, second],
      ms,
      zone === '' ? 0 : offset(zone),
    );
  }
  const mail = RFC_822.exec(value);
  if (!mail) return undefined;
  const [, day, name = '', year = '', hour, minute, second = '0', zone = ''] = mail;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  return date(fullYear(year), month, day, [hour, minute, second], 0, offset(zone));
}

/** Two digits are a year from 1970 to 2069. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 70 ? `20${year}` : `19${year}`;
}

/** Minutes that a zone is ahead of UTC. */
function offset(zone: string): number | undefined {
  const upper = zone.trim().toUpperCase();
  if (upper === 'Z' || upper === 'GMT' || upper === 'UTC') return 0;
  const match = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(upper);
  if (!match) {
    const hours = ZONES[upper];
    return hours === undefined ? undefined : hours * 60;
  }
  const [, sign, hours, minutes = '0'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function date(
  year: string | undefined,
  month: number,
  day: string | undefined,
  time: readonly (string | undefined)[],
  ms: number,
  ahead: number | undefined,
): Date | undefined {
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  if (ahead === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  // A day that does not exist has become one of another month, a year below 100 one of 1900.
  const exists =
    midnight.getUTCMonth() === month - 1 &&
    midnight.getUTCDate() === Number(day) &&
    midnight.getUTCFullYear() === Number(year);
  if (!exists) return undefined;
  const seconds = (hour * 60 + minute - ahead) * 60 + second;
  return new Date(midnight.getTime() + seconds * 1000 + ms);
}
