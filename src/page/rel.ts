import { flatString } from './flat-string.js';

const NONE: readonly string[] = Object.freeze([]);
/** Lists that were seen before, so that pages share them; few different ones exist. */
const shared = new Map<string, readonly string[]>();
const MAX_SHARED = 500;
const MAX_LENGTH = 100;

/**
 * The tokens of a `rel` attribute, lower case, in order. Only blanks part them:
 * `nofollow,noopener` is one token, and an unknown one.
 */
export function relTokens(value: string | undefined): readonly string[] {
  if (value === undefined) return NONE;
  const known = shared.get(value);
  if (known !== undefined) return known;
  const text = flatString(value);
  const tokens = text
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter((token) => token !== '');
  const list = tokens.length === 0 ? NONE : Object.freeze(tokens.map(flatString));
  if (shared.size < MAX_SHARED && text.length <= MAX_LENGTH) shared.set(text, list);
  return list;
}
