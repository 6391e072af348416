import { flatString } from './flat-string.js';

const NONE: readonly string[] = Object.freeze([]);
/** Lists that were seen before, so that pages share them; few different ones exist. */
const shared = new Map<string, readonly string[]>();
const MAX_SHARED = 500;
const MAX_SHARED_LENGTH = 100;
/** Longer values (characters) are read up to here; a token that this cuts is none. */
export const MAX_REL = 1_000;

/**
 * The tokens of a `rel` attribute, lower case, in order. Only blanks part them:
 * `nofollow,noopener` is one token, and an unknown one.
 */
export function relTokens(value: string | undefined): readonly string[] {
  if (value === undefined) return NONE;
  const isCut = value.length > MAX_REL;
  const whole = isCut ? value.slice(0, MAX_REL) : value;
  const known = shared.get(whole);
  if (known !== undefined && !isCut) return known;
  const text = flatString(whole);
  const parts = text.toLowerCase().split(/[\t\n\f\r ]+/);
  if (isCut) parts.pop();
  const tokens = parts.filter((token) => token !== '');
  const list = tokens.length === 0 ? NONE : Object.freeze(tokens.map(flatString));
  if (shared.size < MAX_SHARED && text.length <= MAX_SHARED_LENGTH) shared.set(text, list);
  return list;
}
