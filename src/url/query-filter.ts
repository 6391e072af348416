import { isSessionName, stripSessionParams } from './session-id.js';
import { isTrackingName } from './tracking.js';
import type { QueryFilter, UrlPolicy } from './url-policy.js';

/** One parameter, as it stands in the query, with its name and value decoded. */
interface Param {
  text: string;
  readonly name: string;
  readonly value: string;
}

type Rewrite = (query: string) => string;

/**
 * Makes the function that applies the query options of a policy to a query without its `?`.
 * Parameters that stay are kept byte for byte. `undefined` if no option concerns the query.
 */
export function queryRewriter(policy: UrlPolicy): Rewrite | undefined {
  const { sortQuery, uniqueQuery, emptyValue = 'keep', dropSessionIds } = policy;
  const keeps = keeper(policy);
  const clean = policy.cleanEmptyParams === true;
  const parts = keeps ?? (uniqueQuery === true || emptyValue !== 'keep' || sortQuery);
  if (policy.dropQuery === true) return () => '';
  if (parts === undefined || parts === false) {
    return clean ? (query) => query.split('&').filter(Boolean).join('&') : undefined;
  }
  return (query) => {
    const seen = new Set<string>();
    let params: Param[] = [];
    for (const piece of query.split('&')) {
      if (piece === '' && clean) continue;
      const text = dropSessionIds === true ? stripSessionParams(piece) : piece;
      if (text === '' && piece !== '') continue;
      const param = parseParam(text);
      if (keeps !== undefined && !keeps(param)) continue;
      if (uniqueQuery === true) {
        if (seen.has(param.name)) continue;
        seen.add(param.name);
      }
      if (emptyValue !== 'keep' && param.value === '') fillEmpty(param, emptyValue);
      params.push(param);
    }
    if (sortQuery !== undefined && sortQuery !== false) {
      params = params.sort(sortQuery === 'values' ? byNameAndValue : byName);
    }
    return params.map((param) => param.text).join('&');
  };
}

function keeper(policy: UrlPolicy): ((param: Param) => boolean) | undefined {
  const { keepQuery, dropQuery, dropSessionIds, dropTracking } = policy;
  const tests: ((param: Param) => boolean)[] = [];
  if (keepQuery !== undefined) tests.push(matcher(keepQuery));
  if (dropQuery !== undefined && dropQuery !== true) tests.push(inverse(matcher(dropQuery)));
  if (dropSessionIds === true) tests.push((param) => !isSessionName(param.name));
  if (dropTracking === true) tests.push((param) => !isTrackingName(param.name));
  return tests.length === 0 ? undefined : (param) => tests.every((test) => test(param));
}

function matcher(filter: QueryFilter): (param: Param) => boolean {
  if (typeof filter === 'function') return (param) => filter(param.name, param.value);
  const names = new Set(filter);
  return (param) => names.has(param.name);
}

function inverse(test: (param: Param) => boolean): (param: Param) => boolean {
  return (param) => !test(param);
}

function parseParam(text: string): Param {
  const equals = text.indexOf('=');
  return equals === -1
    ? { text, name: decode(text), value: '' }
    : { text, name: decode(text.slice(0, equals)), value: decode(text.slice(equals + 1)) };
}

/** Form decoding; text that is no valid UTF-8 stays encoded. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function fillEmpty(param: Param, form: 'bare' | 'equals'): void {
  const bare = param.text.endsWith('=') ? param.text.slice(0, -1) : param.text;
  // A lone `=` has no name that could stand without it.
  if (bare === '') return;
  param.text = form === 'bare' ? bare : `${bare}=`;
}

function byName(a: Param, b: Param): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function byNameAndValue(a: Param, b: Param): number {
  return byName(a, b) || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
}
