export { parseMediaType, type MediaType } from './parse-media-type.js';
export { serializeMediaType } from './serialize-media-type.js';
export { sniffType, type PageKind } from './sniff-type.js';
