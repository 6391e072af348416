import type { MediaType } from './parse-media-type.js';

/** `text/html`. */
export function isHtmlType(type: MediaType): boolean {
  return type.essence === 'text/html';
}

/** An XML media type: WHATWG MIME Sniffing §4.6. XHTML and SVG are among them. */
export function isXmlType(type: MediaType): boolean {
  return (
    type.subtype.endsWith('+xml') ||
    type.essence === 'text/xml' ||
    type.essence === 'application/xml'
  );
}

/** A JSON media type: WHATWG MIME Sniffing §4.6. */
export function isJsonType(type: MediaType): boolean {
  return (
    type.subtype.endsWith('+json') ||
    type.essence === 'application/json' ||
    type.essence === 'text/json'
  );
}

const SCRIPT_SUBTYPES: ReadonlySet<string> = new Set([
  'ecmascript',
  'javascript',
  'x-ecmascript',
  'x-javascript',
  'jscript',
  'livescript',
]);

/** A JavaScript media type: WHATWG MIME Sniffing §4.6. */
export function isScriptType({ type, subtype }: MediaType): boolean {
  return (
    (type === 'text' || type === 'application') &&
    (SCRIPT_SUBTYPES.has(subtype) || subtype.startsWith('javascript1.'))
  );
}

/** `text/css`. */
export function isCssType(type: MediaType): boolean {
  return type.essence === 'text/css';
}
