import { hostOf } from '../core/index.js';
import { pathOfHref, queryOfHref } from './href-parts.js';
import type { ParameterKind } from './parameter-kind.js';

/** A URL, cut once for all trap rules. */
export interface TrapUrl {
  readonly href: string;
  readonly host: string;
  readonly path: string;
  /** Without its `?`. */
  readonly query: string | undefined;
  readonly parameters: readonly Parameter[];
}

/** A parameter of a query as it is written, `name=value`. */
export interface Parameter {
  readonly text: string;
  readonly kind: ParameterKind;
}

const NONE: readonly Parameter[] = [];

/** Cuts an absolute URL. */
export function trapUrl(href: string, kindOf: (name: string) => ParameterKind): TrapUrl {
  const query = queryOfHref(href);
  return {
    href,
    host: hostOf(href),
    path: pathOfHref(href),
    query,
    parameters: query === undefined ? NONE : parametersOf(query, kindOf),
  };
}

function parametersOf(query: string, kindOf: (name: string) => ParameterKind): Parameter[] {
  return query.split('&').map((text) => {
    const equals = text.indexOf('=');
    return { text, kind: kindOf(equals === -1 ? text : text.slice(0, equals)) };
  });
}
