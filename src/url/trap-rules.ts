import type { TrapUrl } from './trap-url.js';

/** Most times that one segment may occur in a path at all, in a row or not. */
const OCCURRENCES = 3;

/** Limits of the rules that look at the path alone. */
export interface PathLimits {
  readonly pathSegments: number;
  readonly repeatedSegment: number;
  readonly repeatedSequence: number;
}

/** The rule about its path that a URL breaks, if any. */
export function pathTrap(
  path: string,
  limits: PathLimits,
): 'path-segments' | 'repeated-segment' | 'repeated-sequence' | undefined {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  if (segments.length > limits.pathSegments) return 'path-segments';
  if (segments.length < Math.min(limits.repeatedSegment, limits.repeatedSequence * 2)) {
    return undefined;
  }
  if (longestRun(segments, 1) >= limits.repeatedSegment) return 'repeated-segment';
  if (limits.repeatedSegment !== Infinity && mostOccurrences(segments) > OCCURRENCES) {
    return 'repeated-segment';
  }
  for (let period = 2; period * limits.repeatedSequence <= segments.length; period += 1) {
    if (longestRun(segments, period) >= limits.repeatedSequence) return 'repeated-sequence';
  }
  return undefined;
}

/** How many times a sequence of `period` segments stands in a row, at most. */
function longestRun(segments: readonly string[], period: number): number {
  let equal = 0;
  let most = 0;
  for (let index = period; index < segments.length; index += 1) {
    equal = segments[index] === segments[index - period] ? equal + 1 : 0;
    if (equal > most) most = equal;
  }
  return Math.floor(most / period) + 1;
}

function mostOccurrences(segments: readonly string[]): number {
  if (segments.length <= OCCURRENCES) return 1;
  const counts = new Map<string, number>();
  let most = 0;
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    counts.set(segment, count);
    if (count > most) most = count;
  }
  return most;
}

const PAGE_OF_PATH = /\/page[/-]?[0-9]+(?=[/?#]|$)/i;

/**
 * The list that a page of a list belongs to: its URL without the number of the page (`?page=7`,
 * `?start=140`, `/page/7`). `undefined` if it is none.
 */
export function listOf({ href, parameters }: TrapUrl): string | undefined {
  if (parameters.some(({ kind }) => kind.isPage)) {
    const rest = parameters.filter(({ kind }) => !kind.isPage).map(({ text }) => text);
    return `${href.slice(0, href.indexOf('?'))}?${rest.join('&')}`;
  }
  return PAGE_OF_PATH.test(href) ? href.replace(PAGE_OF_PATH, '/page') : undefined;
}

const CALENDAR_WORD =
  /(?:^|[^a-z])(?:calendar|calendrier|calendario|kalender|cal|events?|agenda|schedule|termine|month|week|day|date|year)(?![a-z])/i;
const FULL_DATE = /(?:^|[/=])([0-9]{4,6})-(?:0[1-9]|1[0-2])-[0-3][0-9](?=[/&]|$)/;
const PATH_DATE = /\/([0-9]{4,6})[/-](?:0?[1-9]|1[0-2])(?:[/-][0-3]?[0-9])?\/?$/;
const VALUE_DATE = /^([0-9]{4})(?:-?(?:0[1-9]|1[0-2])(?:-?[0-3][0-9])?)?$/;

/**
 * The year that a page of a calendar is about, or `undefined` if it is none. Numbers count as a
 * date only where they are written in full (`2024-05-01`) or a word says so: `/thread/2150/3` and
 * `/part/5021-11` are none.
 */
export function calendarYear({ path, query, parameters }: TrapUrl): number | undefined {
  const full = FULL_DATE.exec(path) ?? (query === undefined ? null : FULL_DATE.exec(query));
  if (full !== null) return Number(full[1]);
  for (const { text, kind } of parameters) {
    const date = kind.isDate ? VALUE_DATE.exec(text.slice(kind.name.length + 1)) : null;
    if (date !== null) return Number(date[1]);
  }
  const inPath = PATH_DATE.exec(path);
  return inPath !== null && CALENDAR_WORD.test(path) ? Number(inPath[1]) : undefined;
}
