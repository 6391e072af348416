export { createTextDecoder, type ChunkDecoder } from './create-text-decoder.js';
export { decodeAs, decodeText, type DecodedText } from './decode-text.js';
export { encodeQuery } from './encode-query.js';
export { encodingFromLabel } from './encoding-label.js';
export {
  sniffEncoding,
  type SniffEncodingOptions,
  type SniffedEncoding,
} from './sniff-encoding.js';
