import { BoundedMap } from '../core/bounded-map.js';
import { isTrackingName } from './tracking.js';

/** What the name of a parameter says about it. */
export interface ParameterKind {
  readonly name: string;
  /** It numbers the pages of a list: `page`, `start`, `offset` … */
  readonly isPage: boolean;
  /** It holds a date, or a part of one. */
  readonly isDate: boolean;
  readonly isTracking: boolean;
}

const PAGE =
  /^(?:pg|pn|page|paged|pageno|pagenum|pagenumber|page[_-]?(?:no|num|number|index)|start|startat|start_?index|offset|skip|from|first|cursor|after)$/i;
const DATE = /(?:^|[_-])(?:date|day|month|week|year|yr|cal|calendar|ym|ymd)$/i;

/** A site has few names, and each stands in thousands of its URLs. */
const KEPT = 1024;
/** Longest name that is kept, characters. */
const LONGEST_KEPT = 64;

/** Makes a function that tells what a parameter name says, and remembers it. */
export function parameterKinds(): (name: string) => ParameterKind {
  const known = new BoundedMap<string, ParameterKind>(KEPT);
  return (name) => {
    let kind = known.get(name);
    if (kind === undefined) {
      kind = {
        name,
        isPage: PAGE.test(name),
        isDate: DATE.test(name),
        isTracking: isTrackingName(name),
      };
      if (name.length <= LONGEST_KEPT) known.set(name, kind);
    }
    return kind;
  };
}
