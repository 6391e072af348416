import { attributeValue } from './html-value.js';
import { parseMediaType } from './mime/index.js';

/** A JSON value whose objects have no prototype: keys such as `__proto__` are plain keys. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** See {@link JsonValue}. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** So many characters of all blocks of a page are read, and no block that is nested deeper. */
export const MAX_JSON_LD = 1_000_000;
/** So many blocks of a page are read: that one is no JSON takes 7 µs to say. */
export const MAX_BLOCKS = 1_000;
const MAX_DEPTH = 100;

/** Keys of schema.org and JSON-LD whose text values are URLs. */
const URL_KEYS = new Set([
  '@id',
  'contentUrl',
  'discussionUrl',
  'downloadUrl',
  'embedUrl',
  'image',
  'installUrl',
  'item',
  'logo',
  'mainEntityOfPage',
  'photo',
  'relatedLink',
  'sameAs',
  'significantLink',
  'thumbnailUrl',
  'url',
]);

/** Shorter and longer types of scripts are none of ours. */
const MIN_TYPE = 'application/ld+json'.length;
const MAX_TYPE = 200;

/** Whether the `type` of a script is that of JSON-LD. */
export function isJsonLd(type: string | undefined): boolean {
  if (type === undefined || type.length < MIN_TYPE || type.length > MAX_TYPE) return false;
  return parseMediaType(attributeValue(type))?.essence === 'application/ld+json';
}

/**
 * Reads the text of a JSON-LD block.
 *
 * @returns `undefined` for what is no JSON, is longer than 1,000,000 characters or is nested
 * deeper than 100
 */
export function parseJsonLd(text: string): JsonValue | undefined {
  if (text.length > MAX_JSON_LD || !isShallow(text)) return undefined;
  try {
    return withoutPrototypes(JSON.parse(stripWrapping(text)) as JsonValue);
  } catch {
    return undefined;
  }
}

/** The URLs that a JSON-LD value names, not resolved, in document order. */
export function jsonLdUrls(value: JsonValue): string[] {
  const urls: string[] = [];
  const visit = (node: JsonValue, key: string) => {
    if (typeof node === 'string') {
      if (URL_KEYS.has(key)) urls.push(node);
    } else if (Array.isArray(node)) {
      for (const child of node) visit(child, key);
    } else if (node !== null && typeof node === 'object') {
      for (const [name, child] of Object.entries(node)) visit(child, name);
    }
  };
  visit(value, '');
  return urls;
}

/** Comments and CDATA marks that templates put around the block. */
function stripWrapping(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('<!--') && trimmed.endsWith('-->')) return trimmed.slice(4, -3);
  const open = /^(?:\/\/|\/\*)?\s*<!\[CDATA\[(?:\s*\*\/)?/.exec(trimmed);
  const end = trimmed.lastIndexOf(']]>');
  if (open === null || end < open[0].length) return trimmed;
  const content = trimmed.slice(open[0].length, end).trimEnd();
  return content.endsWith('//') || content.endsWith('/*') ? content.slice(0, -2) : content;
}

/** Whether brackets outside of strings nest no deeper than the limit. */
function isShallow(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
    } else if (char === '[' || char === '{') {
      depth += 1;
      if (depth > MAX_DEPTH) return false;
    } else if (char === ']' || char === '}') {
      depth -= 1;
    }
  }
  return true;
}

function withoutPrototypes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.create(null) as JsonObject;
  for (const [key, child] of Object.entries(value)) copy[key] = withoutPrototypes(child);
  return copy;
}
