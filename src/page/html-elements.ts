/**
 * What the tag scanner knows of elements: a number for each, what it means for the text behind
 * it, and sets of them. A name is hashed while it is read, and looked up without being cut out.
 */

import { hasNameAt } from './html-syntax.js';

/** The hash that the scanner computes while it reads a name. */
export function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i += 1) {
    hash = (Math.imul(hash, 31) + (name.charCodeAt(i) | 0x20)) | 0;
  }
  return hash;
}

/** The name of an attribute, lower case, with its hash. */
export interface AttributeName {
  readonly text: string;
  readonly hash: number;
}

/** Prepares the name of an attribute for `TagScanner.find`. */
export function attributeName(text: string): AttributeName {
  return { text, hash: hashOf(text) };
}

/** Its content is text up to its end tag (HTML §13.2.5.2 to 13.2.5.5). */
export const RAW = 1;
/** Ends SVG and MathML content (HTML §13.2.6.5). */
export const BREAKOUT = 2;
/** In SVG: its content is HTML again. */
export const SVG_POINT = 4;
/** In MathML: its content is HTML again. */
export const MATH_POINT = 8;
/** Its end tag also ends SVG and MathML that was left open in it. */
export const CONTAINER = 32;
/** Opens a template or foreign content, or changes how all that follows is read. */
export const SPECIAL = 16;

const ELEMENTS = new Map<string, number>();
function mark(flag: number, names: string): void {
  for (const name of names.split(' ')) ELEMENTS.set(name, (ELEMENTS.get(name) ?? 0) | flag);
}
mark(RAW, 'script style textarea title xmp noembed noframes iframe');
mark(
  BREAKOUT,
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
mark(SVG_POINT, 'foreignobject desc title');
mark(MATH_POINT, 'mi mo mn ms mtext');
mark(SPECIAL, 'plaintext noscript template svg math');
mark(
  CONTAINER,
  'a article aside b blockquote button caption center code dd div dl dt em fieldset figure footer form h1 h2 h3 h4 h5 h6 header i label li main nav ol p pre section select small span strong sub summary sup table tbody td th thead tr u ul',
);
// Elements without a meaning for the scan, which visitors may want to see.
mark(
  0,
  'a area audio base bgsound button del feimage font form frame frameset html image input ins link object q source td th track use video',
);

/** By number of element. */
export const NAMES: readonly string[] = [...ELEMENTS.keys()];
/** The number of every element that is not in the list. */
export const UNKNOWN: number = NAMES.length;
/** By number of element. */
export const FLAGS: Uint8Array = Uint8Array.from([...ELEMENTS.values(), 0]);

/** Open addressing over the hashes: a slot holds an element's number plus 1. */
const SLOT_MASK = 1023;
const SLOTS = new Uint8Array(SLOT_MASK + 1);
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 10)) & SLOT_MASK;
}
for (const [id, name] of NAMES.entries()) {
  let slot = slotOf(hashOf(name));
  while (SLOTS[slot] !== 0) slot = (slot + 1) & SLOT_MASK;
  SLOTS[slot] = id + 1;
}

/** The number of the element whose name is in `html` from `start` to `end`. */
export function findElement(html: string, start: number, end: number, hash: number): number {
  let slot = slotOf(hash);
  for (;;) {
    const id = (SLOTS[slot] ?? 0) - 1;
    if (id === -1) return UNKNOWN;
    const name = NAMES[id] ?? '';
    if (name.length === end - start && hasNameAt(html, name, start)) return id;
    slot = (slot + 1) & SLOT_MASK;
  }
}

/**
 * The number of an element, as in `TagScanner.element`.
 *
 * @throws RangeError for an element that the scanner does not know
 */
export function elementId(name: string): number {
  const id = NAMES.indexOf(name);
  if (id === -1) throw new RangeError(`elementId: the scanner does not know <${name}>`);
  return id;
}

/** Which elements a visitor wants to see. Made by {@link tagSet}. */
export type TagSet = Uint8Array;

export const WANTED = 1;
export const WANTED_IN_SVG = 2;

/**
 * The set of elements that a visitor wants to see.
 *
 * @param names - lower case; `svg:a` is the SVG element `a`, `*` every element
 */
export function tagSet(names: Iterable<string>): TagSet {
  const set = new Uint8Array(NAMES.length + 1);
  for (const name of names) {
    if (name === '*') {
      set.fill(WANTED | WANTED_IN_SVG);
      continue;
    }
    const svg = name.startsWith('svg:');
    const id = elementId(svg ? name.slice(4) : name);
    set[id] = (set[id] ?? 0) | (svg ? WANTED_IN_SVG : WANTED);
  }
  return set;
}

/** The elements of either set. */
export function union(one: TagSet, other: TagSet): TagSet {
  return one.map((flags, id) => flags | (other[id] ?? 0));
}
