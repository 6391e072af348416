import {
  attributeName,
  elementId,
  tagSet,
  type AttributeName,
  type TagSet,
} from './html-elements.js';
import { linkKinds, resolveKinds, type LinkKind, type LinkKinds } from './link-kinds.js';

const HREF = attributeName('href');

/** An attribute to read on an element. */
export interface Place {
  readonly kind: LinkKind;
  readonly attribute: AttributeName;
  readonly value: 'url' | 'srcset' | 'urls';
  /** If this one was found on the same element, the place does not count. */
  readonly unless: AttributeName | undefined;
}

const NOWHERE: readonly Place[] = [];

/** What a set of kinds means for the scan. Made once for each set. */
export interface LinkPlan {
  readonly wanted: TagSet;
  /** By number of element, for HTML and for SVG. */
  readonly html: readonly (readonly Place[])[];
  readonly svg: readonly (readonly Place[])[];
  readonly kinds: ReadonlySet<LinkKind>;
  readonly css: boolean;
}

function makePlan(kinds: ReadonlySet<LinkKind>): LinkPlan {
  const html: (readonly Place[])[] = [];
  const svg: (readonly Place[])[] = [];
  const css = kinds.has('css[url]') || kinds.has('css[import]');
  const names = ['base', 'meta', 'link', 'frameset'];
  if (kinds.has('json-ld')) names.push('script');
  // A style attribute may be on any element.
  if (css) names.push('*');
  for (const { kind, element, attribute, value } of linkKinds) {
    if (element === undefined || attribute === undefined || !kinds.has(kind)) continue;
    const isSvg = element.startsWith('svg:');
    // A browser makes an `img` of an `image` outside of SVG.
    const elements = element === 'img' ? ['img', 'image'] : [element];
    for (const name of elements) {
      names.push(name);
      const id = elementId(isSvg ? name.slice(4) : name);
      const places = isSvg ? svg : html;
      const place: Place = {
        kind,
        attribute: attributeName(attribute),
        value: value ?? 'url',
        unless: attribute === 'xlink:href' ? HREF : undefined,
      };
      places[id] = [...(places[id] ?? NOWHERE), place];
    }
  }
  return { wanted: tagSet(names), html, svg, kinds, css };
}

const DEFAULT_PLAN = makePlan(resolveKinds(['default']));
const plans = new WeakMap<LinkKinds, LinkPlan>();

/** The plan of a set of kinds; `undefined` are the default ones. */
export function planOf(kinds: LinkKinds | undefined): LinkPlan {
  if (kinds === undefined) return DEFAULT_PLAN;
  const before = plans.get(kinds);
  if (before !== undefined) return before;
  const plan = makePlan(resolveKinds(kinds));
  plans.set(kinds, plan);
  return plan;
}
